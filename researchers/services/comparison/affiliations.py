"""The affiliations that the papers of those compared print, with their years."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.db import connection
from psycopg import sql

from researchers.services.comparison.folding import folded

LONGEST_AFFILIATION = 300
"""Characters; what is longer is cut."""


@dataclass(frozen=True, slots=True)
class DatedAffiliation:
    """An affiliation with the years of the papers that print it. ``shared``: others of those compared have it, too."""

    text: str
    first_year: int | None
    last_year: int | None
    papers: int
    shared: bool


@dataclass(frozen=True, slots=True)
class DatedAffiliations:
    """The first of one researcher, and how many more there are."""

    shown: tuple[DatedAffiliation, ...] = ()
    more: int = 0


_FIRST = {
    "latest": sql.SQL("last DESC NULLS LAST, papers DESC, text"),
    "most": sql.SQL("papers DESC, first, text"),
}


def affiliations_of(ids: Sequence[int], *, first: Literal["latest", "most"], most: int) -> dict[int, DatedAffiliations]:
    """``most`` affiliations of each: the latest first, or those that most papers print. One statement."""
    statement = sql.SQL(
        "SELECT root, text, first, last, papers, shared, found FROM (SELECT grouped.*,"
        " min(root) OVER (PARTITION BY folded) <> max(root) OVER (PARTITION BY folded) AS shared,"
        " count(*) OVER (PARTITION BY root) AS found,"
        " row_number() OVER (PARTITION BY root ORDER BY {order}) AS place FROM ("
        " SELECT shown.root_id AS root, {folded} AS folded, min(left(printed.text, %s)) AS text,"
        " min(dated.year) AS first, max(dated.year) AS last, count(DISTINCT paper.id) AS papers"
        " FROM researchers_attribution AS shown"
        " JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL"
        " JOIN papers_affiliation AS printed ON printed.authorship_id = shown.authorship_id"
        " CROSS JOIN LATERAL (SELECT extract(year FROM paper.published_on)::int AS year) AS dated"
        " WHERE shown.root_id = ANY(%s) GROUP BY 1, 2) AS grouped) AS placed"
        " WHERE place <= %s ORDER BY root, place"
    ).format(order=_FIRST[first], folded=folded(sql.Identifier("printed", "text")))
    shown: dict[int, list[DatedAffiliation]] = {one: [] for one in ids}
    found = dict.fromkeys(ids, 0)
    with connection.cursor() as cursor:
        cursor.execute(statement, [LONGEST_AFFILIATION, list(ids), most])
        for root, *facts, every in cursor.fetchall():
            shown[root].append(DatedAffiliation(*facts))
            found[root] = every
    return {root: DatedAffiliations(tuple(own), found[root] - len(own)) for root, own in shown.items()}
