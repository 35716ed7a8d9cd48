"""How often papers are cited: from what records say to one count of each source, and the one that is shown.

Of several records of one source (a preprint's and its article's) the largest count stands: who cites both would else
be counted twice. The same between sources, of which every one misses citations.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db.backends.utils import CursorWrapper

from papers.changes import announce_changes
from papers.sources.records import PaperRecord
from wovepaper.pipeline.services import enqueue


class Counted(NamedTuple):
    """A count of one source. Of two the larger is the one to show: by count, then by day."""

    cited_by: int
    as_of: dt.date
    source: str


NOT_COUNTED = (None, "", None)
"""The columns of a paper that no source has a count for."""
CITATION_COLUMNS = ("citation_count", "citation_source", "cited_as_of")


def count_new(records: Iterable[PaperRecord], today: dt.date) -> list[Counted]:
    """What each source counts for a paper of which these are all records, the one to show first."""
    best: dict[str, Counted] = {}
    for record in records:
        if record.citations is None:
            continue
        given = Counted(record.citations.count, record.citations.as_of or today, record.source)
        best[given.source] = max(given, best.get(given.source, given))
    return sorted(best.values(), key=lambda one: (-one.cited_by, -one.as_of.toordinal(), one.source))


def settle_counts(cursor: CursorWrapper, pairs: Collection[tuple[int, str]]) -> set[int]:
    """Bring the counts of these papers, each with one source, to what the source's records say, and show the largest.

    Returns the papers that came to show another count; they wait for the search index, and for nothing before it.
    """
    if not pairs:
        return set()
    cursor.execute(
        "WITH given AS (SELECT * FROM unnest(%s::bigint[], %s::text[]) AS given(paper_id, source)),"
        " best AS (SELECT DISTINCT ON (record.paper_id, record.source)"
        "  record.paper_id, record.source, record.cited_by_count, record.counted_on"
        "  FROM papers_sourcerecord AS record JOIN given USING (paper_id, source)"
        "  WHERE record.cited_by_count IS NOT NULL"
        "  ORDER BY record.paper_id, record.source, record.cited_by_count DESC, record.counted_on DESC),"
        " gone AS (DELETE FROM papers_papermetric AS kept USING given"
        "  WHERE kept.paper_id = given.paper_id AND kept.source = given.source AND NOT EXISTS"
        "  (SELECT FROM best WHERE best.paper_id = given.paper_id AND best.source = given.source))"
        " INSERT INTO papers_papermetric AS kept (paper_id, source, cited_by_count, as_of) SELECT * FROM best"
        " ON CONFLICT (paper_id, source) DO UPDATE"
        " SET cited_by_count = excluded.cited_by_count, as_of = excluded.as_of"
        " WHERE (kept.cited_by_count, kept.as_of) IS DISTINCT FROM (excluded.cited_by_count, excluded.as_of)",
        [[paper for paper, _ in pairs], [source for _, source in pairs]],
    )
    return show_counts(cursor, {paper for paper, _ in pairs})


def show_counts(cursor: CursorWrapper, papers: Collection[int]) -> set[int]:
    """Show of each paper the largest count. Returns those whose count changed; they wait for the search index.

    A later day of the same count is written and emits nothing: what was said of the earlier day is still true.
    """
    cursor.execute(
        "WITH best AS (SELECT paper.id, paper.citation_count AS before, counted.source, counted.cited_by_count,"
        "  counted.as_of FROM unnest(%s::bigint[]) AS given(id) JOIN papers_paper AS paper ON paper.id = given.id"
        "  LEFT JOIN LATERAL (SELECT source, cited_by_count, as_of FROM papers_papermetric"
        "   WHERE paper_id = given.id ORDER BY cited_by_count DESC, as_of DESC, source LIMIT 1) AS counted ON true)"
        " UPDATE papers_paper AS shown SET citation_count = best.cited_by_count,"
        " citation_source = coalesce(best.source, ''), cited_as_of = best.as_of, updated_at ="
        " CASE WHEN best.before IS DISTINCT FROM best.cited_by_count THEN now() ELSE shown.updated_at END"
        " FROM best WHERE shown.id = best.id AND (shown.citation_count, shown.citation_source, shown.cited_as_of)"
        " IS DISTINCT FROM (best.cited_by_count, coalesce(best.source, ''), best.as_of)"
        " RETURNING shown.id, best.before IS DISTINCT FROM best.cited_by_count",
        [sorted(papers)],
    )
    changed = {paper for paper, has_changed in cursor.fetchall() if has_changed}
    enqueue(kind="paper", ids=changed, stage="index", reason="citations")
    announce_changes(changed)
    return changed
