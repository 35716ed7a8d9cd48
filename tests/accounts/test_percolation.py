"""Saved searches are asked of new papers alone, each question once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from haystack.query import SearchQuerySet

from accounts.models import Notification, PaperEvent
from accounts.percolation import find_among, match_searches
from accounts.pipeline import notify as notify_stage
from accounts.services.saved_searches import save_search
from papers.searching import SearchDown
from tests.accounts.alerting import followed, new_paper, notify, told
from tests.accounts.readers import reader
from tests.factories import CategoryFactory, PaperFactory
from wovepaper.pipeline.registry import StageUnavailable

pytestmark = pytest.mark.django_db


def test_whose_search_finds_it_is_told(index_papers) -> None:
    user, other = reader(), reader("other@papers.test")
    mine = save_search(user=user, query="q=warping+looms", name="Looms")
    followed(user, mine)
    followed(other, save_search(user=other, query="q=shuttles"))
    made, some = new_paper(title="Looms for warping"), new_paper(title="Looms for weaving")
    index_papers()
    notify(made, some)
    assert told(user) == [(made.pk, "new", [f"saved_search:{mine.pk}"])]
    assert told(other) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=loom", {"a", "b"}),
        ("q=%22hand+loom%22", {"a"}),
        ("q=loom+-hand", {"b"}),
        ("q=hand+OR+power", {"a", "b"}),
        ("q=author:Treadle", {"b"}),
        ("q=cat:cs.LG", {"b"}),
        ("category=cs.LG", {"b"}),
        ("category=cs.LG&q=hand", set()),
        ("kind=article", set()),
        ("kind=preprint", {"a", "b"}),
        ("year=2021", {"a", "b"}),
        ("year=2019", set()),
        ("q=nothing+of+the+kind", set()),
        ("q=%22", {"a", "b"}),
        ('kind=x" OR kind:"preprint', set()),
    ],
)
def test_what_each_way_of_asking_finds(index_papers, query: str, found: set[str]) -> None:
    papers = {
        "a": PaperFactory(title="The hand loom", published_on="2021-03-04"),
        "b": PaperFactory(
            title="The power loom", published_on="2021-03-05", authors=["Ida Treadle"],
            primary_category=CategoryFactory(code="cs.LG"),
        ),
    }  # fmt: skip
    PaperFactory(title="An older hand and power loom")
    index_papers()
    numbers = {paper.pk: name for name, paper in papers.items()}
    assert {numbers[pk] for pk in find_among(query, list(numbers))} == found


def test_what_rests_or_is_not_followed_is_not_asked(index_papers, monkeypatch) -> None:
    made = new_paper(title="Looms")
    index_papers()
    user = reader()
    save_search(user=user, query="q=loom")
    assert match_searches({made.pk}) == []
    followed(user, save_search(user=user, query="q=looms"), paused_at=made.created_at)
    assert match_searches({made.pk}) == []


def test_the_same_question_of_many_readers_is_asked_once(index_papers, monkeypatch) -> None:
    made = [new_paper(title="Looms") for _ in range(3)]
    index_papers()
    asked = []
    models = SearchQuerySet.models
    monkeypatch.setattr(SearchQuerySet, "models", lambda self, *args: asked.append(1) or models(self, *args))
    for number in range(4):
        user = reader(f"r{number}@papers.test")
        followed(user, save_search(user=user, query="q=loom" if number else "q=LOOM&sort=newest"))
    with CaptureQueriesContext(connection) as queries:
        assert notify(*made) == 12
    assert len(asked) == 1
    assert len(queries) <= 5


def test_while_the_search_does_not_answer_all_wait_and_nothing_is_noted(monkeypatch) -> None:
    user, made = reader(), new_paper()
    followed(user, save_search(user=user, query="q=loom"))
    followed(user, made.primary_category)

    def die(self: object, index: object) -> None:
        raise OSError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(SearchQuerySet, "__getitem__", die)
        with pytest.raises(StageUnavailable, match="The search engine did not answer"):
            notify_stage([made.pk])
        with pytest.raises(SearchDown):
            find_among("q=loom", [made.pk])
    assert (PaperEvent.objects.count(), Notification.objects.count()) == (0, 0)
