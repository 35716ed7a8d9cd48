"""Badges: each figure with what it was counted over."""

from __future__ import annotations

import datetime as dt

import pytest

from accounts.models import User
from papers.models import Paper
from researchers.counts import recount
from researchers.metrics import HERE, Badge, badges
from researchers.models import Researcher, ResearcherMetric
from tests.researchers.people import arrive, merge, paper, place, researcher

pytestmark = pytest.mark.django_db

ALL_PAPERS = "All papers of this portal attributed to them, withdrawn ones included."


def cited(by: Researcher, *counts: int | None) -> Researcher:
    for count in counts:
        made = paper("Ada Weaver")
        Paper.objects.filter(pk=made.pk).update(citation_count=count)
        arrive(by, place(made))
    recount([by.pk])
    by.refresh_from_db()
    return by


def test_figures_counted_here_say_over_how_many_papers() -> None:
    ada = cited(researcher("Ada Weaver"), 4, 2, None)
    assert ada.counted_at is not None
    day = ada.counted_at.date()
    assert badges(ada) == [
        Badge("Papers here", 3, ALL_PAPERS, HERE, day),
        Badge("Citations", 6, "Citations of the papers here with a known citation count (2 of 3).", HERE, day),
        Badge("h-index", 2, "Computed from the papers here with a known citation count (2 of 3).", HERE, day),
    ]


def test_what_is_unknown_is_not_0() -> None:
    papers, citations, h_index = badges(cited(researcher("Ada Weaver"), None))
    assert (papers.value, papers.is_known) == (1, True)
    for badge in (citations, h_index):
        assert (badge.value, badge.is_known) == (None, False)
        assert badge.scope == "No source has given a citation count for any of the papers here."


def test_before_the_first_count() -> None:
    assert [(badge.value, badge.as_of) for badge in badges(researcher("Ada Weaver"))] == [
        (0, None), (None, None), (None, None),
    ]  # fmt: skip


def test_sources_stay_apart_each_with_its_scope(someone: User, django_assert_num_queries) -> None:
    ada, other = researcher("Ada Weaver"), researcher("A. Weaver")
    may, june = dt.date(2026, 5, 1), dt.date(2026, 6, 1)
    ResearcherMetric.objects.create(
        researcher=ada, source="openalex", h_index=3, cited_by_count=40, works_count=9, as_of=may
    )
    ResearcherMetric.objects.create(
        researcher=other, source="openalex", h_index=5, cited_by_count=60, works_count=12, as_of=june
    )
    ResearcherMetric.objects.create(researcher=other, source="s2", h_index=0, as_of=may)
    alone = badges(ada)[3:]
    scope = "Counted by OpenAlex over all works it knows of them, as of 1 May 2026."
    assert alone == [
        Badge("Works", 9, scope, "OpenAlex", may),
        Badge("Citations", 40, scope, "OpenAlex", may),
        Badge("h-index", 3, scope, "OpenAlex", may),
    ]
    merge(other, ada, someone)
    ada.refresh_from_db()
    with django_assert_num_queries(1):
        together = badges(ada)[3:]
    scope = "Counted by OpenAlex over the works of the largest of 2 profiles it keeps of them, as of 1 June 2026."
    assert together == [
        Badge("Works", 12, scope, "OpenAlex", june),
        Badge("Citations", 60, scope, "OpenAlex", june),
        Badge("h-index", 5, scope, "OpenAlex", june),
        Badge(
            "h-index",
            0,
            "Counted by Semantic Scholar over all works it knows of them, as of 1 May 2026.",
            "Semantic Scholar",
            may,
        ),
    ]
