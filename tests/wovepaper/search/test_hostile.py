"""Whatever is typed, a search answers, and soon."""

from __future__ import annotations

import pytest
from haystack.backends import SQ
from haystack.inputs import AutoQuery, Exact, Not, Raw
from haystack.query import SearchQuerySet
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.wovepaper.search.indexes import paper
from tests.wovepaper.search.test_syntax import HOSTILE


@pytest.fixture
def catalogue(add):
    add(
        *(
            paper(number, f"Word abcdef a {number}", "e-mail " * 20, names=["Ann Li"], kind="book")
            for number in range(50)
        ),
        paper(90, "a\x00b \ud800 \U0001f600 e\u0301", "α 量子"),
    )


def _everything_about(results: SearchQuerySet) -> None:
    results = results.facet("categories").facet("year").highlight(fields=["title", "abstract"])
    hits = results[:24]
    results.facet_counts()
    for hit in hits:
        for snippets in hit.highlighted.values():
            "".join(snippets).encode()
    results.spelling_suggestion()


@pytest.mark.timeout(90)  # each takes milliseconds; a quadratic one would take minutes
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_queries(catalogue, name):
    text = HOSTILE[name]
    results = SearchQuerySet()
    for wrap in (AutoQuery, Raw, Exact, Not, str):
        _everything_about(results.filter(content=wrap(text)))
    for lookup in ("exact", "startswith", "endswith", "contains", "fuzzy", "lt", "in", "range"):
        for field in ("title", "kind_exact", "year"):
            value = [text, text] if lookup in {"in", "range"} else text
            len(results.filter(**{f"{field}__{lookup}": value}))
    len(results.narrow(text).query_facet("title", text))
    len(results.boost(text, 2).filter(content="word"))
    results.query_facet("title", text).facet_counts()


def test_deep_conditions_are_answered(catalogue):
    condition = SQ(content="word")
    for depth in range(200):
        condition = ~(condition | SQ(title=f"word{depth}"))
    assert len(SearchQuerySet().filter(condition)) >= 0


def test_only_the_first_words_of_a_long_query_count(catalogue):
    many = " ".join(["word"] * 1100 + ["nothing"])
    results = SearchQuerySet()
    assert len(results.filter(content=many)) == 50
    assert len(results.auto_query(many)) == 50
    assert len(results.raw_search(many)) == 50
    assert len(results.filter(content__startswith=many)) == 50
    assert len(results.filter(content__startswith="wor nothing")) == 0


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40), st.sampled_from([AutoQuery, Raw, Exact, Not, str]))
def test_any_text(catalogue, text, wrap):
    _everything_about(SearchQuerySet().filter(content=wrap(text)))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.sampled_from('wa ()[]"\\:+-!*~^?.{}$|é\ud800\x00'), max_size=40))
def test_any_syntax(catalogue, text):
    results = SearchQuerySet()
    _everything_about(results.raw_search(text))
    _everything_about(results.auto_query(text))
    len(results.narrow(text).filter(title__contains=text).filter(kind_exact__contains=text))
