"""With whom a person wrote: as a list, and as the company that a drawing shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection

from papers.keyset import Cursor, Key, KeysetPage, Place, page_of
from researchers.models import Researcher
from researchers.services.profile.ranking import ROWS_A_PAGE, away, beyond, cursor_values

MOST_PLACES = 40_000
"""Author places that are counted over: the papers with the fewest authors first. Keeps a member of a collaboration that
puts three thousand names on every paper as cheap as anybody; to be one of so many tells little."""
MOST_DRAWN = 36


@dataclass(frozen=True, slots=True)
class Coauthor:
    """Somebody they wrote with; the years are those of the first and the last paper, ``None`` without any date."""

    id: int
    name: str
    url: str
    papers: int
    first_year: int | None
    last_year: int | None


@dataclass(frozen=True, slots=True)
class Scope:
    """Over which papers co-authors were counted."""

    total: int = 0
    """Everybody they wrote with."""
    papers: int = 0
    counted: int = 0
    """Papers counted over."""
    longest: int = 0
    """The most authors that a paper counted has."""

    @property
    def is_whole(self) -> bool:
        """Whether every paper was counted."""
        return self.counted == self.papers


@dataclass(frozen=True, slots=True)
class CoauthorPage:
    """One page of co-authors, most papers together first."""

    page: KeysetPage[Coauthor]
    scope: Scope


@dataclass(frozen=True, slots=True)
class Companion:
    """A co-author in the drawing, with the papers of the person on which they stand."""

    coauthor: Coauthor
    papers: frozenset[int]


@dataclass(frozen=True, slots=True)
class Company:
    """The closest co-authors, closest first, at most ``MOST_DRAWN``."""

    companions: tuple[Companion, ...] = ()
    scope: Scope = Scope()

    @property
    def links(self) -> dict[tuple[int, int], int]:
        """How many of the person's papers two of them share, by their places in ``companions``, the lower first."""
        shared = {}
        # As numbers whose bits are papers: two thousand sets to intersect would take longer than the query.
        bits = {paper: 1 << place for place, paper in enumerate(set().union(*(one.papers for one in self.companions)))}
        masks = [sum(bits[paper] for paper in one.papers) for one in self.companions]
        for second, mask in enumerate(masks):
            for first in range(second):
                if both := (masks[first] & mask).bit_count():
                    shared[first, second] = both
        return shared


_COUNTED = """
WITH mine AS MATERIALIZED (
  SELECT shown.paper_id, paper.author_count AS authors,
         CASE WHEN paper.sort_date > '0001-01-01' THEN extract(year FROM paper.sort_date)::int END AS year,
         sum(paper.author_count) OVER (ORDER BY paper.author_count, paper.id) AS places
  FROM researchers_attribution AS shown
  JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL
  WHERE shown.root_id = %(root)s
), counted AS MATERIALIZED (
  SELECT * FROM mine WHERE places - authors < %(most)s
), scope AS (
  SELECT (SELECT count(*) FROM mine) AS papers, count(*) AS counted, coalesce(max(authors), 0) AS longest FROM counted
), tally AS MATERIALIZED (
  SELECT other.root_id AS id, count(*) AS papers, min(counted.year) AS first_year, max(counted.year) AS last_year,
         sum(1.0 / greatest(counted.authors - 1, 1)) AS closeness{more}
  FROM counted JOIN researchers_attribution AS other ON other.paper_id = counted.paper_id
  WHERE other.root_id <> %(root)s
  GROUP BY other.root_id
)"""
_COLUMNS = "person.id, person.display_name, person.slug, tally.papers, tally.first_year, tally.last_year"
# The scope comes with every row, and once without any where there is no co-author.
_PAGE = """{counted}
SELECT (SELECT count(*) FROM tally), scope.papers, scope.counted, scope.longest, listed.*
FROM scope LEFT JOIN LATERAL (
  SELECT {columns}
  FROM tally JOIN researchers_researcher AS person ON person.id = tally.id AND person.erased_at IS NULL
  WHERE {condition} ORDER BY {order} LIMIT %(limit)s
) AS listed ON true"""


def read_coauthors(root: int, *, place: Place, size: int = ROWS_A_PAGE) -> CoauthorPage:
    """One page of a root's co-authors in one statement. Erased people are counted and not named.

    A page read backwards that comes out empty is the first page.
    """
    statement = _PAGE.format(
        counted=_COUNTED.format(more=""),
        columns=_COLUMNS,
        condition=beyond(place, "tally.papers", "tally.id"),
        order=away(place, "tally.papers", "tally.id"),
    )
    rows = _rows(statement, {"root": root, "most": MOST_PLACES, "limit": size + 1, **cursor_values(place)})
    named = [_coauthor(*row[4:]) for row in rows if row[4] is not None]
    if place.before is not None and not named:
        return read_coauthors(root, place=Place(), size=size)
    page = page_of(named, place=place, size=size, cursor_of=lambda one: Cursor(one.papers, one.id))
    return CoauthorPage(page, Scope(*rows[0][:4]))


def read_company(root: int) -> Company:
    """The co-authors with the most papers together, in one statement; among equals, those with fewer others on them."""
    statement = _PAGE.format(
        counted=_COUNTED.format(more=", array_agg(counted.paper_id) AS together"),
        columns=f"{_COLUMNS}, tally.together",
        condition="true",
        order="tally.papers DESC, tally.closeness DESC, tally.id",
    )
    rows = _rows(statement, {"root": root, "most": MOST_PLACES, "limit": MOST_DRAWN})
    companions = tuple(Companion(_coauthor(*row[4:10]), frozenset(row[10])) for row in rows if row[4] is not None)
    return Company(companions, Scope(*rows[0][:4]))


def _rows(statement: str, values: Mapping[str, Key]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


def _coauthor(
    number: int, name: str, slug: str, papers: int, first_year: int | None, last_year: int | None
) -> Coauthor:
    url = Researcher(pk=number, slug=slug).get_absolute_url()
    return Coauthor(number, name, url, papers, first_year, last_year)
