"""Searches that are kept: once each, however they are written."""

from __future__ import annotations

import pytest

from accounts.models import Follow, SavedSearch, User
from accounts.searches import key_of, normalise_query
from accounts.services import saved_searches
from accounts.services.errors import SearchRefused
from accounts.services.follows import Target, follow
from accounts.services.saved_searches import remove_search, save_search


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("q=loom", "q=loom"),
        ("?q=loom&sort=newest&page=3", "q=loom"),
        ("q=++warp++and%20weft+", "q=warp+and+weft"),
        ("year_from=2019&category=cs.CL&q=", "category=cs.CL&year_from=2019"),
        ("q=a&q=b", "q=b"),
        ("utm_source=mail&q=loom%00", "q=loom"),
        ("sort=newest", ""),
        ("", ""),
        ("q=" + "x" * 3000, "q=" + "x" * 1000),
    ],
)
def test_one_way_of_writing(given: str, expected: str) -> None:
    assert normalise_query(given) == expected
    assert normalise_query(expected) == expected


def test_capitals_make_no_difference_but_for_the_word_or() -> None:
    assert key_of("q=Loom") == key_of("q=loom")
    assert key_of("q=warp+OR+weft") != key_of("q=warp+or+weft")
    assert key_of("q=loom") != key_of("q=looms")


@pytest.mark.django_db
class TestSaving:
    @pytest.fixture
    def user(self) -> User:
        return User.objects.create_user("ada@papers.test")

    def test_it_is_kept_once(self, user: User) -> None:
        first = save_search(user=user, query="q=Warp+looms&kind=article&sort=newest")
        again = save_search(user=user, query="kind=article&q=warp++looms", name=" Looms ")
        other = User.objects.create_user("bo@papers.test")
        save_search(user=other, query="q=Warp+looms&kind=article")
        assert (first.pk, first.name, again.name) == (again.pk, "Warp looms · article", "Looms")
        assert first.get_absolute_url() == "/search?kind=article&q=Warp+looms"
        assert SavedSearch.objects.count() == 2

    def test_one_that_asks_nothing_is_refused(self, user: User) -> None:
        with pytest.raises(SearchRefused, match="asks nothing"):
            save_search(user=user, query="sort=newest", name="All")

    def test_there_is_an_end(self, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(saved_searches, "MOST_SEARCHES", 1)
        save_search(user=user, query="q=loom")
        save_search(user=user, query="q=LOOM")
        with pytest.raises(SearchRefused, match="at most 1"):
            save_search(user=user, query="q=shuttle")

    def test_removing_ceases_to_follow_and_is_only_ones_own(self, user: User) -> None:
        other = User.objects.create_user("bo@papers.test")
        search = save_search(user=user, query="q=loom")
        follow(user=user, target=Target.read("saved_search", search.pk))
        assert remove_search(user=other, search=search.pk) is False
        assert remove_search(user=user, search=search.pk) is True
        assert remove_search(user=user, search=search.pk) is False
        assert not Follow.objects.exists()
