"""Retractions and other notices: what they make of a paper's standing, and which rows come and go.

A notice may come in before the work that it is about, or after it, and may be told of by the record of either. So what
records tell is kept by DOI; every paper is resolved with what others tell of its DOIs, and papers that others begin or
cease to tell something of are resolved anew.

The standing follows the records as they now are: a retraction that a later state of the one record telling of it no
longer tells of is gone, as every other fact of that record. A reinstatement that is not older than the last
retraction takes it back, whatever flags of other sources say, which follow late.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.backends.utils import CursorWrapper

from papers.models import Paper
from papers.sources.records import NoticeRecord, PaperRecord, PartialDate
from wovepaper.harvest.rows import copy_rows, delete_rows

NOTICE_COLUMNS = ("paper_id", "kind", "work", "notice", "day", "precision", "asserted_by")

_ARXIV_DOI = "10.48550/arxiv."

Identifier = tuple[str, str]


class NoticeRow(NamedTuple):
    """What a row of Notice says."""

    kind: str
    work: str
    notice: str
    day: dt.date | None
    precision: str
    asserted_by: str


def dois_of(identifiers: Iterable[Identifier]) -> list[str]:
    """The DOIs of a paper, that of its arXiv id included."""
    return [
        value if scheme == "doi" else f"{_ARXIV_DOI}{value}"
        for scheme, value in identifiers
        if scheme in ("doi", "arxiv")
    ]


def told_notices(records: Sequence[PaperRecord]) -> tuple[NoticeRow, ...]:
    """What the records of a paper tell, each notice once: of two dates the first by precedence."""
    found: dict[tuple[str, ...], NoticeRow] = {}
    for record in records:
        for notice in record.notices:
            row = _row(notice)
            found.setdefault((row.work, row.notice, row.kind, row.asserted_by), row)
    return tuple(found.values())


def notices_by_others(
    cursor: CursorWrapper, identifiers: Mapping[int, Collection[Identifier]]
) -> dict[int, list[NoticeRow]]:
    """What records of other papers tell of these, of which the identifiers are given."""
    papers: defaultdict[str, list[int]] = defaultdict(list)
    for paper_id, named in identifiers.items():
        for doi in dois_of(named):
            papers[doi].append(paper_id)
    if not papers:
        return {}
    cursor.execute(
        "SELECT paper_id, kind, work, notice, day, precision, asserted_by FROM papers_notice WHERE work = ANY(%s)"
        " ORDER BY day, id",
        [list(papers)],
    )
    found: defaultdict[int, list[NoticeRow]] = defaultdict(list)
    for teller, *values in cursor.fetchall():
        row = NoticeRow(*values)
        for paper_id in papers[row.work]:
            if paper_id != teller:
                found[paper_id].append(row)
    return found


def standing(records: Sequence[PaperRecord], notices: Sequence[NoticeRow], *, withdrawn: bool) -> Paper.Status:
    """The status of a paper: ``notices`` are those about it, ``withdrawn`` what its versions and sources say."""
    taken_back = _last(notices, "reinstatement")
    stands = taken_back is not None and taken_back >= (_last(notices, "retraction") or dt.date.min)
    if not stands and (any(record.retracted for record in records) or any(one.kind == "retraction" for one in notices)):
        return Paper.Status.RETRACTED
    if withdrawn or any(one.kind in ("withdrawal", "removal") for one in notices):
        return Paper.Status.WITHDRAWN
    return Paper.Status.CURRENT


def write_notices(
    cursor: CursorWrapper, told: Mapping[int, Sequence[NoticeRow]], *, new: Collection[int]
) -> set[tuple[int, str]]:
    """Write what the records of these papers tell. Returns who tells something else now, and of which DOI."""
    known: dict[tuple[int, NoticeRow], int] = {}
    standing_papers = [paper_id for paper_id in told if paper_id not in new]
    if standing_papers:
        cursor.execute(
            "SELECT id, paper_id, kind, work, notice, day, precision, asserted_by FROM papers_notice"
            " WHERE paper_id = ANY(%s)",
            [standing_papers],
        )
        known = {(paper_id, NoticeRow(*values)): row_id for row_id, paper_id, *values in cursor.fetchall()}
    wanted = {(paper_id, row) for paper_id, rows in told.items() for row in rows}
    gone = known.keys() - wanted
    added = sorted(wanted - known.keys(), key=repr)
    delete_rows(cursor, "papers_notice", [known[key] for key in gone])
    copy_rows(cursor, "papers_notice", NOTICE_COLUMNS, [(paper_id, *row) for paper_id, row in added])
    return {(paper_id, row.work) for paper_id, row in (*gone, *added)}


def papers_told_of(cursor: CursorWrapper, told: Collection[tuple[int, str]]) -> list[int]:
    """The papers of which others tell something: ``told`` are tellers and the DOIs that they tell of."""
    if not told:
        return []
    dois = {doi for _, doi in told}
    arxiv_ids = [doi.removeprefix(_ARXIV_DOI) for doi in dois if doi.startswith(_ARXIV_DOI)]
    cursor.execute(
        "SELECT coalesce(paper.redirect_to_id, paper.id), named.scheme, named.value"
        " FROM papers_paperidentifier AS named JOIN papers_paper AS paper ON paper.id = named.paper_id"
        " WHERE (named.scheme = 'doi' AND named.value = ANY(%s)) OR (named.scheme = 'arxiv' AND named.value = ANY(%s))",
        [list(dois), arxiv_ids],
    )
    owners: defaultdict[str, set[int]] = defaultdict(set)
    for paper_id, scheme, value in cursor.fetchall():
        owners[value if scheme == "doi" else f"{_ARXIV_DOI}{value}"].add(paper_id)
    return sorted({owner for teller, doi in told for owner in owners[doi] if owner != teller})


def _row(notice: NoticeRecord) -> NoticeRow:
    date: PartialDate | None = notice.date
    return NoticeRow(
        notice.kind,
        notice.work,
        notice.notice,
        date.first_day if date else None,
        date.precision if date else "day",
        notice.asserted_by,
    )


def _last(notices: Sequence[NoticeRow], kind: str) -> dt.date | None:
    """The day of the last notice of a kind; the first of all days where none is dated; ``None`` where there is none."""
    days = [one.day or dt.date.min for one in notices if one.kind == kind]
    return max(days, default=None)
