"""The syntax of raw queries: what it reads, and that it reads anything, soon."""

from __future__ import annotations

import pickle

import pytest
from haystack import connections
from haystack.backends import SQ
from haystack.inputs import AutoQuery, Exact
from hypothesis import given, settings
from hypothesis import strategies as st

from wovepaper.search.conditions import (
    Affix,
    Between,
    Boosted,
    Every,
    Fuzzy,
    MatchAll,
    MatchNone,
    Negated,
    Phrase,
    Some,
    Words,
    positive_leaves,
    searched_text,
)
from wovepaper.search.query import BuiltQuery, auto_condition
from wovepaper.search.syntax import parse


def _words(text: str) -> Words:
    return Words(None, text)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("", MatchNone()),
        (" ", MatchNone()),
        ("word", _words("word")),
        ("two words", Every((_words("two"), _words("words")))),
        ("a AND b", Every((_words("a"), _words("b")))),
        ("a OR b", Some((_words("a"), _words("b")))),
        ("a b OR c", Some((Every((_words("a"), _words("b"))), _words("c")))),
        ("NOT a", Negated(_words("a"))),
        ("-a", Negated(_words("a"))),
        ("!a +b", Every((Negated(_words("a")), _words("b")))),
        ("NOT NOT a", _words("a")),
        ("(a OR b) c", Every((Some((_words("a"), _words("b"))), _words("c")))),
        ("NOT (a OR b)", Negated(Some((_words("a"), _words("b"))))),
        ('"a phrase"', Phrase(None, "a phrase")),
        ('"a \\" b"', Phrase(None, 'a " b')),
        ('f:"a phrase"', Phrase("f", "a phrase")),
        ("f:word", Words("f", "word")),
        ("f: word", Words("f", "word")),
        ("f:(a OR b)", Some((Words("f", "a"), Words("f", "b")))),
        ("f:(a g:b)", Every((Words("f", "a"), Words("g", "b")))),
        ("content:word", _words("word")),
        ("f:AND", Words("f", "AND")),
        ("*", MatchAll()),
        ("*:*", MatchAll()),
        ("!*:*", Negated(MatchAll())),
        ("wor*", Affix(None, "wor", open_right=True)),
        ("*ord", Affix(None, "ord", open_left=True)),
        ("*or*", Affix(None, "or", open_left=True, open_right=True)),
        ("wor\\*", _words("wor*")),
        ("word~", Fuzzy(None, "word")),
        ("word~2", Fuzzy(None, "word")),
        ("word^2.5", Boosted(_words("word"), 2.5)),
        ("word^", _words("word")),
        ('"a b"^3', Boosted(Phrase(None, "a b"), 3.0)),
        ("(a b)^2", Boosted(Every((_words("a"), _words("b"))), 2.0)),
        ("f:[a TO b]", Between("f", "a", "b")),
        ("f:{a TO b}", Between("f", "a", "b", include_lower=False, include_upper=False)),
        ("f:[* TO b}", Between("f", None, "b", include_upper=False)),
        ("f:[a TO]", Between("f", "a", None)),
        ("f:[to b]", Between("f", None, "b")),
        ('f:["a b" TO "c\\"d"]', Between("f", "a b", 'c"d')),
        ("f:[2009-01-01T00:00:00 TO *]", Between("f", "2009-01-01T00:00:00", None)),
        # what makes no sense
        ("AND", MatchNone()),
        ("a AND", _words("a")),
        ("OR a", _words("a")),
        ("a OR", _words("a")),
        ("NOT", MatchNone()),
        ("(((a", _words("a")),
        ("a)))", _words("a")),
        ("()", MatchNone()),
        ('"', MatchNone()),
        ('a "b', Every((_words("a"), _words("b")))),
        ('""', MatchNone()),
        ("f:", MatchNone()),
        (":", MatchNone()),
        ("[a TO", Every((_words("a"), _words("TO")))),
        ("http://x.org", Words("http", "//x.org")),
        ("12:30", Every((_words("12"), _words("30")))),
        ("\\", MatchNone()),
        ("a-b", _words("a-b")),
        ("- a", _words("a")),
        ("^5", _words("5")),
        ("~", MatchNone()),
    ],
)
def test_parse(text, condition):
    assert parse(text) == condition


def test_default_field():
    assert parse("a g:b", "f") == Every((Words("f", "a"), Words("g", "b")))
    assert parse("[* TO e]", "f") == Between("f", None, "e")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from('ab ()[]{}"\\:+-!*~^?&|0ANDORTO\x00é\ud800'), max_size=60))
def test_anything_is_read(text):
    for leaf in positive_leaves(parse(text)):
        assert leaf.field is None or leaf.field.isidentifier()
    list(positive_leaves(auto_condition(None, text)))


HOSTILE = {
    "brackets": "(" * 10_000,
    "balanced": "(" * 10_000 + "a" + ")" * 10_000,
    "closing": ")" * 100_000,
    "quotes": '"' * 100_000,
    "odd quotes": '"' * 99_999,
    "escaped quotes": '"' + '\\"' * 50_000,
    "quoted": '"a" ' * 25_000,
    "words": "word " * 20_000,
    "ranges": "[" * 100_000,
    "open ranges": "[a TO " * 16_000,
    "spaced ranges": ("[" + " " * 400) * 250,
    "not": "NOT " * 25_000,
    "minus": "-" * 100_000,
    "or": "a OR " * 20_000,
    "groups": "(a OR b) " * 11_000,
    "fields": "f:" * 50_000,
    "backslashes": "\\" * 100_000,
    "stars": "*" * 100_000,
    "patterns": "*a* " * 25_000,
    "near": "abcdef~ " * 12_000,
    "boosts": "a^" + "9" * 100_000,
    "one word": "a" * 100_000,
    "one pattern": "*" + "a" * 100_000 + "*",
    "compound": "a-" * 50_000,
    "nulls": "\x00" * 100_000,
    "surrogates": "\ud800" * 100_000,
    "surrogate words": "\ud800 a\udfff " * 10_000,
    "combining": "e\u0301" * 50_000,
    "greek": "α " * 50_000,
    "chinese": "量子 " * 30_000,
    "emoji": "\U0001f600" * 50_000,
    "right to left": "\u202e\u05d0 " * 30_000,
}


@pytest.mark.timeout(60)  # a quadratic reader would take minutes
@pytest.mark.parametrize("name", HOSTILE)
def test_reading_ends(name):
    parse(HOSTILE[name])
    auto_condition(None, HOSTILE[name])


def _query(**filters):
    query = connections["default"].get_query()
    query.add_filter(SQ(**filters))
    return query


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["content", "title", "kind_exact"]),
    st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=25),
)
def test_the_text_of_a_phrase_is_read_back(field, text):
    """``narrow(SQ(…))`` passes a filter on as text."""
    if not text.strip():
        return
    query = _query(**{f"{field}__exact": text})
    assert parse(str(query.build_query())) == query.build_condition()


@pytest.mark.parametrize(
    ("filters", "text"),
    [
        ({"content": "hello"}, "(hello)"),
        ({"content": "hello world"}, "(hello AND world)"),
        ({"title": "hello: world"}, "title:(hello\\: AND world)"),
        ({"content": AutoQuery('mel "blazing saddles" -brooks')}, '(mel "blazing saddles" NOT brooks)'),
        ({"content": Exact("hello world")}, '("hello world")'),
        ({"title__in": ["a b", "c"]}, 'title:("a b" OR "c")'),
        ({"title__in": []}, "title:(!*:*)"),
        ({"year__range": [1, 2]}, 'year:(["1" TO "2"])'),
        ({"year__gt": 1}, 'year:({"1" TO *})'),
        ({"title__startswith": "ab"}, "title:(ab*)"),
        ({"title__contains": "ab"}, "title:(*ab*)"),
        ({"title__endswith": "ab"}, "title:(*ab)"),
        ({"title__fuzzy": "ab"}, "title:(ab~)"),
    ],
)
def test_text_of_a_query(filters, text):
    assert str(_query(**filters).build_query()) == text


def test_queries_survive_pickling():
    built = _query(title__in=["a", "b"]).build_query()
    again = pickle.loads(pickle.dumps(built))
    assert isinstance(again, BuiltQuery)
    assert (str(again), again.condition) == (str(built), built.condition)


def test_searched_text_leaves_out_what_is_excluded():
    assert searched_text(parse('neural "graph theory" -biology (chem* OR NOT physics) year:[1 TO 2]')) == (
        "neural graph theory chem"
    )
