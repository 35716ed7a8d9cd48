from __future__ import annotations

import pytest

from wovepaper.search.analysis import EXACT, STEMMED, folded, joined_compounds, tokens, well_formed


@pytest.mark.parametrize(
    ("text", "stemmed", "exact"),
    [
        ("Neural Networks", ["neural", "network"], ["neural", "networks"]),
        ("Erdős–Rényi", ["erdo", "renyi"], ["erdos", "renyi"]),
        ("e-mail", ["e", "mail"], ["e", "mail"]),
        ("Straße", ["strass"], ["strasse"]),
        ("naïve", ["naiv"], ["naive"]),
        ("nai\u0308ve", ["naiv"], ["naive"]),
        ("α-decay of TNFα", ["alpha", "decay", "of", "tnf", "alpha"], ["alpha", "decay", "of", "tnf", "alpha"]),
        ("Ω", ["omega"], ["omega"]),
        ("λόγος", ["λόγος"], ["λόγος"]),
        ("...", [], []),
        ("", [], []),
    ],
)
def test_tokens(text, stemmed, exact):
    assert tokens(text, STEMMED) == stemmed
    assert tokens(text, EXACT) == exact


def test_long_tokens_are_dropped():
    assert tokens("a" * 254 + " " + "b" * 256, EXACT) == ["a" * 254]


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("no compound", ""),
        ("an e-mail, a state-of-the-art one", "email stateoftheart"),
        ("Bose–Einstein", "BoseEinstein"),
        ("pre-\nprint", ""),
        ("- dash -alone- a--b", ""),
        ("line\nbreak e-mail\tx", "email"),
        ("naïve e\u2010mail", "email"),
    ],
)
def test_joined_compounds(text, joined):
    assert joined_compounds(text) == joined


def test_joined_compounds_look_at_the_beginning_of_an_endless_one():
    assert len(joined_compounds("a-" * 500_000 + "a")) < 1000


@pytest.mark.parametrize(
    ("text", "formed"),
    [("plain", "plain"), ("é", "é"), ("a\ud800b", "a\ufffdb"), ("\ud83d\ude00", "\U0001f600"), ("\udfff", "\ufffd")],
)
def test_well_formed(text, formed):
    assert well_formed(text) == formed
    well_formed(text).encode()


def test_folding_keeps_ascii_as_it_is():
    assert folded("e-mail (α)") == "e-mail ( alpha )"
    assert folded("A\x00B") == "A\x00B"
