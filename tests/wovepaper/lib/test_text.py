from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wovepaper.lib import text


@pytest.mark.parametrize(
    ("damaged", "repaired"),
    [
        ("Ã‰tude de GÃ©omÃ©trie", "Étude de Géométrie"),
        ("CecÃ\xadlia", "Cecília"),
        ("StanisÅ‚aw", "Stanisław"),
        ("donâ€™t", "don’t"),
        ("Ã‰tude naïve", "Ã‰tude naïve"),  # one honest accent beside the damage: not certain
        ("Étude", "Étude"),
        ("São Paulo, naïve façade", "São Paulo, naïve façade"),
        ("Â", "Â"),
        ("10 µm Â± 2 α", "10 µm Â± 2 α"),
        ("plain", "plain"),
    ],
)
def test_mojibake_is_repaired_only_where_it_is_certain(damaged: str, repaired: str) -> None:
    assert text.repair_mojibake(damaged) == repaired


@given(st.text(alphabet=st.characters(min_codepoint=0xA0, max_codepoint=0x2FF), min_size=1, max_size=20))
def test_what_was_read_as_latin_1_comes_back(original: str) -> None:
    damaged = original.encode().decode("latin-1")

    assert text.repair_mojibake(damaged) == original


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("a\x00b\x07c", "abc"),
        ("  two\n  lines\t and\u00a0space\u2009 ", "two lines and space"),
        ("\u202aPere\u202c Lluís\ufeff", "Pere Lluís"),
        ("\x93A surge\x94", "“A surge”"),
        ("half \ud800 a pair", "half \ufffd a pair"),
        ("soft\u00adhyphen", "softhyphen"),
        ("Gro\u0308tschel", "Grötschel"),
        ("വ\u200dര", "വ\u200dര"),  # the joiner changes what is written
        ("", ""),
        ("already clean", "already clean"),
    ],
)
def test_text_is_fit_to_store_and_show(raw: str, clean: str) -> None:
    assert text.clean(raw) == clean


@given(st.text(alphabet=st.characters(), max_size=60))
def test_clean_text_can_be_stored(raw: str) -> None:
    clean = text.clean(raw)

    assert "\x00" not in clean
    clean.encode("utf-8")
    assert clean == text.fold_space(clean)
    assert clean == unicodedata.normalize("NFC", clean)


@pytest.mark.parametrize(
    "titles",
    [
        (
            r"The $\alpha$-decay of H$_2$O",
            "The α‐decay of H₂O",
            "The alpha decay of H<sub>2</sub>O",
            "THE ALPHA-DECAY OF H2O",
        ),
        (r"A remark on Koll\'ar's theorem", "A remark on Kollár’s theorem", "A Remark on Kollar's Theorem."),
        (r"Spaces over $\mathbb{R}^n$", "Spaces over <mml:math><mml:mi>R</mml:mi></mml:math>^n", "Spaces over R^n"),
        ("Łódź øre Straße", "Lodz ore Strasse"),
    ],
)
def test_titles_of_one_work_share_a_fingerprint(titles: tuple[str, ...]) -> None:
    assert len({text.title_fingerprint(title) for title in titles}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Part 1", "Part 2"),
        ("Part 1.2", "Part 12"),
        ("Results I", "Results II"),
        ("On a < b", "On a"),
        ("การพัฒนา", "การทดลอง"),
        ("x" * 100 + "a", "x" * 100 + "b"),
    ],
)
def test_different_titles_have_different_fingerprints(one: str, other: str) -> None:
    assert text.title_fingerprint(one) != text.title_fingerprint(other)


@given(st.text(max_size=200))
def test_fingerprints_fit_and_do_not_depend_on_case_or_space(title: str) -> None:
    key = text.title_fingerprint(title)

    assert len(key) <= text.FINGERPRINT_LENGTH
    assert text.title_fingerprint(f"  {title}. ") == key
    assert all(character.isalnum() or character in " ~" for character in key)


def test_a_title_without_letter_or_digit_has_no_fingerprint() -> None:
    assert text.title_fingerprint("$?! – …$") == ""


def test_a_long_fingerprint_begins_as_the_title_does() -> None:
    key = text.title_fingerprint("word " * 40)

    assert len(key) == text.FINGERPRINT_LENGTH
    assert key.startswith("wordwordword")
