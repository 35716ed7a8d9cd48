"""Where co-authors stand in the drawing."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchers.network import (
    LEAST_HEIGHT,
    LINKS_OF_ONE,
    LONGEST_NAME,
    LONGEST_SHORT_NAME,
    ROW,
    columns_of,
    cut,
    draw,
    seriate,
    short,
)


def drawing(count, links=None):
    return draw(
        [f"Member {number}" for number in range(count)], [count - number for number in range(count)], links or {}
    )


@pytest.mark.parametrize("count", [1, 2, 3, 12, 35, 36])
def test_no_two_names_can_touch(count):
    made = drawing(count)
    assert len(made.dots) == count
    for side in ("left", "right"):
        rows = sorted(dot.y for dot in made.dots if dot.side == side)
        assert all(below - above == pytest.approx(ROW) for above, below in itertools.pairwise(rows))
    assert all(dot.x > 50 for dot in made.dots if dot.side == "right")
    assert all(dot.x < 50 for dot in made.dots if dot.side == "left")
    assert all(dot.radius < ROW / 2 for dot in made.dots)
    assert all(ROW / 2 <= dot.y <= made.height - ROW / 2 for dot in made.dots)


def test_nobody_is_drawn_as_nobody():
    made = drawing(0)
    assert (made.dots, made.spokes, made.chords) == ((), (), ())
    assert made.height == LEAST_HEIGHT


def test_the_same_company_is_drawn_the_same():
    links = {(0, 5): 3, (1, 2): 1, (2, 4): 7}
    assert drawing(8, links) == drawing(8, dict(reversed(links.items())))


def test_who_wrote_together_stands_together():
    groups = [(0, 3, 6), (1, 4, 7), (2, 5, 8)]
    links = {pair: 2 for group in groups for pair in itertools.combinations(group, 2)}
    order = seriate(9, links)
    assert sorted(order) == list(range(9))
    assert {frozenset(order[start : start + 3]) for start in (0, 3, 6)} == {frozenset(group) for group in groups}


@given(st.integers(1, 12).flatmap(lambda count: st.tuples(
    st.just(count),
    st.dictionaries(st.tuples(st.integers(0, 11), st.integers(0, 11)), st.integers(1, 9)),
)))  # fmt: skip
def test_everybody_stands_somewhere_once(case):
    count, links = case
    known = {(one, other): both for (one, other), both in links.items() if one < other < count}
    assert sorted(seriate(count, known)) == list(range(count))


def test_lines_are_thicker_the_more_papers():
    made = draw(["A", "B", "C"], [10, 5, 1], {(0, 1): 5})
    widths = {dot.index: line.width for dot, line in zip(made.dots, made.spokes, strict=True)}
    assert widths == {0: 4, 1: 2.5, 2: 1.3}
    assert [line.width for line in made.chords] == [1.25]
    assert [line.width for line in draw(["A"], [1], {}).spokes] == [1]


def test_only_the_strongest_links_of_each_are_drawn():
    links = dict.fromkeys(itertools.combinations(range(36), 2), 1) | {(0, 35): 9, (3, 20): 9}
    made = drawing(36, links)
    assert LINKS_OF_ONE * 36 / 2 <= len(made.chords) <= LINKS_OF_ONE * 36
    assert made.chords_left_out == len(links) - len(made.chords)
    by_width = sorted(line.width for line in made.chords)
    assert by_width[-3] < by_width[-2] == by_width[-1], "the two strongest are among them"


def test_few_links_are_all_drawn():
    made = drawing(4, dict.fromkeys(itertools.combinations(range(4), 2), 1))
    assert (len(made.chords), made.chords_left_out) == (6, 0)


def test_names_are_cut_to_the_room_there_is():
    assert cut("Ada Weaver", 10) == "Ada Weaver"
    assert cut("Ada Weaver", 9) == "Ada Weav…"
    assert cut("Ada Weaver", 5) == "Ada…"
    assert cut("織物織物織物", 7) == "織物織…"
    assert short("Ada Weaver", 14) == "Ada Weaver"
    assert short("Adelheid Ottilie Weaver", 14) == "A. O. Weaver"
    assert short("Ludwig van der Weeverberg", 14) == "L. van der We…"
    assert short("Wolfeschlegelsteinhausen", 14) == "Wolfeschlegel…"


@given(st.text(max_size=80))
def test_any_name_fits(name):
    assert columns_of(cut(name, LONGEST_NAME)) <= LONGEST_NAME
    assert columns_of(short(name, LONGEST_SHORT_NAME)) <= LONGEST_SHORT_NAME
