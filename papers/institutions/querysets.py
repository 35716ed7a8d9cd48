"""Researchers of institutions, over what hangs on authorships: who is at a place in an author list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Max

from papers.models import Affiliation

MOST_RESEARCHERS = 12


@dataclass(frozen=True, slots=True)
class Person:
    """A researcher with papers from an institution. ``years`` is when the last of them was published."""

    name: str
    url: str
    papers: int
    last_year: int | None


@dataclass(frozen=True, slots=True)
class People:
    """Those whose newest papers name the institution, and those who have moved on; the most papers first."""

    now: tuple[Person, ...] = ()
    before: tuple[Person, ...] = ()
    total: int = 0


def people_of(institution: int) -> People:
    """Who wrote papers at an institution, in one query over its affiliations."""
    rows = (
        Affiliation.objects.filter(
            institution__root=institution,
            authorship__attribution__isnull=False,
            authorship__attribution__root__erased_at=None,
        )
        .order_by()
        .values_list(
            "authorship__attribution__root",
            "authorship__attribution__root__display_name",
            "authorship__attribution__root__slug",
            "authorship__attribution__root__last_year",
        )
        .annotate(papers=Count("authorship__paper", distinct=True), last=Max("authorship__paper__sort_date"))
        .order_by("-papers", "authorship__attribution__root")
    )
    now: list[Person] = []
    before: list[Person] = []
    total = 0
    for number, name, slug, newest, papers, last in rows:
        total += 1
        year = last.year if last and last.year > 1 else None
        group = before if newest and year and year < newest else now
        if len(group) < MOST_RESEARCHERS:
            url = f"/researchers/{number}-{slug}" if slug else f"/researchers/{number}"
            group.append(Person(name, url, papers, year))
    return People(tuple(now), tuple(before), total)


def count_people(institutions: Sequence[int]) -> dict[int, int]:
    """Institution, as it is shown, to the number of researchers with papers from it; those without any are left out."""
    rows = (
        Affiliation.objects.filter(institution__root__in=institutions, authorship__attribution__isnull=False)
        .order_by()
        .values_list("institution__root")
        .annotate(people=Count("authorship__attribution__root", distinct=True))
    )
    return dict(rows)
