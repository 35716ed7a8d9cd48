"""Every filter on every kind of field, with the exact documents it finds."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from haystack.inputs import AutoQuery, Exact, Not, Raw
from haystack.query import SQ, SearchQuerySet

from tests.wovepaper.search.conftest import found, pks
from tests.wovepaper.search.indexes import paper


@pytest.fixture
def texts(everything):
    everything(
        {"name": "Graph neural networks", "exact": "Ming Li", "ngrams": "Schrödinger", "beginnings": "quantum gravity"},
        {"name": "Neural network theory", "exact": "Xiaoming Li", "ngrams": "Dinghy", "beginnings": "gravity waves"},
        {"name": "A state-of-the-art e-mail system", "exact": "Li Ming", "ngrams": "x", "beginnings": "quanta"},
        {"name": "Email routing", "exact": "Lis Mingus", "tags": ["hep-th", "math.AG"], "source": "arXiv"},
        {"name": "The naïve café", "tags": ["math.AG"], "source": "arXiv listing", "codes": ["a b", "c"]},
    )


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        # words: all of them, any order, stemmed
        ({"name": "network"}, [1, 2]),
        ({"name": "NETWORKS neural"}, [1, 2]),
        ({"name": "graph theory"}, []),
        ({"name__content": "networks"}, [1, 2]),
        # hyphens and accents, either way
        ({"name": "email"}, [3, 4]),
        ({"name": "e-mail"}, [3, 4]),
        ({"name": "e mail"}, [3]),
        ({"name": "state of the art"}, [3]),
        ({"name": "stateoftheart"}, [3]),
        ({"name": "state-of-the-art"}, [3]),
        ({"name": "naive cafe"}, [5]),
        ({"name": "naïve café"}, [5]),
        ({"name": "NAI\u0308VE"}, [5]),
        # phrases: next to each other, as printed
        ({"name__exact": "neural networks"}, [1]),
        ({"name__exact": "neural network"}, [2]),
        ({"name__exact": "networks neural"}, []),
        ({"name": Exact("neural network")}, [2]),
        ({"name__exact": "art e-mail"}, [3]),
        # parts of words, each of several
        ({"name__startswith": "net"}, [1, 2]),
        ({"name__startswith": "net the"}, [2]),
        ({"name__endswith": "works"}, [1]),
        ({"name__contains": "etw"}, [1, 2]),
        ({"name__contains": "CAF"}, [5]),
        ({"name__startswith": "état"}, []),
        ({"name__startswith": "*"}, []),
        ({"name__contains": ".*"}, []),
        ({"name__contains": "a.e"}, [3]),
        ({"name__contains": "a.x"}, []),
        # near words
        ({"name__fuzzy": "netwrok"}, [1, 2]),
        ({"name__fuzzy": "thory"}, [2]),
        ({"name__fuzzy": "xyzzy"}, []),
        # sets
        ({"name__in": ["Email routing", "neural networks"]}, [1, 4]),
        ({"name__in": []}, []),
        ({"name": ["Email routing", "cafe"]}, [4, 5]),
        # ranges go over the whole text
        ({"name__lt": "B"}, [3]),
        ({"name__gte": "N"}, [2, 5]),
        ({"name__range": ["Email routing", "Graph neural networks"]}, [1, 4]),
        ({"name__gt": "Email routing", "name__lt": "Graph neural networks"}, []),
        # an unstemmed field
        ({"exact": "Ming Li"}, [1, 3]),
        ({"exact": "Li"}, [1, 2, 3]),
        ({"exact__exact": "Ming Li"}, [1]),
        # n-grams are found by their parts
        ({"ngrams": "ding"}, [1, 2]),
        ({"ngrams": "dinger"}, [1]),
        ({"beginnings": "quan"}, [1, 3]),
        ({"beginnings": "grav"}, [1, 2]),
        ({"beginnings": "quan grav"}, [1]),
        ({"beginnings": "uan"}, []),
        # several values
        ({"tags": "math.AG"}, [4, 5]),
        ({"tags_exact": "math.AG"}, [4, 5]),
        ({"tags_exact": "hep-th"}, [4]),
        ({"tags_exact": "hep"}, []),
        ({"tags_exact__in": ["hep-th", "nothing"]}, [4]),
        # keywords are whole
        ({"source": "arXiv"}, [4]),
        ({"source__exact": "arXiv listing"}, [5]),
        ({"source": "arxiv"}, []),
        ({"source__startswith": "arX"}, [4, 5]),
        ({"source__contains": "v l"}, [5]),
        ({"source__fuzzy": "arXif"}, [4]),
        ({"codes": "a b"}, [5]),
        # what is not there
        ({"nonsense": "x"}, []),
        ({"shown": "x"}, []),
    ],
)
def test_text(texts, filters, expected):
    assert found(**filters) == expected


@pytest.fixture
def values(everything):
    everything(
        {
            "number": 3,
            "ratio": 0.5,
            "price": Decimal("24.99"),
            "flag": True,
            "day": dt.date(2009, 11, 21),
            "moment": dt.datetime(2009, 11, 21, 21, 31, tzinfo=dt.UTC),
        },
        {
            "number": -7,
            "ratio": 2.0,
            "price": Decimal(9),
            "flag": False,
            "day": dt.date(1, 1, 1),
            "moment": dt.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=dt.UTC),
        },
        {"number": 10**12, "ratio": float("nan"), "price": Decimal(100), "day": dt.date(2010, 1, 1)},
        {"number": 2**80},
    )


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"number": 3}, [1]),
        ({"number": "3"}, [1]),
        ({"number__exact": -7}, [2]),
        ({"number__gt": 3}, [3]),
        ({"number__gte": 3}, [1, 3]),
        ({"number__lt": 3}, [2]),
        ({"number__lte": 3}, [1, 2]),
        ({"number__range": [-7, 3]}, [1, 2]),
        ({"number__range": (None, 3)}, [1, 2]),
        ({"number__in": [3, 10**12, "x", None, 2**80]}, [1, 3]),
        ({"number": 2**80}, []),
        ({"number": "three"}, []),
        ({"number": 3.5}, []),
        ({"number__gt": "x"}, []),
        ({"number__range": [1]}, []),
        ({"ratio": 0.5}, [1]),
        ({"ratio__gte": 0.5}, [1, 2]),
        ({"ratio__gt": float("nan")}, []),
        ({"price": Decimal("24.99")}, [1]),
        ({"price": "24.99"}, [1]),
        ({"price__gt": 9}, [1, 3]),
        ({"price__lte": Decimal("24.990")}, [1, 2]),
        ({"flag": True}, [1]),
        ({"flag": "false"}, [2]),
        ({"flag": "maybe"}, []),
        ({"day": dt.date(2009, 11, 21)}, [1]),
        ({"day": "2009-11-21"}, [1]),
        ({"day__lt": dt.date(2009, 11, 22)}, [1, 2]),
        ({"day__lte": dt.datetime(2009, 11, 21, 0, 0, tzinfo=dt.UTC)}, [1, 2]),
        ({"day__range": [dt.date(2009, 1, 1), dt.date(2010, 1, 1)]}, [1, 3]),
        ({"day__in": [dt.date(1, 1, 1), dt.date(2010, 1, 1)]}, [2, 3]),
        ({"day": "yesterday"}, []),
        ({"moment": dt.datetime(2009, 11, 21, 21, 31, tzinfo=dt.UTC)}, [1]),
        ({"moment": dt.datetime(2009, 11, 21, 22, 31, tzinfo=dt.timezone(dt.timedelta(hours=1)))}, [1]),
        ({"moment__gt": dt.datetime(2009, 11, 21, 21, 31, tzinfo=dt.UTC)}, [2]),
        ({"moment": dt.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=dt.UTC)}, [2]),
    ],
)
def test_values(values, filters, expected):
    assert found(**filters) == expected


def test_identifiers(texts):
    assert found(id="papers.paper.3") == [3]
    assert found(pk=3) == [3]
    assert found(django_id__in=[1, "5"]) == [1, 5]
    assert found(django_ct="papers.paper") == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (SQ(name="neural") & SQ(name="graph"), [1]),
        (SQ(name="graph") | SQ(name="email"), [1, 3, 4]),
        (~SQ(name="neural"), [3, 4, 5]),
        (~(SQ(name="neural") | SQ(name="email")), [5]),
        (SQ(name="neural") & ~SQ(name="graph"), [2]),
        (~SQ(name="neural") & ~SQ(name="email"), [5]),
        (SQ(name="graph") | ~SQ(name="neural"), [1, 3, 4, 5]),
        (~~SQ(name="neural"), [1, 2]),
        ((SQ(name="graph") | SQ(name="cafe")) & (SQ(tags="math.AG") | SQ(exact="ming")), [1, 5]),
        (SQ(name=Not("neural")), [3, 4, 5]),
        (SQ(name=Raw("graph OR caf*")), [1, 5]),
        (SQ(name=AutoQuery('"neural network" -graph')), [2]),
        (SQ(), [1, 2, 3, 4, 5]),
    ],
)
def test_nesting(texts, condition, expected):
    assert sorted(pks(SearchQuerySet().filter(condition))) == expected


def test_chains(texts):
    results = SearchQuerySet()
    assert sorted(pks(results.filter(name="neural").exclude(name="graph"))) == [2]
    assert sorted(pks(results.filter(name="graph").filter_or(name="cafe"))) == [1, 5]
    assert sorted(pks(results.filter(name="graph") | results.filter(name="email"))) == [1, 3, 4]
    assert sorted(pks(results.filter(name="neural") & results.filter(name="graph"))) == [1]
    assert pks(results.none()) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("thing", [1, 2, 3, 4, 5]),
        ('"thing"', [1, 2, 3, 4, 5]),
        ("-thing", []),
        ("thing -other", [1, 2, 3, 4, 5]),
        ("thing - & !", [1, 2, 3, 4, 5]),
        ("other", []),
        ('"other thing"', []),
        ('thing "', [1, 2, 3, 4, 5]),
        ("!?", []),
        ("", [1, 2, 3, 4, 5]),
        (" ", [1, 2, 3, 4, 5]),
    ],
)
def test_auto_query(texts, text, expected):
    assert sorted(pks(SearchQuerySet().auto_query(text))) == expected


def test_blank_content_finds_nothing(texts):
    assert found(content=" ") == []
    assert found(content="") == []


def test_autocomplete(texts):
    assert sorted(pks(SearchQuerySet().autocomplete(beginnings="quan gra"))) == [1]


def test_weight_of_a_field(everything):
    everything({"name": "prism", "heavy": "lens"}, {"name": "lens", "heavy": "prism"})
    either = SearchQuerySet().filter(SQ(name="prism") | SQ(heavy="prism"))
    assert pks(either) == [2, 1]
    assert either[0].score / either[1].score == pytest.approx(3.0)


def test_boosted_words_come_first_and_keep_the_others(add):
    add(paper(1, "optics of prisms"), paper(2, "optics of lenses"), paper(3, "sound"))
    assert pks(SearchQuerySet().filter(content="optics").boost("lenses", 4)) == [2, 1]


def test_boost_of_a_document(add):
    boosts = {1: 1, 2: 2.5, 3: "heavy", 4: 0, 5: 0.5, 6: 1e300}
    add(*(paper(pk, "optics", boost=boost) for pk, boost in boosts.items()))
    results = SearchQuerySet().filter(content="optics")
    assert pks(results) == [2, 1, 3, 4, 5, 6]
    assert results[0].score / results[1].score == pytest.approx(2.5)
    assert len({result.score for result in results[1:6]}) == 1


def test_filters_of_other_fields_keep_the_order_by_score(add):
    add(paper(1, "optics and much more beside"), paper(2, "optics", kind="article"), paper(3, "optics optics"))
    plain = SearchQuerySet().filter(content="optics")
    assert pks(plain) == pks(plain.narrow("year:2000"))
    assert [hit.score for hit in plain] == [hit.score for hit in plain.narrow("year:2000")]
