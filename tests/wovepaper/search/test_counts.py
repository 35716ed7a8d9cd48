"""Facets, date facets, query facets, statistics, totals and the cap on hits."""

from __future__ import annotations

import datetime as dt
from unittest.mock import patch

import pytest
from haystack.exceptions import FacetingError, SearchBackendError
from haystack.query import SQ, SearchQuerySet

from tests.wovepaper.search.conftest import pks
from tests.wovepaper.search.indexes import PaperIndex, paper
from wovepaper.search.services import total_hits


@pytest.fixture
def catalogue(add):
    """Nine papers: three kinds, years 2001 to 2009, categories a (all), b (even), c (the first)."""
    add(
        *(
            paper(
                number,
                f"Paper {number}",
                kind=("article", "book", "preprint")[number % 3],
                categories=["a", *(["b"] if number % 2 == 0 else []), *(["c"] if number == 1 else [])],
                sort_date=dt.date(2000 + number, number, 2 * number),
                pages=str(number) if number < 4 else "",
            )
            for number in range(1, 10)
        )
    )


def _fields(results: SearchQuerySet) -> dict[str, list[tuple[object, int]]]:
    return results.facet_counts()["fields"]


def test_facets(catalogue):
    results = SearchQuerySet().facet("categories").facet("kind").facet("year", size=2)
    assert results.facet_counts() == {
        "fields": {
            "categories": [("a", 9), ("b", 4), ("c", 1)],
            "kind": [("article", 3), ("book", 3), ("preprint", 3)],
            "year": [(2001, 1), (2002, 1)],
        },
        "dates": {},
        "queries": {},
    }


def test_facets_of_what_was_found(catalogue):
    results = SearchQuerySet().filter(categories_exact="b").exclude(year=2004)
    assert _fields(results.facet("kind")) == {"kind": [("preprint", 2), ("article", 1)]}
    assert _fields(results.filter(content="nothing").facet("kind")) == {"kind": []}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [("a", 9), ("b", 4), ("c", 1)]),
        ({"order": "reverse_count"}, [("c", 1), ("b", 4), ("a", 9)]),
        ({"order": "term"}, [("a", 9), ("b", 4), ("c", 1)]),
        ({"order": "reverse_term"}, [("c", 1), ("b", 4), ("a", 9)]),
        ({"size": 1}, [("a", 9)]),
        ({"limit": 2}, [("a", 9), ("b", 4)]),
        ({"limit": -1}, [("a", 9), ("b", 4), ("c", 1)]),
        ({"mincount": 2}, [("a", 9), ("b", 4)]),
    ],
)
def test_facet_options(catalogue, options, expected):
    assert _fields(SearchQuerySet().facet("categories", **options)) == {"categories": expected}


def test_facets_that_make_no_sense(catalogue):
    with pytest.raises(FacetingError, match="reverse_term, not 'random'"):
        SearchQuerySet().facet("kind", order="random").facet_counts()
    with pytest.raises(SearchBackendError, match="no facets by 'abstrakt'; there are by abstract, authors"):
        SearchQuerySet().facet("abstrakt").facet_counts()
    with pytest.raises(SearchBackendError, match="no facets by 'text'"):
        SearchQuerySet().facet("text").facet_counts()


def test_facets_of_every_type(everything):
    day, moment = dt.date(2009, 11, 21), dt.datetime(2009, 11, 21, 21, 31, tzinfo=dt.UTC)
    everything(
        {"number": 3, "ratio": 0.5, "flag": True, "day": day, "moment": moment, "tags": ["x", "y"], "codes": ["p"]},
        {"number": 3, "ratio": 2.5, "flag": False, "day": day, "tags": ["x"], "name": "A name"},
        {"flag": True, "source": "s", "exact": "Ming Li"},
    )
    results = SearchQuerySet()
    for name in ("number", "ratio", "flag", "day", "moment", "tags", "codes", "name", "source", "exact"):
        results = results.facet(name)
    assert _fields(results) == {
        "number": [(3, 2)],
        "ratio": [(0.5, 1), (2.5, 1)],
        "flag": [(True, 2), (False, 1)],
        "day": [(day, 2)],
        "moment": [(moment.replace(tzinfo=None), 1)],
        "tags": [("x", 2), ("y", 1)],
        "codes": [("p", 1)],
        "name": [("A name", 1)],
        "source": [("s", 1)],
        "exact": [("Ming Li", 1)],
    }


def test_facets_count_exactly_over_many_values_and_segments(connect, add):
    # Each value once in each of three batches: a count from the most frequent of each segment alone would be short.
    for batch in range(3):
        add(*(paper(1000 * batch + n, "x", categories=[f"c{n:03d}"]) for n in range(400)))
    counts = _fields(SearchQuerySet().facet("categories", size=400))["categories"]
    assert counts == [(f"c{n:03d}", 3) for n in range(400)]


@pytest.mark.parametrize(
    ("start", "end", "gap", "amount", "expected"),
    [
        (dt.date(2001, 1, 1), dt.date(2003, 12, 31), "year", 1, [(2001, 1, 1), (2002, 1, 1), (2003, 1, 1)]),
        (dt.date(2001, 1, 2), dt.date(2001, 1, 2), "day", 1, [(2001, 1, 2)]),
        (dt.date(2001, 1, 1), dt.date(2001, 1, 1), "day", 1, []),
        (dt.date(2001, 1, 1), dt.datetime(2001, 1, 2, tzinfo=dt.UTC), "day", 1, [(2001, 1, 2)]),
        (dt.date(2001, 1, 1), dt.datetime(2001, 1, 1, 23, 59, tzinfo=dt.UTC), "day", 1, []),
        (dt.date(2000, 12, 31), dt.date(2002, 6, 1), "month", 1, [(2000, 12, 31), (2002, 1, 31)]),
        (dt.date(2001, 1, 1), dt.date(2004, 12, 31), "year", 2, [(2001, 1, 1), (2003, 1, 1)]),
        (dt.date(2001, 1, 2), dt.date(2001, 1, 2), "hour", 6, [(2001, 1, 2)]),
        (dt.date(2005, 1, 1), dt.date(2004, 1, 1), "year", 1, []),
    ],
)
def test_date_facets(catalogue, start, end, gap, amount, expected):
    results = SearchQuerySet().date_facet("sort_date", start, end, gap, amount)
    counts = results.facet_counts()["dates"]["sort_date"]
    assert [moment for moment, _ in counts] == [dt.datetime(*day) for day in expected]  # noqa: DTZ001
    assert (
        sum(count for _, count in counts) == SearchQuerySet().filter(sort_date__gte=start, sort_date__lte=end).count()
    )


def test_date_facets_that_make_no_sense(catalogue):
    with pytest.raises(FacetingError, match="at most 10000 spans"):
        SearchQuerySet().date_facet("sort_date", dt.date(1, 1, 1), dt.date(9999, 1, 1), "second").facet_counts()
    with pytest.raises(FacetingError, match="at least 1"):
        SearchQuerySet().date_facet("sort_date", dt.date(1, 1, 1), dt.date(9, 1, 1), "day", -1).facet_counts()
    last = SearchQuerySet().date_facet("sort_date", dt.date(9998, 1, 1), dt.date(9999, 12, 30), "year", 5)
    assert last.facet_counts()["dates"] == {"sort_date": []}


def test_query_facets(catalogue):
    results = SearchQuerySet().filter(year__gt=2003).query_facet("categories", "b").query_facet("year", "[2005 TO *]")
    assert results.facet_counts()["queries"] == {"categories_exact": 3, "year_exact": 5} or (
        results.facet_counts()["queries"] == {"categories": 3, "year": 5}
    )


def test_several_query_facets_of_one_field(catalogue):
    results = SearchQuerySet().query_facet("year", "[* TO 2003]").query_facet("year", "[2004 TO *]")
    assert results.facet_counts()["queries"] == {"year_exact:[* TO 2003]": 3, "year_exact:[2004 TO *]": 6}


def test_statistics(catalogue):
    stats = SearchQuerySet().stats_facet("pages", "kind").stats_results()["pages"]
    assert {name: value for name, value in stats.items() if name != "facets"} == {
        "min": 1.0,
        "max": 3.0,
        "sum": 6.0,
        "count": 3,
        "mean": 2.0,
        "sumOfSquares": 14.0,
        "stddev": 1.0,
    }
    assert {kind: (of["count"], of["sum"]) for kind, of in stats["facets"]["kind"].items()} == {
        "article": (1, 3.0),
        "book": (1, 1.0),
        "preprint": (1, 2.0),
    }
    with pytest.raises(SearchBackendError, match="Statistics are of numbers"):
        SearchQuerySet().stats("kind").stats_results()


def test_narrow(catalogue):
    results = SearchQuerySet().facet("kind")
    assert _fields(results.narrow('kind_exact:"book"')) == {"kind": [("book", 3)]}
    assert _fields(results.narrow('kind_exact:"book"').narrow("categories_exact:b")) == {"kind": [("book", 1)]}
    assert sorted(pks(results.narrow(SQ(kind_exact="book") & ~SQ(year=2001)))) == [4, 7]


def test_hits_are_capped_and_the_total_is_not(connect, add):
    connect(PaperIndex(), MAX_HITS=10)
    add(*(paper(number, "many") for number in range(1, 26)))
    results = SearchQuerySet().filter(content="many").order_by("django_id")
    assert results.count() == 10
    assert total_hits(results) == 25
    assert len(results[0:24]) == 10
    assert len(results._result_cache) == 10
    assert len(pks(results)) == 10
    assert results[10:20] == []
    assert total_hits(results.filter(title="nothing")) == 0
    assert results.facet("year").facet_counts()["fields"] == {"year": [(2000, 25)]}


def test_total_of_another_engine():
    results = SearchQuerySet()
    with patch.object(results, "query", spec=["get_count"]) as query:
        query.get_count.return_value = 7
        assert total_hits(results) == 7


def test_slices(catalogue):
    results = SearchQuerySet().order_by("sort_date")
    assert pks(results[0:3]) == [1, 2, 3]
    assert pks(results[3:6]) == [4, 5, 6]
    assert pks(results[6:100]) == [7, 8, 9]
    assert results[100:200] == []
    assert results[4].pk == "5"
    assert pks(SearchQuerySet().order_by("-sort_date")[7:]) == [2, 1]
    assert SearchQuerySet().best_match().pk == "1"
    assert SearchQuerySet().latest("sort_date").pk == "9"
    assert [int(hit.pk) for hit in SearchQuerySet().order_by("sort_date")] == list(range(1, 10))
