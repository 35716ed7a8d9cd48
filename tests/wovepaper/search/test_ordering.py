from __future__ import annotations

import datetime as dt
import random
from operator import itemgetter

import pytest
from haystack.exceptions import SearchBackendError
from haystack.query import SearchQuerySet

from tests.wovepaper.search.conftest import pks
from tests.wovepaper.search.indexes import paper


def test_every_type_both_ways_with_the_valueless_last(everything):
    day = dt.date(2009, 11, 21)
    everything(
        {"number": 3, "ratio": 1.5, "price": "9.5", "flag": True, "day": day, "name": "Beta", "source": "b"},
        {},
        {
            "number": -1,
            "ratio": -2.0,
            "price": "10",
            "flag": False,
            "day": dt.date(1, 1, 1),
            "name": "Alpha",
            "source": "B",
        },
    )
    for name, ascending in {
        "number": [3, 1, 2],
        "ratio": [3, 1, 2],
        "price": [1, 3, 2],
        "flag": [3, 1, 2],
        "day": [3, 1, 2],
        "name": [3, 1, 2],
        "source": [3, 1, 2],
    }.items():
        assert pks(SearchQuerySet().order_by(name)) == ascending, name
        assert pks(SearchQuerySet().order_by(f"-{name}")) == [ascending[1], ascending[0], ascending[2]], name


def test_identifiers_are_ordered_as_text(add):
    add(*(paper(number) for number in (1, 2, 10)))
    assert pks(SearchQuerySet().order_by("id")) == [1, 10, 2]
    assert pks(SearchQuerySet().order_by("-django_id")) == [2, 10, 1]
    assert pks(SearchQuerySet().order_by("pk")) == [1, 10, 2]


def test_several_fields_in_all_directions_against_python(add):
    """Over several segments, and with every length of page, cuts through groups of equal hits included."""
    rng = random.Random(7)
    rows = [
        {"pk": pk, "year": 2000 + rng.randrange(3), "pages": rng.choice([None, 1, 2]), "kind": rng.choice("ab")}
        for pk in range(1, 61)
    ]
    for start in range(0, 60, 20):
        add(
            *(
                paper(
                    row["pk"],
                    "x",
                    kind=row["kind"],
                    sort_date=dt.date(row["year"], 1, row["pk"] % 28 + 1),
                    pages=str(row["pages"] or ""),
                )
                for row in rows[start : start + 20]
            )
        )
    for keys in (
        ["year", "pages", "pk"],
        ["-year", "pages", "-pk"],
        ["kind", "-year", "pk"],
        ["-kind", "pages", "year", "pk"],
        ["pages", "kind", "pk"],
        ["-pages", "-kind", "-year", "pk"],
    ):
        expected = list(rows)
        for key in reversed(keys):
            name = key.removeprefix("-")
            value = (lambda row: str(row["pk"])) if name == "pk" else itemgetter(name)
            valued = [row for row in expected if value(row) is not None]
            valued.sort(key=value, reverse=key.startswith("-"))
            expected = valued + [row for row in expected if value(row) is None]
        ordered = SearchQuerySet().order_by(*keys)
        for length in (1, 7, 24, 60):
            assert pks(ordered.all()[:length]) == [row["pk"] for row in expected[:length]], keys
        assert pks(ordered.all()[17:31]) == [row["pk"] for row in expected[17:31]]


def test_score(add):
    add(
        paper(1, "optics", sort_date=dt.date(2001, 1, 1)),
        paper(2, "optics optics optics", sort_date=dt.date(2002, 1, 1)),
        paper(3, "optics", sort_date=dt.date(2003, 1, 1)),
        paper(4, "sound"),
    )
    results = SearchQuerySet().filter(content="optics")
    assert pks(results) == [2, 1, 3]
    assert pks(results.order_by("-score")) == [2, 1, 3]
    assert pks(results.order_by("-score", "-year")) == [2, 3, 1]
    assert pks(results.order_by("-score", "-year")[:2]) == [2, 3]
    assert pks(results.order_by("-score", "year")[1:2]) == [1]
    assert pks(results.order_by("score", "-year")) == [3, 1, 2]
    assert pks(results.order_by("kind", "-score")) == [2, 1, 3]
    scores = [hit.score for hit in results]
    assert scores[0] > scores[1] == scores[2] > 0
    assert [hit.score for hit in results.order_by("score", "year")] == scores[::-1]


@pytest.mark.parametrize("name", ["text", "nonsense", "-text", ""])
def test_other_fields_are_refused(add, name):
    add(paper(1))
    with pytest.raises(SearchBackendError, match="they can by score and by abstract, authors, categories"):
        pks(SearchQuerySet().order_by(name))


def test_long_texts_have_no_place_in_an_order(add):
    add(paper(1, "a" * 300), paper(2, "b" * 255))
    assert pks(SearchQuerySet().order_by("title")) == [2, 1]
    assert pks(SearchQuerySet().order_by("-title")) == [2, 1]
