"""What apps give to the search page."""

import logging

import pytest

from wovepaper.search import entrances
from wovepaper.search.entrances import Landing, ShownTab, Tab, find_landing, read_tabs, register_jump, register_tab


@pytest.fixture(autouse=True)
def _nothing_registered(monkeypatch):
    monkeypatch.setattr(entrances, "_jumps", {})
    monkeypatch.setattr(entrances, "_tabs", {})


def test_a_page_comes_before_the_sentence_that_there_is_none():
    register_jump("a", lambda text: Landing(remark="none here") if text.startswith("id") else None)
    register_jump("b", lambda text: Landing(url="/b") if text == "id1" else None)
    assert find_landing("id1") == Landing(url="/b")
    assert find_landing("id2") == Landing(remark="none here")
    assert find_landing("words") is None


def test_tabs_stand_in_their_order_and_the_current_one_is_not_counted_again():
    counted = []
    register_tab(Tab("b", "Bees", lambda text: f"/b?q={text}", lambda text: counted.append(text) or 2, rank=2))
    register_tab(Tab("a", "Ants", lambda text: f"/a?q={text}", lambda text: 1 / 0, rank=1))
    assert read_tabs("x", current="a", count=7) == [
        ShownTab("Ants", "/a?q=x", 7, current=True), ShownTab("Bees", "/b?q=x", 2, current=False)
    ]  # fmt: skip
    assert counted == ["x"]


def test_a_tab_that_cannot_be_counted_stands_there_without_a_number(caplog):
    register_tab(Tab("a", "Ants", lambda text: "/a", lambda text: 1 / 0))
    with caplog.at_level(logging.ERROR):
        assert read_tabs("x", current="b", count=0) == [ShownTab("Ants", "/a", None, current=False)]
    assert "cannot be counted" in caplog.text


def test_what_is_taken_away_is_gone():
    register_tab(Tab("a", "Ants", lambda text: "/a", lambda text: 1))
    register_jump("a", lambda text: Landing(url="/a"))
    entrances.unregister("a")
    entrances.unregister("never there")
    assert (find_landing("x"), read_tabs("x", current="a", count=0)) == (None, [])
