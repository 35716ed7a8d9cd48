"""Researchers side by side: what they have in common, and what not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import connection

from papers.models import Paper
from papers.querysets import NOT_IN_A_LIST
from researchers.former_names import FormerNames
from researchers.models import Researcher, ResearcherIdentifier, ResearcherName
from wovepaper.lib import orcid

MOST_COMPARED = 4
MOST_SHARED = 30
MOST_NAMES = 20
MOST_AFFILIATIONS = 12
LONGEST_AFFILIATION = 300
RECENT_PAPERS = 5
MOST_AUTHORS = 100
"""A paper with more authors says little of who knows whom: its authors are not counted as shared co-authors."""


@dataclass(frozen=True, slots=True)
class DatedAffiliation:
    """An affiliation with the years of the papers that print it."""

    text: str
    first_year: int | None
    last_year: int | None


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


@dataclass(frozen=True, slots=True)
class SharedPerson:
    """A co-author of several of those compared; ``papers`` with each, in the order of the columns."""

    id: int
    name: str
    url: str
    papers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SharedVenue:
    """A venue where several of those compared published; ``papers`` of each, in the order of the columns."""

    name: str
    papers: tuple[int, ...]


@dataclass(slots=True)
class Column:
    """One of those compared."""

    researcher: Researcher
    names: list[str] = field(default_factory=list)
    orcids: list[str] = field(default_factory=list)
    affiliations: list[DatedAffiliation] = field(default_factory=list)
    years: list[YearCount] = field(default_factory=list)
    papers: list[Paper] = field(default_factory=list)

    @property
    def orcid_addresses(self) -> list[tuple[str, str]]:
        """Each ORCID with its address, or an empty one where it is invented."""
        return [(value, orcid.address(value)) for value in self.orcids]

    @property
    def years_in_words(self) -> str:
        """``2019: 2, 2021: 1``: the strip for who does not see it."""
        return ", ".join(f"{one.year}: {one.papers}" for one in self.years if one.papers)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The columns in the order asked for, and what they share."""

    columns: list[Column]
    co_authors: list[SharedPerson]
    venues: list[SharedVenue]


def compare(roots: Sequence[Researcher]) -> Comparison:
    """Put two to four roots side by side, in eight queries. Hidden names are left out."""
    columns = {one.pk: Column(one) for one in roots}
    ids = list(columns)
    names = ResearcherName.objects.filter(researcher__root__in=ids).order_by("pk")
    shown = list(names.values_list("researcher__root", "value", "visibility"))
    hidden: defaultdict[int, list[str]] = defaultdict(list)
    for root, value, state in shown:
        if state == ResearcherName.Visibility.HIDDEN:
            hidden[root].append(value)
    former = {one.pk: FormerNames.of(hidden[one.pk], shown=one.display_name) for one in roots}
    for root, value, _ in shown:
        own = columns[root].names
        if not former[root].hide(value) and value not in own and len(own) < MOST_NAMES:
            own.append(value)
    trusted = ResearcherIdentifier.objects.filter(researcher__root__in=ids, scheme="orcid", state="trusted")
    for root, value in trusted.order_by("value").values_list("researcher__root", "value"):
        columns[root].orcids.append(value)
    for root, affiliation in _affiliations(ids):
        columns[root].affiliations.append(affiliation)
    _add_years(columns)
    _add_papers(columns)
    return Comparison(list(columns.values()), _shared_co_authors(ids), _shared_venues(ids))


def _affiliations(ids: Sequence[int]) -> list[tuple[int, DatedAffiliation]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT root, text, first, last FROM (SELECT grouped.*, row_number() OVER (PARTITION BY root"
            " ORDER BY last DESC NULLS LAST, papers DESC, text) AS place FROM ("
            " SELECT shown.root_id AS root, left(printed.text, %s) AS text, min(dated.year) AS first,"
            " max(dated.year) AS last, count(*) AS papers FROM researchers_attribution AS shown"
            " JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL"
            " JOIN papers_affiliation AS printed ON printed.authorship_id = shown.authorship_id"
            " CROSS JOIN LATERAL (SELECT extract(year FROM paper.published_on)::int AS year) AS dated"
            " WHERE shown.root_id = ANY(%s) GROUP BY 1, 2) AS grouped) AS placed"
            " WHERE place <= %s ORDER BY root, place",
            [LONGEST_AFFILIATION, list(ids), MOST_AFFILIATIONS],
        )
        return [(root, DatedAffiliation(text, first, last)) for root, text, first, last in cursor.fetchall()]


def _add_years(columns: dict[int, Column]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT shown.root_id, extract(year FROM paper.published_on)::int AS year, count(*)"
            " FROM researchers_attribution AS shown JOIN papers_paper AS paper ON paper.id = shown.paper_id"
            " AND paper.redirect_to_id IS NULL AND paper.published_on IS NOT NULL"
            " WHERE shown.root_id = ANY(%s) GROUP BY 1, 2 ORDER BY 1, 2",
            [list(columns)],
        )
        counted: dict[int, dict[int, int]] = defaultdict(dict)
        for root, year, papers in cursor.fetchall():
            counted[root][year] = papers
    years = {year for own in counted.values() for year in own}
    if not years:
        return
    most = max(papers for own in counted.values() for papers in own.values())
    for root, column in columns.items():
        own = counted.get(root, {})
        column.years = [
            YearCount(year, own.get(year, 0), round(100 * own.get(year, 0) / most))
            for year in range(min(years), max(years) + 1)
        ]


def _add_papers(columns: dict[int, Column]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT wanted.id, latest.id FROM unnest(%s::bigint[]) AS wanted(id) CROSS JOIN LATERAL ("
            " SELECT paper.id, paper.sort_date FROM researchers_attribution AS shown"
            " JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL"
            " WHERE shown.root_id = wanted.id ORDER BY paper.sort_date DESC, paper.id DESC LIMIT %s"
            ") AS latest ORDER BY wanted.id, latest.sort_date DESC, latest.id DESC",
            [list(columns), RECENT_PAPERS],
        )
        rows = cursor.fetchall()
    # Without author names: one of them may be hidden.
    papers = Paper.objects.defer(*NOT_IN_A_LIST).in_bulk({paper for _, paper in rows})
    for root, paper in rows:
        columns[root].papers.append(papers[paper])


def _shared_co_authors(ids: Sequence[int]) -> list[SharedPerson]:
    """Those on papers of at least two of them, who are none of them; the rarest first, whom few can share by chance."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT person.id, person.display_name, person.slug, counted.papers FROM ("
            " SELECT other.root_id AS person, array_agg(mine.root_id) AS papers"
            " FROM researchers_attribution AS mine JOIN papers_paper AS paper ON paper.id = mine.paper_id"
            " AND paper.redirect_to_id IS NULL AND paper.author_count <= %s"
            " JOIN researchers_attribution AS other ON other.paper_id = mine.paper_id AND other.root_id <> mine.root_id"
            " WHERE mine.root_id = ANY(%s) AND other.root_id <> ALL(%s)"
            " GROUP BY 1 HAVING count(DISTINCT mine.root_id) > 1) AS counted"
            " JOIN researchers_researcher AS person ON person.id = counted.person AND person.erased_at IS NULL"
            " ORDER BY person.paper_count, person.id LIMIT %s",
            [MOST_AUTHORS, list(ids), list(ids), MOST_SHARED],
        )
        return [
            SharedPerson(
                id=number,
                name=name,
                url=Researcher(pk=number, slug=slug).get_absolute_url(),
                papers=tuple(papers.count(one) for one in ids),
            )
            for number, name, slug, papers in cursor.fetchall()
        ]


def _shared_venues(ids: Sequence[int]) -> list[SharedVenue]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT min(paper.venue), array_agg(shown.root_id) FROM researchers_attribution AS shown"
            " JOIN papers_paper AS paper ON paper.id = shown.paper_id AND paper.redirect_to_id IS NULL"
            " AND paper.venue <> '' WHERE shown.root_id = ANY(%s) GROUP BY lower(paper.venue)"
            " HAVING count(DISTINCT shown.root_id) > 1 ORDER BY count(*) DESC, 1 LIMIT %s",
            [list(ids), MOST_SHARED],
        )
        return [SharedVenue(name, tuple(papers.count(one) for one in ids)) for name, papers in cursor.fetchall()]
