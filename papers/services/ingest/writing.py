"""Bringing the database from what it holds to what the papers of a batch shall show, and nothing beyond it."""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from papers.changes import announce_changes
from papers.services.ingest.appearance_rows import plan_listings, plan_versions, write_versions_and_listings
from papers.services.ingest.author_rows import (
    keep_authorships,
    plan_affiliations,
    plan_authorships,
    plan_source_authorships,
    write_authors,
)
from papers.services.ingest.categories import add_unknown_categories
from papers.services.ingest.citations import CITATION_COLUMNS, NOT_COUNTED, count_new, settle_counts
from papers.services.ingest.claims import settle_claims
from papers.services.ingest.identity import Identifier, assign_papers
from papers.services.ingest.notice_rows import notices_by_others, papers_told_of, write_notices
from papers.services.ingest.plan import PlannedPaper, PlannedRows
from papers.services.ingest.reference_rows import write_references
from papers.services.ingest.resolution import PAPER_COLUMNS, identifiers_of, precedence, resolve
from papers.services.ingest.state import PaperState, load_states
from papers.services.ingest.ties import Pair, Ties, announce_ties, namesakes_of
from papers.sources.records import PaperRecord
from wovepaper.harvest.rows import as_array, copy_rows, next_ids, update_rows
from wovepaper.pipeline.services import enqueue

RECORD_COLUMNS = (
    "id", "paper_id", "source", "format", "external_id", "stamp", "payload", "hash", "superseded", "cited_by_count",
    "counted_on", "harvested_at",
)  # fmt: skip

Rows = list[tuple[int, PaperRecord]]
"""Records with the ids of their rows."""


@dataclass(slots=True)
class Incoming:
    """A record to write. ``row`` and ``paper`` are 0 where the record is not known yet."""

    record: PaperRecord
    row: int = 0
    paper: int = 0
    is_new: bool = False
    superseded: Sequence[str] = ()
    """Hashes of states under the record's stamp that it replaces."""
    was_counted: bool = False
    """Whether the state before it said how often the paper is cited."""


def write_records(incoming: Sequence[Incoming]) -> None:
    """Take in records whose content is new. Fills in ``row`` and ``paper`` of each. Database errors are raised."""
    now = timezone.now()
    with connection.cursor() as cursor:
        by_paper, new, unowned, namesakes = _assign(cursor, incoming)
        states = load_states(
            cursor,
            [paper_id for paper_id in by_paper if paper_id not in new],
            replaced=[item.row for item in incoming if not item.is_new],
        )
        papers = _resolve(cursor, by_paper, states)
        _write_source_records(cursor, incoming, now)
        ties = set[Pair]()
        _write_papers(cursor, papers, now, unowned=unowned, ties=ties)
        settle_counts(
            cursor,
            {
                (item.paper, item.record.source)
                for item in incoming
                if item.paper not in new and (item.record.citations or item.was_counted)
            },
        )
        announce_ties(Ties(frozenset(ties), namesakes | namesakes_of(cursor, by_paper.keys() - new)))


def rewrite_papers(paper_ids: Sequence[int], *, stage: str | None, reason: str) -> set[int]:
    """Resolve papers anew from their stored records; those that change wait for ``stage``, and are returned."""
    with connection.cursor() as cursor:
        states = load_states(cursor, paper_ids, replaced=())
        papers = _resolve(cursor, {paper_id: [] for paper_id in states}, states)
        ties = set[Pair]()
        changed = _write_papers(cursor, papers, timezone.now(), stage=stage, reason=reason, ties=ties)
        announce_ties(Ties(frozenset(ties)))
        return changed


def write_resolved(cursor: CursorWrapper, paper_ids: Sequence[int], now: dt.datetime, *, reason: str) -> None:
    """Resolve papers anew between which records were handed over. All count as changed; ties are not announced."""
    states = load_states(cursor, paper_ids, replaced=())
    papers = _resolve(cursor, {paper_id: [] for paper_id in states}, states)
    for paper in papers:
        paper.touched = True
    _write_papers(cursor, papers, now, reason=reason, ties=set())


def _assign(
    cursor: CursorWrapper, incoming: Sequence[Incoming]
) -> tuple[dict[int, Rows], set[int], frozenset[Identifier], frozenset[Pair]]:
    """Give every record its row and its paper.

    Returns the records by paper, which papers are new, the identifiers that no paper had, and pairs of one title.
    """
    unknown = [item for item in incoming if not item.paper]
    assignment = assign_papers(cursor, [item.record for item in unknown])
    for item, paper in zip(unknown, assignment.papers, strict=True):
        item.paper = paper
    unnamed = sorted({item.paper for item in unknown if item.paper < 0}, reverse=True)
    ids = dict(zip(unnamed, next_ids(cursor, "papers_paper", len(unnamed)), strict=True))
    rows = iter(next_ids(cursor, "papers_sourcerecord", sum(not item.row for item in incoming)))
    by_paper: defaultdict[int, Rows] = defaultdict(list)
    for item in incoming:
        item.paper = ids.get(item.paper, item.paper)
        if not item.row:
            item.is_new = True
            item.row = next(rows)
        by_paper[item.paper].append((item.row, item.record))
    namesakes = frozenset((ids.get(one, one), ids.get(other, other)) for one, other in assignment.namesakes)
    return by_paper, set(ids.values()), assignment.unowned, namesakes


def _resolve(
    cursor: CursorWrapper, by_paper: Mapping[int, Rows], states: Mapping[int, PaperState]
) -> list[PlannedPaper]:
    in_order: list[tuple[int, Rows]] = []
    for paper_id, given in sorted(by_paper.items()):
        state = states.get(paper_id)
        records = given + state.other_records if state else given
        if not records:
            continue
        if len(records) > 1:
            records.sort(key=lambda pair: precedence(pair[1]))
        in_order.append((paper_id, records))
    told = notices_by_others(
        cursor, {paper_id: identifiers_of([record for _, record in records]) for paper_id, records in in_order}
    )
    papers = []
    for paper_id, records in in_order:
        state = states.get(paper_id)
        shown = resolve([record for _, record in records], state.pinned if state else {}, told.get(paper_id, ()))
        paper = PlannedPaper(paper_id, state, records, shown)
        # Which sources know a paper is shown and sought too.
        paper.touched = state is not None and any(
            record.source not in state.sources for _, record in by_paper[paper_id]
        )
        papers.append(paper)
    return papers


def _write_source_records(cursor: CursorWrapper, incoming: Sequence[Incoming], now: dt.datetime) -> None:
    copy_rows(
        cursor,
        "papers_sourcerecord",
        RECORD_COLUMNS,
        [
            (
                item.row,
                item.paper,
                r.source,
                r.format,
                r.external_id,
                r.stamp,
                r.payload,
                r.content_hash,
                list(item.superseded),
                *_counted(r, now),
                now,
            )
            for item in incoming
            if item.is_new
            for r in (item.record,)
        ],
    )
    changed = [item for item in incoming if not item.is_new]
    if changed:
        cursor.execute(
            "UPDATE papers_sourcerecord AS kept SET stamp = given.stamp, payload = given.payload, hash = given.hash,"
            " superseded = string_to_array(given.superseded, ' '), cited_by_count = given.counted,"
            " counted_on = given.counted_on, harvested_at = %s"
            " FROM unnest(%s::bigint[], %s::text[], %s::bytea[], %s::text[], %s::text[], %s::integer[], %s::date[])"
            " AS given(id, stamp, payload, hash, superseded, counted, counted_on) WHERE kept.id = given.id",
            [
                now,
                [item.row for item in changed],
                [item.record.stamp for item in changed],
                [item.record.payload for item in changed],
                [item.record.content_hash for item in changed],
                [" ".join(item.superseded) for item in changed],
                [_counted(item.record, now)[0] for item in changed],
                [_counted(item.record, now)[1] for item in changed],
            ],
        )


def _counted(record: PaperRecord, now: dt.datetime) -> tuple[int | None, dt.date | None]:
    """What a record says of citations; a count without a day is of the day it came in."""
    said = record.citations
    return (said.count, said.as_of or now.date()) if said else (None, None)


def _write_papers(
    cursor: CursorWrapper,
    papers: Sequence[PlannedPaper],
    now: dt.datetime,
    *,
    ties: set[Pair],
    unowned: frozenset[Identifier] = frozenset(),
    stage: str | None = None,
    reason: str = "sources",
) -> set[int]:
    """Returns the papers that came to show something else, new ones among them; they wait for the pipeline.

    ``ties`` gets the pairs of papers that claim one identifier.
    """
    if not papers:
        return set()
    add_unknown_categories(cursor, {code for paper in papers for code in paper.shown.columns["categories"]})
    for paper in papers:
        keep_authorships(paper)
    fresh = sum(paper.kept_authorships.count(None) for paper in papers)
    authorship_ids = iter(next_ids(cursor, "papers_authorship", fresh))
    rows = PlannedRows()
    for paper in papers:
        if paper.state is None:
            columns = paper.shown.columns | {
                "categories": as_array(paper.shown.columns["categories"]),
                "dates": json.dumps(paper.shown.columns["dates"]),
                "event": json.dumps(paper.shown.columns["event"]) if paper.shown.columns["event"] else None,
            }
            counts = count_new((record for _, record in paper.records), now.date())
            shown_count = (counts[0].cited_by, counts[0].source, counts[0].as_of) if counts else NOT_COUNTED
            rows.papers.append((paper.id, now, now, "{}", *shown_count, *map(columns.__getitem__, PAPER_COLUMNS)))
            rows.metrics.extend((paper.id, one.source, one.cited_by, one.as_of) for one in counts)
        ids = plan_authorships(rows, paper, authorship_ids)
        plan_source_authorships(rows, paper, ids)
        plan_affiliations(rows, paper, ids)
        plan_versions(rows, paper)
        plan_listings(rows, paper)
    made = {paper.id for paper in papers if paper.state is None}
    own_columns = ("id", "created_at", "updated_at", "pinned", *CITATION_COLUMNS, *PAPER_COLUMNS)
    copy_rows(cursor, "papers_paper", own_columns, rows.papers)
    copy_rows(cursor, "papers_papermetric", ("paper_id", "source", "cited_by_count", "as_of"), rows.metrics)
    settled = settle_claims(
        cursor,
        {paper.id: paper.shown.identifiers for paper in papers},
        {paper.id: paper.shown.columns["arxiv_id"] for paper in papers},
        new=made,
        unowned=unowned,
    )
    changed = settled.changed
    ties |= settled.ties
    write_authors(cursor, rows)
    write_versions_and_listings(cursor, rows)
    _write_references(cursor, rows, papers)
    changed |= set(
        update_rows(
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
    )
    # What a deferred constraint finds shall be found here, where the record at fault can still be told.
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    enqueue(kind="paper", ids=changed | made, stage=stage, reason=reason)
    announce_changes(changed - made)
    return changed | made | _write_notices(cursor, papers, made)


def _write_references(cursor: CursorWrapper, rows: PlannedRows, papers: Sequence[PlannedPaper]) -> None:
    """Of the papers whose references are not what they were."""
    changed = {
        paper.id: paper.shown.references
        for paper in papers
        if paper.shown.columns["references_digest"] != (paper.state.references_digest if paper.state else "")
    }
    known = {paper.id for paper in papers if paper.state is not None and paper.state.references_digest}
    write_references(cursor, rows, changed, known & changed.keys())


def _write_notices(cursor: CursorWrapper, papers: Sequence[PlannedPaper], made: set[int]) -> set[int]:
    """What the records tell of other papers changes those too. Returns the papers that show something else now."""
    told = {
        paper.id: paper.shown.notices
        for paper in papers
        if paper.shown.notices or (paper.state is not None and paper.state.notice_count)
    }
    changed = write_notices(cursor, told, new=made) if told else set()
    others = papers_told_of(cursor, changed)
    return rewrite_papers(others, stage=None, reason="notice") if others else set()
