"""The years of the papers of those compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import connection


@dataclass(frozen=True, slots=True)
class YearCount:
    """How many papers are dated in one year, and that as a percentage of the most of anybody in any year."""

    year: int
    papers: int
    percent: int

    @property
    def top(self) -> int:
        """Where its bar begins, in percent from above."""
        return 100 - self.percent


def papers_by_year(ids: Sequence[int]) -> dict[int, dict[int, int]]:
    """How many papers of each are dated in which year, the years rising."""
    counted: dict[int, dict[int, int]] = {one: {} for one in ids}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT shown.root_id, extract(year FROM paper.published_on)::int AS year, count(*)"
            " FROM researchers_attribution AS shown JOIN papers_paper AS paper ON paper.id = shown.paper_id"
            " AND paper.redirect_to_id IS NULL AND paper.published_on IS NOT NULL"
            " WHERE shown.root_id = ANY(%s) GROUP BY 1, 2 ORDER BY 1, 2",
            [list(ids)],
        )
        for root, year, papers in cursor.fetchall():
            counted[root][year] = papers
    return counted


def on_one_scale(counted: Mapping[int, Mapping[int, int]]) -> dict[int, list[YearCount]]:
    """Every year from the first to the last of them all, for each: empty if no paper is dated."""
    years = {year for own in counted.values() for year in own}
    if not years:
        return {root: [] for root in counted}
    most = max(papers for own in counted.values() for papers in own.values())
    return {
        root: [
            YearCount(year, own.get(year, 0), round(100 * own.get(year, 0) / most))
            for year in range(min(years), max(years) + 1)
        ]
        for root, own in counted.items()
    }
