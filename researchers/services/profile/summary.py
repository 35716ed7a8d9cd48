"""How the papers of a person divide: by place in the author list, field, year, kind and printed name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import connection

PLACES = {"first": "First", "middle": "Middle", "last": "Last", "single": "Single"}
UNCLASSIFIED = "none"
"""The field of papers that no source classified."""


@dataclass(frozen=True, slots=True)
class Bar:
    """So many papers of one sort; ``percent`` of all that are known, rounded, at least 1."""

    key: str
    label: str
    count: int
    percent: int


@dataclass(frozen=True, slots=True)
class YearBar:
    """The papers of one year; years between the first and the last are there with none."""

    year: int
    count: int


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over all papers shown under the person."""

    total: int = 0
    places: tuple[Bar, ...] = ()
    """Where they stand in author lists, in the order first, middle, last, single; empty sorts are left out."""
    places_known: int = 0
    fields: tuple[Bar, ...] = ()
    """By primary category, the most papers first."""
    years: tuple[YearBar, ...] = ()
    undated: int = 0
    kinds: tuple[tuple[str, int], ...] = ()
    printed: tuple[tuple[str, int], ...] = field(default=(), repr=False)
    """The names that the papers print, hidden ones among them, the most papers first."""
    with_venue: int = 0
    invented: int = 0
    """Papers of the demo catalogue."""

    @property
    def is_invented(self) -> bool:
        """Whether the person exists in the demo catalogue only."""
        return self.invented > 0


_STATEMENT = """
WITH paper AS (
  SELECT CASE
           WHEN paper.author_count < author.position THEN 'unknown'
           WHEN paper.author_count = 1 THEN 'single'
           WHEN author.position = 1 THEN 'first'
           WHEN author.position = paper.author_count THEN 'last'
           ELSE 'middle'
         END AS place,
         coalesce(paper.primary_category_id, '') AS code,
         CASE WHEN paper.sort_date > '0001-01-01' THEN extract(year FROM paper.sort_date)::int ELSE 0 END AS year,
         paper.kind, author.name AS printed, (paper.venue <> '')::text AS venue, paper.is_demo::text AS demo
  FROM researchers_attribution AS shown
  JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL
  JOIN papers_authorship AS author ON author.id = shown.authorship_id
  WHERE shown.root_id = %s
), tally AS (
  SELECT grouping(place, code, year, kind, printed, venue, demo) AS sort,
         coalesce(place, code, year::text, kind, printed, venue, demo) AS value, count(*) AS papers
  FROM paper
  GROUP BY GROUPING SETS ((place), (code), (year), (kind), (printed), (venue), (demo))
)
SELECT tally.sort, tally.value, tally.papers, category.name
FROM tally LEFT JOIN papers_category AS category ON tally.sort = 95 AND category.code = tally.value
ORDER BY tally.papers DESC, tally.value
"""
# ``grouping`` sets a bit for each column that is not grouped by, the first column being the highest of seven.
_SORTS = {
    127 - (1 << bit): name for bit, name in enumerate(("demo", "venue", "printed", "kind", "year", "code", "place"))
}


def read_summary(root: int) -> Summary:
    """Everything countable about the papers of a root, in one statement over them."""
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT, [root])
        rows = cursor.fetchall()
    found: dict[str, list[tuple[str, int, str | None]]] = {name: [] for name in _SORTS.values()}
    for sort, value, papers, name in rows:
        found[_SORTS[sort]].append((value, papers, name))
    total = sum(papers for _, papers, _ in found["kind"])
    places = {value: papers for value, papers, _ in found["place"] if value != "unknown"}
    years = {int(value): papers for value, papers, _ in found["year"]}
    undated = years.pop(0, 0)
    span = range(min(years), max(years) + 1) if years else ()
    known = sum(places.values())
    called = Counter(name for _, _, name in found["code"])
    return Summary(
        total=total,
        places=tuple(
            Bar(place, label, places[place], _percent(places[place], known))
            for place, label in PLACES.items()
            if place in places
        ),
        places_known=known,
        fields=tuple(
            Bar(value or UNCLASSIFIED, _field_label(value, name, called), papers, _percent(papers, total))
            for value, papers, name in found["code"]
        ),
        years=tuple(YearBar(year, years.get(year, 0)) for year in span),
        undated=undated,
        kinds=tuple((value, papers) for value, papers, _ in found["kind"]),
        printed=tuple((value, papers) for value, papers, _ in found["printed"]),
        with_venue=sum(papers for value, papers, _ in found["venue"] if value == "true"),
        invented=sum(papers for value, papers, _ in found["demo"] if value == "true"),
    )


def _field_label(code: str, name: str | None, called: Mapping[str | None, int]) -> str:
    """The category's name, with its code where another has the same: cs.LG and stat.ML are both Machine Learning."""
    if not code:
        return "Not classified"
    return name if name and called[name] == 1 else f"{name or ''} ({code})".strip()


def _percent(part: int, whole: int) -> int:
    return max(1, round(100 * part / whole))
