"""How often papers are cited, where a source says so beside its records; what records say, ingest writes itself."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django.db import connection, transaction

from papers.services.ingest.citations import show_counts
from papers.services.ingest.lock import lock_writers


@transaction.atomic
def record_citation_counts(*, source: str, counts: Mapping[int, int], as_of: dt.date) -> set[int]:
    """Note what ``source`` counts for papers on the day ``as_of``; what it said of a later day stands.

    A record of that source with a count of its own, once it changes, goes before what is noted here.

    A paper shows the largest count any source gives: every source misses citations, and none counts one twice. Returns
    the papers that came to show another count; they wait for the search index. Numbers of no paper are passed over.
    Raises ``ValueError`` for a negative count.
    """
    if any(count < 0 for count in counts.values()):
        raise ValueError("A paper cannot be cited less than 0 times.")
    if not counts:
        return set()
    lock_writers()
    papers = sorted(counts)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO papers_papermetric AS kept (paper_id, source, cited_by_count, as_of)"
            " SELECT given.paper, %s, given.counted, %s"
            " FROM unnest(%s::bigint[], %s::integer[]) AS given(paper, counted)"
            " JOIN papers_paper AS paper ON paper.id = given.paper"
            " ON CONFLICT (paper_id, source) DO UPDATE SET cited_by_count = excluded.cited_by_count,"
            " as_of = excluded.as_of WHERE excluded.as_of >= kept.as_of",
            [source, as_of, papers, [counts[paper] for paper in papers]],
        )
        return show_counts(cursor, papers)
