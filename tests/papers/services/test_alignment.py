"""Which author is which."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.services.ingest import alignment
from papers.services.ingest.alignment import Place, align, name_key


def places(*names: str) -> list[Place]:
    return [Place(name) for name in names]


def with_orcid(name: str, orcid: str) -> Place:
    return Place(name, frozenset({orcid}))


def with_id(name: str, source: str, number: str) -> Place:
    return Place(name, frozenset(), frozenset({(source, number)}))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zoë Ünseld", "ZOE UNSELD"),
        ("Unseld, Zoe", "Zoe Unseld"),
        ("J.-P. Example", "J. P. Example"),
        ("Exampleby, Ada, Jr.", "Ada Exampleby"),
    ],
)
def test_one_name_written_in_two_ways(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_a_name_of_signs_only_keeps_itself_as_key() -> None:
    assert name_key("???") == "???"


def test_names_in_another_order() -> None:
    assert align(places("A One", "B Two", "C Three"), places("C Three", "A One", "B Two")) == [2, 0, 1]


def test_one_left_and_one_came() -> None:
    assert align(places("A One", "B Two", "C Three"), places("A One", "C Three", "D Four")) == [0, 2, None]


def test_homonyms_keep_their_order() -> None:
    assert align(places("J Same", "K Other", "J Same"), places("J Same", "J Same", "K Other")) == [0, 2, 1]


def test_an_orcid_outweighs_the_name() -> None:
    old = [with_orcid("J Same", "1"), with_orcid("J Same", "2")]
    new = [with_orcid("Jane Same", "2"), with_orcid("John Same", "1")]
    assert align(old, new) == [1, 0]


def test_a_source_id_outweighs_the_name_within_its_source() -> None:
    old = [with_id("J Same", "s2", "7"), with_id("J Same", "s2", "8")]
    assert align(old, [with_id("J Same", "s2", "8"), with_id("J Same", "s2", "7")]) == [1, 0]
    assert align(old, [with_id("J Same", "openalex", "8"), with_id("J Same", "openalex", "7")]) == [0, 1]


def test_two_orcids_are_two_people_whatever_the_name() -> None:
    assert align([with_orcid("J Same", "1")], [with_orcid("J Same", "2")]) == [None]


def test_a_name_written_out_is_the_one_with_that_initial() -> None:
    assert align(places("A Other", "J Same"), places("John Same", "Anna Other")) == [1, 0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mira Quill-Öde", "M. Quill Ode"),
        ("Mira Quill Öde", "Quill-Ode, M."),
        ("Ansel Thorn", "Thorn Ansel"),
        ("Li Wei Ming", "Wei-Ming Li"),
    ],
)
def test_one_name_by_its_words(one: str, other: str) -> None:
    assert align(places("Zoe Vek", one, "Jun Ode"), places("Jun Ode", "Zoe Vek", other)) == [2, 0, 1]


def test_two_with_the_same_words_are_not_told_apart_by_them() -> None:
    assert align(places("Ansel Thorn", "Zoe Vek"), places("Thorn Ansel", "Ansel-Thorn A.", "A. Nobody")) == [
        0,
        None,
        None,
    ]


def test_two_with_one_initial_are_not_told_apart_by_it() -> None:
    assert align(places("J Same", "X Other"), places("John Same", "Jane Same")) == [0, None]
    assert align(places("X Other", "J Same"), places("John Same", "Ann Third", "Jane Same")) == [None, None, None]


def test_a_corrected_spelling_at_the_same_place() -> None:
    assert align(places("Ada Exampleby", "Jhon Smyth"), places("Ada Exampleby", "Jhon Smith")) == [0, 1]


def test_somebody_else_at_the_same_place() -> None:
    assert align(places("Ada Exampleby", "Jhon Smyth"), places("Ada Exampleby", "Zacharias Quux")) == [0, None]


def test_two_prints_of_one_list_agree_place_by_place() -> None:
    old, new = places("Ada Exampleby", "Wang Xiaoming"), places("Ada Exampleby", "王小明")
    assert align(old, new, same_work=True) == [0, 1]
    assert align(old, new) == [0, None]
    assert align(old, places("王小明"), same_work=True) == [None]


names = st.sampled_from(["J Same", "Jane Same", "K Other", "Zoë Ünseld", "Unseld, Zoe", "???", "王小明", "X"])
lists = st.lists(
    st.builds(Place, names, st.frozensets(st.sampled_from("12"), max_size=1)),
    max_size=8,
)


@given(lists, lists)
def test_nobody_is_given_twice_and_the_two_of_a_pair_never_differ(old: list[Place], new: list[Place]) -> None:
    result = align(old, new)
    assert len(result) == len(new)
    given_out = [index for index in result if index is not None]
    assert len(set(given_out)) == len(given_out)
    for place, index in zip(new, result, strict=True):
        if index is not None and place.orcids and old[index].orcids:
            assert place.orcids & old[index].orcids


@given(lists)
def test_a_list_is_itself(old: list[Place]) -> None:
    assert align(old, list(old)) == list(range(len(old)))


@pytest.mark.timeout(60)  # the square of the number would take minutes
def test_thirty_thousand_authors() -> None:
    rng = random.Random(3)
    old = places(*(f"{rng.choice('ABCDEFG')}. Family{rng.randrange(20_000)}" for _ in range(30_000)))
    new = [place for index, place in enumerate(old) if index % 100]
    rng.shuffle(new)
    new.insert(0, Place("Newcomer First"))
    result = align(old, new)
    assert result[0] is None
    assert [old[index].name for index in result[1:] if index is not None] == [place.name for place in new[1:]]


def two_prints(count: int) -> tuple[list[Place], list[Place], list[int]]:
    """A list by full names, and the same people in another order: with initials, ORCIDs, and a slip here and there."""
    rng = random.Random(7)
    families = [f"Fam{chr(97 + number // 26 % 26)}{chr(97 + number % 26)}{number}" for number in range(count)]
    old = [
        Place(f"{rng.choice('ABCDEFGH')}nsel {family}", frozenset({f"orcid-{number}"} if number % 3 == 0 else ()))
        for number, family in enumerate(families)
    ]
    order = rng.sample(range(count), count)
    new = []
    for number in order:
        given, family = old[number].name.split(" ")
        if number % 3 == 0:
            new.append(Place(f"{family} {given}", old[number].orcids))  # turned about, told by the ORCID
        else:
            new.append(Place(f"{given[0]}. {family}" if number % 3 == 1 else f"{family}, {given}"))
    return old, new, order


def test_seven_hundred_authors_in_another_order_and_spelling() -> None:
    old, new, order = two_prints(700)
    assert align(old, new, same_work=True) == order


@pytest.mark.parametrize("count", [700, 2_800])
def test_the_work_grows_with_the_list_and_not_with_its_square(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Counted, not timed: comparisons of two names, and of two entries' ORCIDs."""
    calls = {"ratio": 0, "_differ": 0}
    ratio, differ = alignment.fuzz.ratio, alignment._differ

    def counted_ratio(one: str, other: str) -> float:
        calls["ratio"] += 1
        return float(ratio(one, other))

    def counted_differ(one: Place, other: Place) -> bool:
        calls["_differ"] += 1
        return differ(one, other)

    monkeypatch.setattr(alignment.fuzz, "ratio", counted_ratio)
    monkeypatch.setattr(alignment, "_differ", counted_differ)
    old, new, order = two_prints(count)
    assert align(old, new, same_work=True) == order
    assert (calls["ratio"], calls["_differ"]) <= (0, 2 * count)
    calls.update(ratio=0, _differ=0)
    strangers = [Place(f"Zoe Quill{number}") for number in range(count)]
    assert align([Place(f"Ansel Thorn{number}") for number in range(count)], strangers) == [None] * count
    assert calls["ratio"] <= count
    assert calls["_differ"] <= 2 * count


def test_seven_hundred_authors_take_milliseconds() -> None:
    old, new, _ = two_prints(700)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        align(old, new, same_work=True)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.05  # one to two on a machine that has nothing else to do
