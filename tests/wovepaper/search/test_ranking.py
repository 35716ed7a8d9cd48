"""Words as a reader types them: what comes first, what is counted, and what meaning changes."""

from __future__ import annotations

import pytest
from haystack.query import SQ, SearchQuerySet

from tests.wovepaper.search.conftest import pks
from tests.wovepaper.search.indexes import paper
from wovepaper.search.inputs import BestMatch
from wovepaper.search.ranking import fuse
from wovepaper.search.services import total_hits


def best(words: str) -> SearchQuerySet:
    return SearchQuerySet().filter(SQ(content=BestMatch(words, title="title")))


@pytest.fixture
def looms(add) -> None:
    add(
        paper(1, title="Warp and weft", abstract="Of shuttles, and of looms that are driven by water."),
        paper(2, title="Shuttles", abstract="Looms. " * 5),
        paper(3, title="Shuttles of power looms", abstract="How they are driven."),
        paper(4, title="Dyes", abstract="Indigo and woad, and never a shuttle near."),
    )


def test_what_has_all_the_words_is_counted_and_what_has_some_follows(looms):
    found = best("shuttles looms driven water")
    assert pks(found) == [1, 3, 2, 4]
    assert (total_hits(found), found.count()) == (1, 4)


def test_of_few_words_none_may_be_missing(looms):
    found = best("shuttles looms driven")
    assert sorted(pks(found)) == [1, 3]
    assert (total_hits(found), found.count()) == (2, 2)


def test_where_nothing_has_all_of_few_words_what_has_some_is_found(looms):
    found = best("indigo looms")
    assert (total_hits(found), sorted(pks(found))) == (0, [1, 2, 3, 4])


def test_facets_are_of_what_has_all_the_words(add):
    add(
        paper(1, title="Warp", abstract="weft loom shuttle", categories=["cs.CL"]),
        paper(2, title="Warp", abstract="weft loom", categories=["math.AG"]),
    )
    counts = best("warp weft loom shuttle").facet("categories").facet_counts()
    assert counts["fields"]["categories"] == [("cs.CL", 1)]


def test_a_title_that_is_just_so_comes_first(add):
    add(
        paper(1, title="Notes on spin glass theory of spin glass", abstract="Spin glass, spin glass, spin glass."),
        paper(2, title="Spin-glass!", abstract="Something else, at some length, that has none of these words in it."),
        paper(3, title="Spin glass revisited", abstract="Spin glass."),
    )
    assert pks(best("spin glass"))[0] == 2


def test_pages_neither_skip_nor_repeat(add):
    add(*(paper(number, title=f"Loom {number}", abstract="weft " * (number % 7)) for number in range(1, 301)))
    found = best("loom")
    whole = pks(found[0:300])
    assert sorted(whole) == list(range(1, 301))
    assert [key for start in range(0, 300, 24) for key in pks(best("loom")[start : start + 24])] == whole


def test_another_order_is_of_what_has_all_the_words(looms):
    assert pks(best("shuttles looms driven water").order_by("sort_date")) == [1]


def test_filters_hold_for_what_has_some_words_too(add):
    add(
        paper(1, title="Warp weft", kind="article"),
        paper(2, title="Warp weft loom shuttle", kind="preprint"),
    )
    assert pks(best("warp weft loom shuttle").narrow('kind_exact:"article"')) == [1]


def test_little_words_are_marked_only_where_there_are_no_others(add):
    add(paper(1, title="On a loom of the town", abstract="No warp."))
    (hit,) = best("a loom of").highlight(fields=("title",), tag="b")
    assert hit.highlighted["title"] == ["On a <b>loom</b> of the town"]
    (hit,) = best("of a").highlight(fields=("title",), tag="b")
    assert hit.highlighted["title"] == ["On <b>a</b> loom <b>of</b> the town"]


class TestMeaning:
    def ask(self, words: str, near: dict[str, float | None]) -> list[int]:
        found = best(words)
        found.query.nearness = lambda keys: [near.get(key) for key in keys]
        return pks(found)

    def test_the_nearest_of_equals_comes_first(self, add):
        add(*(paper(number, title="Loom weft", abstract="warp") for number in (1, 2, 3)))
        assert self.ask("warp", {"1": 0.1, "2": 0.9, "3": 0.5}) == [2, 3, 1]

    def test_what_nobody_knows_is_as_near_as_the_mean(self, add):
        add(*(paper(number, title="Loom weft", abstract="warp") for number in (1, 2, 3)))
        assert self.ask("warp", {"1": 0.1, "2": 0.9}) == [2, 3, 1]

    def test_a_title_that_is_just_so_stays_first(self, add):
        add(paper(1, title="Warp", abstract="weft"), paper(2, title="Weft", abstract="warp warp"))
        assert self.ask("warp", {"1": -1.0, "2": 1.0}) == [1, 2]

    def test_what_has_all_the_words_stays_first(self, looms):
        near = {"1": -1.0, "2": 0.2, "3": 0.1, "4": 1.0}
        assert self.ask("shuttles looms driven water", near)[0] == 1

    def test_a_clone_keeps_it(self, add):
        add(*(paper(number, title="Loom weft", abstract="warp") for number in (1, 2)))
        found = best("warp")
        found.query.nearness = lambda keys: [float(key) for key in keys]
        assert pks(found.highlight().all()[0:2]) == [2, 1]


def test_words_and_meaning_count_in_deviations_from_their_means():
    # Words: mean 2, deviation 1. Meaning: mean 0, deviation 0.5, half as heavy; the unknown one has none.
    assert fuse([1.0, 3.0], [0.5, -0.5]) == [-0.5, 0.5]
    assert fuse([1.0, 3.0], [None, None]) == [-1.0, 1.0]
    assert fuse([2.0, 2.0], [0.0, 1.0]) == [-0.5, 0.5]
    assert fuse([], []) == []
