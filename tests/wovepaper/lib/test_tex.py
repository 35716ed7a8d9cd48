from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wovepaper.lib import tex

PIECES = st.sampled_from(
    [
        "\\'",
        '\\"',
        "\\v",
        "\\c",
        "\\^",
        "{",
        "}",
        "$",
        "$$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "\\emph",
        "\\it",
        "\\foo",
        "\\o",
        "\\ss",
        "\\\\",
        "\\&",
        "\\$",
        "\\{",
        "~",
        "``",
        "''",
        " ",
        "a",
        "e",
        "i",
        "x^",
        "_",
        "Z",
        "\n",
        "ı",
        "é",
        "http://h/~u",
    ]
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"B\'ela Bollob\'as", "Béla Bollobás"),
        (r"K{\"o}nig, K\"{o}nig, K\"onig", "König, König, König"),
        (r"D\'{\i}az and D\'\i az", "Díaz and Díaz"),
        (r"H{\aa}kan S{\l}upi\'nski \L ukasz {\O}rsted", "Håkan Słupiński Łukasz Ørsted"),
        (r"Fran\c{c}ois \c Sahin \v{S}tys \v Cech Erd\H{o}s", "François Şahin Štys Čech Erdős"),
        (r"Pr\=usis \u{g} \k{a} \r{u} \.{I} \d{h} \b{d}", "Prūsis ğ ą ů İ ḥ ḏ"),
        (r"Stra\ss e \AE gir \OE uvre \dh \TH or", "Straße Ægir Œuvre ðÞor"),
        (r"\emph{in vivo} {\it ab initio} \textbf{bold} {\bf b} \mbox{y z}", "in vivo ab initio bold b y z"),
        (r"a {\em b {\bf c} d} e", "a b c d e"),
        (r"10\% of A\&B, n\_k, C\#", "10% of A&B, n_k, C#"),
        (r"$\Lambda$CDM and \Lambda{}CDM", r"$\Lambda$CDM and ΛCDM"),
        (r"\(a+b\) and \[\frac{c}{d}\]", r"$a+b$ and $$\frac{c}{d}$$"),
        (r"$\'e$ \'e $$\'e$$", r"$\'e$ é $$\'e$$"),
        (r"costs \$5 and $x, \'e", r"costs \$5 and $x, é"),
        ("``quoted'' and Fig.~3", "“quoted” and Fig. 3"),
        (r"http://host/~user and http://host/\~user, ~5 GeV", "http://host/~user and http://host/~user, ~5 GeV"),
        (r"\unknown{a}[b]{c} {\foo}bar", r"\unknown{a}[b]{c} {\foo}bar"),
        ("x^{2} and a_{n}, {open", "x^{2} and a_{n}, {open"),
        (r"line\\break and thin\,space", "line break and thin space"),
        ("nothing to do", "nothing to do"),
        ("", ""),
        ("\\", "\\"),
        (r"\'", r"\'"),
        (r"\'{}", r"\'{}"),
        ("$$", "$$"),
    ],
)
def test_text_is_decoded_and_mathematics_is_not(written: str, meant: str) -> None:
    assert tex.to_unicode(written) == meant
    assert tex.to_unicode(meant) == meant


@given(st.lists(PIECES, max_size=25).map("".join))
def test_no_letter_is_lost(written: str) -> None:
    decoded = unicodedata.normalize("NFD", tex.to_unicode(written))

    for letter in "Zx":
        assert decoded.count(letter) == written.count(letter)


@given(st.text(max_size=80) | st.lists(PIECES, max_size=25).map("".join))
def test_never_raises_and_settles(written: str) -> None:
    first = tex.to_unicode(written)
    settled = tex.to_unicode(first)

    assert len(settled) <= len(first) + 2
    for _ in range(3):
        settled = tex.to_unicode(settled)
    assert tex.to_unicode(settled) == settled


@given(st.text(alphabet=st.characters(blacklist_characters="\\{}$~`"), max_size=80))
def test_text_without_tex_is_returned_as_it_is(written: str) -> None:
    assert tex.to_unicode(written) is written


@pytest.mark.parametrize(
    "piece", ["{", "}", "$", "$$ ", "\\(", "\\[", "\\'", "\\'{", "\\emph{", "~", "``", "\\v", "a_{", "\\foo{", "$\\("]
)
@pytest.mark.timeout(60)  # the square of the length would take minutes
def test_time_is_linear(piece: str) -> None:
    assert isinstance(tex.to_unicode(piece * 40_000), str)
