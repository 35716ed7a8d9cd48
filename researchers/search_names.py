"""Names as the search engine compares them: whole words, folded as for matching, in whatever order.

A document holds the words of all its names; the initials of the given names; given names written apart also joined
("Xiao Ming" is found by "Xiaoming"), the parts of a hyphenated family name, and umlauts spelt both ways. A hyphenated
given name is one word, so that "Ming Li" does not find "Xiao-Ming Li". A whole name is one more word, so that people
who are called just so come first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from researchers.matching.names import NameForm, form_of, name_form
from wovepaper.lib.names import split_name

MOST_WORDS = 8
"""Words of a query; nobody has more names."""

_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe", "Å": "Aa"}
)
_HYPHENS = re.compile("[-\u2010\u2011\u2012\u2013]")
_UNSPACED_SCRIPTS = ("CJK", "HANGUL", "HIRAGANA", "KATAKANA")
_BETWEEN = "0"
"""Joins the words of a whole name: no name has a digit, so it is no other word."""


@dataclass(frozen=True, slots=True)
class NameQuery:
    """What is looked for: words each of which may be spelt in several ways, and the whole as one name."""

    words: tuple[tuple[str, ...], ...]
    whole: str = ""

    def readings(self) -> list[tuple[tuple[str, ...], ...]]:
        """The words, and the same with two neighbours written as one."""
        joined = [
            (*self.words[:at], (self.words[at][0] + self.words[at + 1][0],), *self.words[at + 2 :])
            for at in range(len(self.words) - 1)
            if len(self.words) > 2
        ]
        return [self.words, *joined]

    def is_met_by(self, terms: Iterable[str]) -> bool:
        """Whether a document with these terms is found."""
        held = set(terms)
        return any(all(held.intersection(word) for word in reading) for reading in self.readings())


def read_name_query(text: str) -> NameQuery:
    """The words of what a reader typed. Never raises; without a letter there are none."""
    form = form_of(text)
    if _is_unspaced(form.native):
        return NameQuery(((form.native,),), form.native)
    spelt = form_of(_spelt_out(text)).words
    words = form.words[:MOST_WORDS]
    pairs = zip(words, spelt, strict=False) if len(spelt) == len(form.words) else zip(words, words, strict=True)
    return NameQuery(tuple(tuple(dict.fromkeys(pair)) for pair in pairs), _whole(form))


def name_terms(names: Iterable[str]) -> list[str]:
    """The words by which somebody of these names is found, each once."""
    terms: dict[str, None] = {}
    for name in names:
        for spelling in dict.fromkeys((_composed(name), _spelt_out(name))):
            terms.update(dict.fromkeys(_terms(spelling)))
    return list(terms)


def _terms(name: str) -> Iterable[str]:
    form = form_of(name)
    yield from form.words
    yield _whole(form)
    if form.native:
        yield form.native
        if _is_unspaced(form.native) and not form.given:
            # The family name mostly is the first character. Read in Latin letters, it is found by those.
            family, given = (name_form("", part).family for part in (form.native[:1], form.native[1:]))
            yield from ("".join(family), "".join(given))
            return
    for word in form.given:
        yield word[:1]
    if len(form.given) > 1:
        yield "".join(form.given)
        if all(len(word) == 1 for word in form.given):
            return
        yield "".join(word[:1] for word in form.given)
    if len(form.family) > 1:
        yield "".join(form.family)
    parts = split_name(name)
    if _HYPHENS.search(parts.given):
        initials = [word[0] for word in name_form(_HYPHENS.sub(" ", parts.given), "").given]
        yield from (*initials, "".join(initials))
    if _HYPHENS.search(parts.family):
        yield from name_form("", _HYPHENS.sub(" ", parts.family)).family


def _whole(form: NameForm) -> str:
    return form.native if _is_unspaced(form.native) else _BETWEEN.join(sorted(form.words))


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _spelt_out(name: str) -> str:
    return name if name.isascii() else _composed(name).translate(_UMLAUTS)


def _is_unspaced(native: str) -> bool:
    """Whether it is in a script that puts no space between family and given name."""
    return bool(native) and unicodedata.name(native[0], "").startswith(_UNSPACED_SCRIPTS)
