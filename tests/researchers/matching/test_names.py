"""Names are compared as keys, and related only where they may be one person's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies

from researchers.matching.names import (
    ATTACHABLE,
    Relation,
    keys,
    name_form,
    partner_keys,
    relation,
    share_a_word,
)
from tests.researchers.matching.building import form


@pytest.mark.parametrize("printed", ["MING-WEI CHANG", "Ming-Wei Chang", "Mingwei Chang", "Ming Wei Chang"])
def test_case_hyphens_and_spaces_make_no_difference(printed: str) -> None:
    assert form(printed).key == "mingweichang"


@pytest.mark.parametrize(
    ("given", "family", "key"),
    [
        ("Hans", "Müller", "hansmuller"),
        ("Søren", "O’Hara", "sorenohara"),
        ("Hal", "Daumé III", "haldaume"),
        ("Łukasz", "Żak", "lukaszzak"),
        ("", "", ""),
        ("…", "—", ""),
    ],
)
def test_keys_are_plain_letters_without_suffix(given: str, family: str, key: str) -> None:
    assert name_form(given, family).key == key


def test_a_suffix_is_kept_apart_wherever_it_stands() -> None:
    assert name_form("Hal", "Daumé III").suffix == "iii"
    assert name_form("John", "Smith", "Jr.").suffix == "jr"
    assert name_form("John Jr", "Smith").suffix == "jr"


def test_hostile_names_are_cut() -> None:
    assert len(name_form("a " * 100_000, "b " * 100_000).words) == 80


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Ming-Wei Chang", "Mingwei Chang", Relation.JOINED),
        ("Hans Müller", "Hans Muller", Relation.JOINED),
        ("Hal Daumé III", "Hal Daume", Relation.JOINED),
        ("Hal Daume Jr.", "Hal Daume III", Relation.SUFFIX),
        ("Ada Byron", "Ada King Byron", Relation.MIDDLE),
        ("Ada K. Byron", "Ada King Byron", Relation.MIDDLE_AGREES),
        ("A. Byron", "Ada Byron", Relation.INITIAL),
        ("A. K. Byron", "Ada King Byron", Relation.INITIAL_AGREES),
        ("A. Byron", "A. K. Byron", Relation.MIDDLE),
        ("Bill Gossip", "William Gossip", Relation.SHORT_FORM),
        ("Rosalynd Frank", "Rosalind Frank", Relation.GIVEN_TYPO),
        ("Shuai Wu", "Shuaihong Wu", Relation.BEGINNING),
        ("Ada Byronne", "Ada Byronna", Relation.FAMILY_TYPO),
        ("Laura Cabello", "Laura Cabello Piqueras", Relation.FAMILY_PART),
        ("Omar Al Khatib", "Omar Khatib", Relation.FAMILY_PART),
        ("Bernhard Schölkopf", "Bernhard Schoelkopf", Relation.UMLAUT),
        ("Jörg Tonn", "Joerg Tonn", Relation.UMLAUT),
        ("W. Detmar Croft", "Detmar Croft", Relation.FIRST_DROPPED),
        ("Anna Maria Berg", "Maria Anna Berg", Relation.REORDERED),
        ("Li Qing", "Qing Li", Relation.SWAPPED),
        ("Sukarno", "Agus Sukarno", Relation.MONONYM),
        ("李明", "Ming Li", Relation.OTHER_SCRIPT),
        ("Иван Петров", "Ivan Petrov", Relation.OTHER_SCRIPT),
        ("Jia Lee", "Jun Lee", None),
        ("Ada K. Byron", "Ada L. Byron", None),
        ("J. Lee", "K. Lee", None),
        ("Ada Byron", "Ada Lovelace", None),
        ("李明", "黎明", Relation.OTHER_SCRIPT),
    ],
)
def test_relations(first: str, second: str, expected: Relation | None) -> None:
    assert relation(form(first), form(second)) is expected
    assert relation(form(second), form(first)) is expected
    if expected is not None:
        assert keys(form(first)) & partner_keys(form(second))
        assert keys(form(second)) & partner_keys(form(first))


def test_only_close_relations_attach() -> None:
    listed = set(Relation) - ATTACHABLE
    assert listed == {
        Relation.BEGINNING,
        Relation.SUFFIX,
        Relation.FAMILY_TYPO,
        Relation.FAMILY_PART,
        Relation.UMLAUT,
        Relation.FIRST_DROPPED,
        Relation.REORDERED,
        Relation.SWAPPED,
        Relation.MONONYM,
        Relation.OTHER_SCRIPT,
    }


def test_characters_are_compared_not_their_reading() -> None:
    assert name_form("明", "李").key == "明李"
    assert name_form("", "李明").key != name_form("", "黎明").key


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Anna Berg", "Karl Berg", True),
        ("Anna Berg", "Anna Holm", True),
        ("J. Lee", "J. Smith", False),
        ("Anna Berg", "Karl Holm", False),
        ("Ming-Wei Chang", "Mingwei Chang", True),
        ("李明", "Ming Li", True),
    ],
)
def test_words_in_common(first: str, second: str, expected: bool) -> None:
    assert share_a_word(form(first), form(second)) is expected


_NAMES = strategies.text(alphabet="abeo .-üё李", max_size=12)


@settings(max_examples=400)
@given(_NAMES, _NAMES, _NAMES, _NAMES)
def test_related_names_find_each_other(given_one: str, family_one: str, given_two: str, family_two: str) -> None:
    first, second = name_form(given_one, family_one), name_form(given_two, family_two)
    kind = relation(first, second)
    assert relation(second, first) is kind
    if kind is not None and kind is not Relation.GIVEN_TYPO and first.key and second.key:
        assert keys(first) & partner_keys(second)
        assert keys(second) & partner_keys(first)
