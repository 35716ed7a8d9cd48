"""Author lists: which rows stay, which come, which go, and what the sources printed beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.backends.utils import CursorWrapper

from papers.changes import announce_changes
from papers.models import Authorship
from papers.services.ingest.alignment import align
from papers.services.ingest.plan import PlannedPaper, PlannedRows
from papers.services.ingest.resolution import places_of
from papers.services.shown_names import write_printed_names
from wovepaper.harvest.rows import copy_rows, delete_rows, update_rows

AUTHORSHIP_COLUMNS = ("id", "paper_id", "position", "name", "is_collaboration", "corresponding")
SOURCE_AUTHORSHIP_COLUMNS = {
    "authorship_id": "bigint",
    "source_record_id": "bigint",
    "position": "integer",
    "name": "text",
    "given": "text",
    "family": "text",
    "suffix": "text",
    "orcid": "text",
    "source_author_id": "text",
}


def keep_authorships(paper: PlannedPaper) -> None:
    """Find for each shown author which authorship of the state it is, so that its identity lives on."""
    best = next((record for _, record in paper.records if record.authors), None)
    if best is None:
        paper.kept_authorships = []
    elif paper.state is None:
        paper.kept_authorships = [None] * len(best.authors)
    else:
        paper.kept_authorships = align(paper.state.places(), places_of(best))


def plan_authorships(rows: PlannedRows, paper: PlannedPaper, fresh: Iterator[int]) -> list[int]:
    """Authorships to write; ``fresh`` gives ids for new ones. Returns the ids of the shown authors' rows, in order."""
    kept = paper.state.authorships if paper.state else []
    ids = []
    for position, (author, index) in enumerate(zip(paper.shown.authors, paper.kept_authorships, strict=True), start=1):
        if index is None:
            ids.append(next(fresh))
            rows.authorships.append(
                (ids[-1], paper.id, position, author.name, author.is_collaboration, author.corresponding)
            )
            paper.touched = True
            continue
        row = kept[index]
        ids.append(row.id)
        if row[1:] != (position, author.name, author.is_collaboration, author.corresponding):
            rows.authorship_updates.append(
                {
                    "id": row.id,
                    "position": position,
                    "name": author.name,
                    "is_collaboration": author.is_collaboration,
                    "corresponding": author.corresponding,
                }
            )
            paper.touched = True
    if len(kept) > len(paper.kept_authorships) - paper.kept_authorships.count(None):
        staying = set(paper.kept_authorships)
        rows.authorships_gone.extend(row.id for index, row in enumerate(kept) if index not in staying)
        paper.touched = True
    return ids


def plan_source_authorships(rows: PlannedRows, paper: PlannedPaper, authorship_ids: Sequence[int]) -> None:
    """What each record printed, and which shown author it stands for."""
    kept = dict(paper.state.source_authorships) if paper.state else {}
    for printed in paper.shown.printed:
        record_id, _ = paper.records[printed.record]
        author = printed.author
        values = (
            authorship_ids[printed.shown], record_id, printed.position, author.name, author.given, author.family,
            author.suffix, author.orcid, author.source_author_id,
        )  # fmt: skip
        row = kept.pop((record_id, printed.position), None)
        if row is None:
            rows.source_authorships.append(values)
            paper.touched = True
        elif row.values != values:
            rows.source_authorship_updates.append(
                {"id": row.id, **dict(zip(SOURCE_AUTHORSHIP_COLUMNS, values, strict=True))}
            )
            paper.touched = True
    if kept:
        rows.source_authorships_gone.extend(row.id for row in kept.values())
        paper.touched = True


def plan_affiliations(rows: PlannedRows, paper: PlannedPaper, authorship_ids: Sequence[int]) -> None:
    """The rows' order is the shown one: from the first difference on they are written anew."""
    kept = paper.state.affiliations if paper.state else {}
    for authorship_id, author in zip(authorship_ids, paper.shown.authors, strict=True):
        old = kept.get(authorship_id, [])
        if not old and not author.affiliations:
            continue
        same = 0
        for (_, text), wanted in zip(old, author.affiliations, strict=False):
            if text != wanted:
                break
            same += 1
        if same < len(old) or same < len(author.affiliations):
            rows.affiliations_gone.extend(row for row, _ in old[same:])
            rows.affiliations.extend((authorship_id, text) for text in author.affiliations[same:])
            paper.touched = True


def write_authors(cursor: CursorWrapper, rows: PlannedRows) -> None:
    """In an order in which nothing that stays refers to what has gone."""
    delete_rows(cursor, "papers_sourceauthorship", rows.source_authorships_gone)
    delete_rows(cursor, "papers_affiliation", rows.affiliations_gone)
    update_rows(
        cursor,
        "papers_authorship",
        {"position": "integer", "is_collaboration": "boolean", "corresponding": "boolean"},
        rows.authorship_updates,
    )
    write_printed_names(cursor, [(row["id"], row["name"]) for row in rows.authorship_updates])
    copy_rows(cursor, "papers_authorship", AUTHORSHIP_COLUMNS, rows.authorships)
    update_rows(cursor, "papers_sourceauthorship", SOURCE_AUTHORSHIP_COLUMNS, rows.source_authorship_updates)
    copy_rows(cursor, "papers_sourceauthorship", tuple(SOURCE_AUTHORSHIP_COLUMNS), rows.source_authorships)
    copy_rows(cursor, "papers_affiliation", ("authorship_id", "text"), rows.affiliations)
    if rows.authorships_gone:
        # Last, when nothing that stays refers to them; through the ORM, so that what other apps hang on them goes too.
        leaving = Authorship.objects.filter(pk__in=rows.authorships_gone)
        # Told while it can still be seen whose they were.
        announce_changes(set(leaving.values_list("paper_id", flat=True)))
        leaving.delete()
