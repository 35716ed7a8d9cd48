"""The readable end of an address."""

import pytest

from wovepaper.lib.slug import slug_of_text


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Søren Łukasz Großmann", "soren-lukasz-grossmann"),
        ("Bernhard Schölkopf", "bernhard-scholkopf"),
        ("Ngô Bảo Châu", "ngo-bao-chau"),
        ("Þór Đorđević", "thor-dordevic"),
        ("王伟", ""),
        ("On the α of looms, II", "on-the-of-looms-ii"),
        ("", ""),
    ],
)
def test_latin_letters_are_kept(text: str, slug: str) -> None:
    assert slug_of_text(text, longest=80) == slug


@pytest.mark.parametrize(
    ("text", "slug"), [("abc def ghi", "abc-def"), ("abcdefghijkl", "abcdefghi"), ("abc defgh", "abc-defgh")]
)
def test_it_is_cut_at_a_word(text: str, slug: str) -> None:
    assert slug_of_text(text, longest=9) == slug
