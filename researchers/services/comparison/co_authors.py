"""Co-authors whom those compared have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from researchers.models import Researcher

LARGEST_TEAM = 100
"""A paper with more authors says little of who knows whom, and costs much: nobody is a shared co-author by it."""


@dataclass(frozen=True, slots=True)
class SharedCoAuthor:
    """Somebody who wrote with several of those compared: one researcher, or several of one name.

    ``counts`` are the papers with each of those compared, in their order.
    """

    people: tuple[Researcher, ...]
    """With their numbers, names, slugs and counts of papers only; whoever has most papers first."""
    counts: tuple[int, ...]

    @property
    def name(self) -> str:
        """The one they share."""
        return self.people[0].display_name

    @property
    def url(self) -> str:
        """Of the first of them."""
        return self.people[0].get_absolute_url()

    @property
    def papers(self) -> int:
        """All papers of these people."""
        return sum(one.paper_count for one in self.people)


@dataclass(frozen=True, slots=True)
class SharedCoAuthors:
    """The first of them, and how many more there are."""

    shown: tuple[SharedCoAuthor, ...]
    more: int


def shared_co_authors(ids: Sequence[int], *, most: int) -> SharedCoAuthors:
    """Who wrote with at least two of them and is none of them, in one statement.

    Whoever has the fewest papers comes first: few can share them by chance. Researchers of one name count together,
    since the evidence compares names: perhaps they are one, too.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT place, found, papers, person.id, person.display_name, person.slug, person.paper_count FROM ("
            " SELECT people, named.papers, count(*) OVER () AS found,"
            " row_number() OVER (ORDER BY every.count, people[1]) AS place FROM ("
            " SELECT array_agg(DISTINCT person) AS people, array_agg(DISTINCT ARRAY[own, paper]) AS papers FROM ("
            " SELECT coalesce(nullif(person.slug, ''), person.id::text) AS name, own.root_id AS own,"
            " own.paper_id AS paper, person.id AS person FROM researchers_attribution AS own"
            " JOIN papers_paper AS paper ON paper.id = own.paper_id AND paper.redirect_to_id IS NULL"
            " AND paper.author_count <= %s"
            " JOIN researchers_attribution AS other ON other.paper_id = own.paper_id AND other.root_id <> ALL(%s)"
            " JOIN researchers_researcher AS person ON person.id = other.root_id AND person.erased_at IS NULL"
            " WHERE own.root_id = ANY(%s)) AS written GROUP BY name HAVING count(DISTINCT own) > 1"
            ") AS named CROSS JOIN LATERAL ("
            " SELECT sum(paper_count) FROM researchers_researcher WHERE id = ANY(people)) AS every(count)"
            ") AS ranked JOIN researchers_researcher AS person ON person.id = ANY(people)"
            " WHERE place <= %s ORDER BY place, person.paper_count DESC, person.id",
            [LARGEST_TEAM, list(ids), list(ids), most],
        )
        rows = cursor.fetchall()
    people: dict[int, list[Researcher]] = {}
    counts: dict[int, tuple[int, ...]] = {}
    for place, _, papers, number, name, slug, paper_count in rows:
        bearer = Researcher(pk=number, display_name=name, slug=slug, paper_count=paper_count)
        people.setdefault(place, []).append(bearer)
        if place not in counts:
            with_each = Counter(own for own, _ in papers)
            counts[place] = tuple(with_each[one] for one in ids)
    found = rows[0][1] if rows else 0
    shown = tuple(SharedCoAuthor(tuple(bearers), counts[place]) for place, bearers in people.items())
    return SharedCoAuthors(shown, found - len(shown))
