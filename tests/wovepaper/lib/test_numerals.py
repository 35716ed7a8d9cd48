"""Part I is not part II."""

from __future__ import annotations

import pytest

from wovepaper.lib.numerals import numerals_differ


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("On foams, part I: theory", "On foams, part II: experiments"),
        ("On foams. Part 1", "On foams. Part 2"),
        ("On foams I", "On foams II"),
        ("On foams", "On foams II"),
        ("On foams 2", "On foams"),
        ("Foams in 2019", "Foams in 2020"),
        ("The model M3 of foams", "The model M4 of foams"),
        ("Part 1 of 2: foams", "Part 2 of 2: foams"),
        ("Foams, vol. V", "Foams, vol. X"),
    ],
)
def test_told_apart(one: str, other: str) -> None:
    assert numerals_differ(one, other)
    assert numerals_differ(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("On foams, part I", "On foams, Part 1"),
        ("On foams, Part II", "ON FOAMS, PART ii"),
        ("H<sub>2</sub>O in foams", "H$_2$O in foams"),
        ("A 3-D foam", "A 3D foam"),
        ("Foams1", "Foams"),
        ("Foams and their bubbles", "Foams: a survey of 2019"),
        ("What I know of X rays", "What I know of x-rays"),
        ("Foams of 2019 in 3D", "Foams in 3D"),
        ("", "Foams 2 go"),
    ],
)
def test_not_told_apart(one: str, other: str) -> None:
    assert not numerals_differ(one, other)
    assert not numerals_differ(other, one)
