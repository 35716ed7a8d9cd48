"""Where a person published: journals, proceedings and books, as the sources name them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from papers.keyset import Cursor, KeysetPage, Place, page_of
from researchers.services.profile.ranking import ROWS_A_PAGE, away, beyond, cursor_values

_STATEMENT = """
WITH tally AS MATERIALIZED (
  SELECT mode() WITHIN GROUP (ORDER BY paper.venue) AS name, count(*) AS papers, max(paper.id) AS newest,
         min(dated.year) AS first_year, max(dated.year) AS last_year
  FROM researchers_attribution AS shown
  JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL
  CROSS JOIN LATERAL (
    SELECT CASE WHEN paper.sort_date > '0001-01-01' THEN extract(year FROM paper.sort_date)::int END AS year
  ) AS dated
  WHERE shown.root_id = %(root)s AND paper.venue <> ''
  GROUP BY lower(paper.venue)
)
SELECT (SELECT count(*) FROM tally), name, papers, newest, first_year, last_year
FROM tally WHERE {beyond} ORDER BY {order} LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Venue:
    """A venue with the papers there and the years of the first and the last."""

    name: str
    papers: int
    newest: int
    """The number of their newest paper there."""
    first_year: int | None
    last_year: int | None


@dataclass(frozen=True, slots=True)
class VenuePage:
    """One page of venues, most papers first."""

    page: KeysetPage[Venue]
    total: int


def read_venues(root: int, *, place: Place, size: int = ROWS_A_PAGE) -> VenuePage:
    """One page of a root's venues in one statement. Names that differ only in case are one venue.

    A page read backwards that comes out empty is the first page.
    """
    statement = _STATEMENT.format(beyond=beyond(place, "papers", "newest"), order=away(place, "papers", "newest"))
    with connection.cursor() as cursor:
        cursor.execute(statement, {"root": root, "limit": size + 1, **cursor_values(place)})
        rows = cursor.fetchall()
    if place.before is not None and not rows:
        return read_venues(root, place=Place(), size=size)
    venues = [Venue(*row[1:]) for row in rows]
    page = page_of(venues, place=place, size=size, cursor_of=lambda venue: Cursor(venue.papers, venue.newest))
    return VenuePage(page, rows[0][0] if rows else 0)
