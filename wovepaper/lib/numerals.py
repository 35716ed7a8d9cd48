"""Numbers in titles: what tells part I from part II, whoever writes them."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from wovepaper.lib.text import strip_accents

_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"[0-9]+")
_MARKUP = re.compile(r"<[^<>]{1,200}>")
_ROMAN = re.compile(r"(?=[ivxl])x{0,3}(?:ix|iv|v?i{0,3})|xl(?:ix|iv|v?i{0,3})")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}
_PARTS = frozenset("part parts pt teil partie chapter volume vol book paper episode section lecture".split())
"""Words after which a single letter is a numeral."""


def numerals_differ(one: str, other: str) -> bool:
    """Whether two titles are told apart by their numbers, so that they cannot be of one work.

    Roman and Arabic numerals are the same. A title that only lacks numbers which the other has is not told apart by
    them, unless they differ by a numeral alone ("On foams" and "On foams II").
    """
    if one == other:
        return False
    a, b = _numbers(one), _numbers(other)
    if a.all == b.all:
        return False
    if a.rest == b.rest and (a.apart or b.apart):
        return True
    return bool(a.all and b.all) and not (a.all.keys() <= b.all.keys() or b.all.keys() <= a.all.keys())


class _Numbers:
    def __init__(self, title: str) -> None:
        words = _WORD.findall(strip_accents(_MARKUP.sub(" ", title)).casefold())
        self.all: Counter[int] = Counter()
        self.apart = False
        """Whether a numeral stands as a word of its own."""
        rest = []
        for place, word in enumerate(words):
            value = _value(words, place)
            if value is not None:
                self.all[value] += 1
                self.apart = True
                continue
            self.all.update(int(digits[:18]) for digits in _DIGITS.findall(word))
            if word not in _PARTS:
                rest.append(_DIGITS.sub("0", word))
        self.rest = "".join(rest)


@lru_cache(maxsize=4_096)
def _numbers(title: str) -> _Numbers:
    return _Numbers(title)


def _value(words: list[str], place: int) -> int | None:
    """The number a whole word is; a single letter is one only after "part", or at the end of the title."""
    word = words[place]
    if word.isascii() and word.isdecimal():
        return int(word[:18])
    if not _ROMAN.fullmatch(word):
        return None
    if len(word) == 1:
        after_part = place > 0 and words[place - 1] in _PARTS
        if not after_part and not (place == len(words) - 1 and place > 0):
            return None
    return _roman(word)


def _roman(word: str) -> int:
    values = [_VALUES[letter] for letter in word]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )
