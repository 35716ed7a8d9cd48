"""Bringing the database from what it holds to what the papers of a batch shall show, and nothing beyond it."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from papers.models import Authorship
from papers.services.ingest.alignment import align
from papers.services.ingest.categories import add_unknown_categories
from papers.services.ingest.identity import assign_papers, settle_claims
from papers.services.ingest.resolution import PAPER_COLUMNS, Shown, places_of, precedence, resolve
from papers.services.ingest.rows import copy_rows, delete_rows, next_ids, update_rows
from papers.services.ingest.state import PaperState, load_states
from papers.sources.records import PaperRecord
from wovepaper.pipeline.services import enqueue

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
VERSION_COLUMNS = {"submitted_at": "timestamptz", "size": "bigint", "source_type": "text", "withdrawn": "boolean"}


@dataclass(slots=True)
class Incoming:
    """A record to write. ``row`` and ``paper`` are 0 where the record is not known yet."""

    record: PaperRecord
    row: int = 0
    paper: int = 0
    is_new: bool = False


@dataclass(slots=True)
class _Paper:
    """A paper of the batch on its way."""

    id: int
    state: PaperState | None
    """``None`` for a new paper."""
    records: list[tuple[int, PaperRecord]]
    """Rows and records in the order of precedence."""
    shown: Shown
    touched: bool = False
    """Whether rows beside the paper's own change."""
    kept_authorships: list[int | None] = field(default_factory=list)
    """For each shown author the index of its row in the state."""


@dataclass(slots=True)
class _Rows:
    """Rows of all papers of the batch, by table, to be written in one statement each."""

    papers: list[tuple[Any, ...]] = field(default_factory=list)
    paper_updates: list[dict[str, Any]] = field(default_factory=list)
    authorships: list[tuple[Any, ...]] = field(default_factory=list)
    authorship_updates: list[dict[str, Any]] = field(default_factory=list)
    authorships_gone: list[int] = field(default_factory=list)
    source_authorships: list[tuple[Any, ...]] = field(default_factory=list)
    source_authorship_updates: list[dict[str, Any]] = field(default_factory=list)
    source_authorships_gone: list[int] = field(default_factory=list)
    affiliations: list[tuple[Any, ...]] = field(default_factory=list)
    affiliations_gone: list[int] = field(default_factory=list)
    versions: list[tuple[Any, ...]] = field(default_factory=list)
    version_updates: list[dict[str, Any]] = field(default_factory=list)
    versions_gone: list[int] = field(default_factory=list)
    listings: list[tuple[Any, ...]] = field(default_factory=list)
    listings_gone: list[int] = field(default_factory=list)


def write_records(incoming: Sequence[Incoming]) -> None:
    """Take in records whose content is new. Fills in ``row`` and ``paper`` of each. Database errors are raised."""
    now = timezone.now()
    with connection.cursor() as cursor:
        _find_papers(cursor, incoming)
        new_papers = {item.paper for item in incoming if item.paper < 0}
        ids = dict(
            zip(sorted(new_papers, reverse=True), next_ids(cursor, "papers_paper", len(new_papers)), strict=True)
        )
        new = set(ids.values())
        by_paper: defaultdict[int, list[tuple[int, PaperRecord]]] = defaultdict(list)
        rows = iter(next_ids(cursor, "papers_sourcerecord", sum(not item.row for item in incoming)))
        for item in incoming:
            item.paper = ids.get(item.paper, item.paper)
            if not item.row:
                item.is_new = True
                item.row = next(rows)
            by_paper[item.paper].append((item.row, item.record))
        states = load_states(
            cursor,
            [paper_id for paper_id in by_paper if paper_id not in new],
            replaced=[item.row for item in incoming if not item.is_new],
        )
        papers = _resolve(by_paper, states)
        _write_source_records(cursor, incoming, now)
        for item in incoming:
            state = states.get(item.paper)
            if state is not None and item.record.source not in state.sources:
                _mark(papers, item.paper)
        _write_papers(cursor, papers, now)


def rewrite_papers(paper_ids: Sequence[int], *, stage: str | None, reason: str) -> None:
    """Resolve papers anew from their stored records; those that change wait for ``stage``."""
    with connection.cursor() as cursor:
        states = load_states(cursor, paper_ids, replaced=())
        papers = _resolve({paper_id: [] for paper_id in states}, states)
        _write_papers(cursor, papers, timezone.now(), stage=stage, reason=reason)


def _mark(papers: Sequence[_Paper], paper_id: int) -> None:
    next(paper for paper in papers if paper.id == paper_id).touched = True


def _find_papers(cursor: CursorWrapper, incoming: Sequence[Incoming]) -> None:
    unknown = [item for item in incoming if not item.paper]
    for item, paper in zip(unknown, assign_papers(cursor, [item.record for item in unknown]), strict=True):
        item.paper = paper


def _resolve(by_paper: dict[int, list[tuple[int, PaperRecord]]], states: dict[int, PaperState]) -> list[_Paper]:
    papers = []
    for paper_id, given in sorted(by_paper.items()):
        state = states.get(paper_id)
        records = given + state.other_records if state else given
        if not records:
            continue
        if len(records) > 1:
            records.sort(key=lambda pair: precedence(pair[1]))
        shown = resolve([record for _, record in records], state.pinned if state else {})
        papers.append(_Paper(paper_id, state, records, shown))
    return papers


def _write_source_records(cursor: CursorWrapper, incoming: Sequence[Incoming], now: dt.datetime) -> None:
    copy_rows(
        cursor,
        "papers_sourcerecord",
        ("id", "paper_id", "source", "format", "external_id", "stamp", "payload", "hash", "harvested_at"),
        [
            (item.row, item.paper, r.source, r.format, r.external_id, r.stamp, r.payload, r.content_hash, now)
            for item in incoming
            if item.is_new
            for r in (item.record,)
        ],
    )
    changed = [item for item in incoming if not item.is_new]
    if changed:
        cursor.execute(
            "UPDATE papers_sourcerecord AS kept SET stamp = given.stamp, payload = given.payload, hash = given.hash,"
            " harvested_at = %s FROM unnest(%s::bigint[], %s::text[], %s::bytea[], %s::text[])"
            " AS given(id, stamp, payload, hash) WHERE kept.id = given.id",
            [
                now,
                [item.row for item in changed],
                [item.record.stamp for item in changed],
                [item.record.payload for item in changed],
                [item.record.content_hash for item in changed],
            ],
        )


def _write_papers(
    cursor: CursorWrapper,
    papers: Sequence[_Paper],
    now: dt.datetime,
    *,
    stage: str | None = None,
    reason: str = "sources",
) -> None:
    if not papers:
        return
    add_unknown_categories(cursor, {code for paper in papers for code in paper.shown.columns["categories"]})
    rows = _Rows()
    fresh_authorships = 0
    for paper in papers:
        if paper.state is not None:
            paper.kept_authorships = _kept_authorships(paper)
            fresh_authorships += paper.kept_authorships.count(None)
        else:
            paper.kept_authorships = [None] * len(paper.shown.authors)
            fresh_authorships += len(paper.kept_authorships)
    fresh = iter(next_ids(cursor, "papers_authorship", fresh_authorships))
    for paper in papers:
        if paper.state is None:
            columns = paper.shown.columns
            rows.papers.append((paper.id, now, now, "{}", *(columns[name] for name in PAPER_COLUMNS)))
        authorship_ids = _plan_authorships(rows, paper, fresh)
        _plan_source_authorships(rows, paper, authorship_ids)
        _plan_affiliations(rows, paper, authorship_ids)
        _plan_versions(rows, paper)
        _plan_listings(rows, paper)

    copy_rows(cursor, "papers_paper", ("id", "created_at", "updated_at", "pinned", *PAPER_COLUMNS), rows.papers)
    changed = settle_claims(
        cursor,
        {paper.id: paper.shown.identifiers for paper in papers},
        {paper.id: paper.shown.columns["arxiv_id"] for paper in papers},
        {paper.id for paper in papers if paper.state is None},
    )
    _write_authors(cursor, rows)
    _write_versions_and_listings(cursor, rows)
    written = update_rows(
        cursor,
        "papers_paper",
        PAPER_COLUMNS,
        [
            {"id": paper.id, "touched": paper.touched or paper.id in changed, **paper.shown.columns}
            for paper in papers
            if paper.state is not None
        ],
        force="touched",
        stamp="updated_at",
    )
    # What a deferred constraint finds shall be found here, where the record at fault can still be told.
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    made = {paper.id for paper in papers if paper.state is None}
    enqueue(kind="paper", ids={*written, *changed, *made}, stage=stage, reason=reason)


# --- authors ---------------------------------------------------------------------------------------------------


def _kept_authorships(paper: _Paper) -> list[int | None]:
    """For each shown author which authorship of the state it is, so that its identity lives on."""
    assert paper.state is not None
    best = next((record for _, record in paper.records if record.authors), None)
    if best is None:
        return []
    return align(paper.state.places(), places_of(best))


def _plan_authorships(rows: _Rows, paper: _Paper, fresh: Any) -> list[int]:
    """Returns the ids of the shown authors' rows, in order."""
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


def _plan_source_authorships(rows: _Rows, paper: _Paper, authorship_ids: Sequence[int]) -> None:
    kept = dict(paper.state.source_authorships) if paper.state else {}
    records = paper.records
    for printed in paper.shown.printed:
        record_id, record = records[printed.record]
        author = printed.author
        authorship_id = authorship_ids[printed.shown]
        row = kept.pop((record_id, printed.position), None)
        if row is None:
            rows.source_authorships.append(
                (
                    authorship_id, record_id, printed.position, author.name, author.given, author.family,
                    author.suffix, author.orcid, author.source_author_id,
                )
            )  # fmt: skip
            paper.touched = True
            continue
        values = (
            author.name, author.given, author.family, author.suffix, author.orcid, record.source,
            author.source_author_id,
        )  # fmt: skip
        if row.authorship_id != authorship_id or row.values != values:
            rows.source_authorship_updates.append(
                {
                    "id": row.id,
                    "authorship_id": authorship_id,
                    "source_record_id": record_id,
                    "position": printed.position,
                    "name": author.name,
                    "given": author.given,
                    "family": author.family,
                    "suffix": author.suffix,
                    "orcid": author.orcid,
                    "source_author_id": author.source_author_id,
                }
            )
            paper.touched = True
    if kept:
        rows.source_authorships_gone.extend(row.id for row in kept.values())
        paper.touched = True


def _plan_affiliations(rows: _Rows, paper: _Paper, authorship_ids: Sequence[int]) -> None:
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


def _write_authors(cursor: CursorWrapper, rows: _Rows) -> None:
    delete_rows(cursor, "papers_sourceauthorship", rows.source_authorships_gone)
    delete_rows(cursor, "papers_affiliation", rows.affiliations_gone)
    update_rows(
        cursor,
        "papers_authorship",
        {"position": "integer", "name": "text", "is_collaboration": "boolean", "corresponding": "boolean"},
        rows.authorship_updates,
    )
    copy_rows(cursor, "papers_authorship", AUTHORSHIP_COLUMNS, rows.authorships)
    update_rows(cursor, "papers_sourceauthorship", SOURCE_AUTHORSHIP_COLUMNS, rows.source_authorship_updates)
    copy_rows(cursor, "papers_sourceauthorship", tuple(SOURCE_AUTHORSHIP_COLUMNS), rows.source_authorships)
    copy_rows(cursor, "papers_affiliation", ("authorship_id", "text"), rows.affiliations)
    if rows.authorships_gone:
        # Last, when nothing that stays refers to them; through the ORM, so that what other apps hang on them goes too.
        Authorship.objects.filter(pk__in=rows.authorships_gone).delete()


# --- versions and listings -------------------------------------------------------------------------------------


def _plan_versions(rows: _Rows, paper: _Paper) -> None:
    kept = dict(paper.state.versions) if paper.state else {}
    for version in paper.shown.versions:
        values = (version.submitted_at, version.size, version.source_type, version.withdrawn)
        row = kept.pop(version.number, None)
        if row is None:
            rows.versions.append((paper.id, version.number, *values))
            paper.touched = True
        elif row[1:] != values:
            rows.version_updates.append({"id": row[0], **dict(zip(VERSION_COLUMNS, values, strict=True))})
            paper.touched = True
    if kept:
        rows.versions_gone.extend(row[0] for row in kept.values())
        paper.touched = True


def _plan_listings(rows: _Rows, paper: _Paper) -> None:
    wanted = paper.shown.listings
    kept = paper.state.listings if paper.state else {}
    for listing in wanted:
        if listing not in kept:
            rows.listings.append((paper.id, *listing))
            paper.touched = True
    for key, row in kept.items():
        if key not in wanted:
            rows.listings_gone.append(row)
            paper.touched = True


def _write_versions_and_listings(cursor: CursorWrapper, rows: _Rows) -> None:
    delete_rows(cursor, "papers_paperversion", rows.versions_gone)
    update_rows(cursor, "papers_paperversion", VERSION_COLUMNS, rows.version_updates)
    copy_rows(cursor, "papers_paperversion", ("paper_id", "number", *VERSION_COLUMNS), rows.versions)
    delete_rows(cursor, "papers_categorylisting", rows.listings_gone)
    copy_rows(cursor, "papers_categorylisting", ("paper_id", "category_id", "day", "kind"), rows.listings)
