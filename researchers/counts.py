"""The number of papers of a researcher, kept beside them."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection


def recount_papers(roots: Iterable[int]) -> None:
    """Count the papers shown under these roots, in one statement; merged researchers have none of their own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE researchers_researcher AS kept SET paper_count = counted.papers, updated_at = now()"
            " FROM (SELECT wanted.id, count(shown.id) AS papers FROM unnest(%s::bigint[]) AS wanted(id)"
            " LEFT JOIN researchers_attribution AS shown ON shown.root_id = wanted.id GROUP BY wanted.id) AS counted"
            " WHERE kept.id = counted.id AND kept.paper_count <> counted.papers",
            [sorted(set(roots))],
        )
