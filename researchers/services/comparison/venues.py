"""Venues that those compared have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection
from psycopg import sql

from researchers.services.comparison.folding import folded


@dataclass(frozen=True, slots=True)
class SharedVenue:
    """A venue where several of those compared published; ``counts`` are the papers of each, in their order."""

    name: str
    counts: tuple[int, ...]


def shared_venues(ids: Sequence[int], *, most: int) -> tuple[SharedVenue, ...]:
    """The venues of at least two of them, those with most papers first, in one statement."""
    statement = sql.SQL(
        "SELECT min(paper.venue), array_agg(shown.root_id) FROM researchers_attribution AS shown"
        " JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL"
        " AND paper.venue <> '' WHERE shown.root_id = ANY(%s) GROUP BY {folded}"
        " HAVING count(DISTINCT shown.root_id) > 1 ORDER BY count(*) DESC, 1 LIMIT %s"
    ).format(folded=folded(sql.Identifier("paper", "venue")))
    with connection.cursor() as cursor:
        cursor.execute(statement, [list(ids), most])
        return tuple(SharedVenue(name, tuple(map(roots.count, ids))) for name, roots in cursor.fetchall())
