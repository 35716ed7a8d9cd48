"""Citation keys: family name, year and a word of the title, in plain ASCII, the same every time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from anyascii import anyascii

from papers.citations.data import CitationData
from wovepaper.lib.markup import plain

_NOT_IN_A_KEY = re.compile(r"[^a-z0-9]+")
# Words that say nothing of a paper.
_SKIPPED = frozenset(
    "a an and are as at by can do does for from how in into is it its of on or over some that the their this to "
    "toward towards under using via what when where which why with without".split()
)
_LONGEST_PART = 40


def citation_key(data: CitationData) -> str:
    """For example ``waals1873continuity``; ``anon`` and ``nd`` stand for an unknown author and year."""
    author = ""
    if data.authors:
        name = data.authors[0]
        author = _letters(name.family) or _letters(name.given) or _first_word(name.literal)
    return f"{author or 'anon'}{data.year or 'nd'}{_first_word(plain(data.title))}"


def unique_keys(papers: Sequence[CitationData]) -> list[str]:
    """The keys of one export, in order: where several papers would share a key, each has a letter behind it."""
    plain_keys = [citation_key(data) for data in papers]
    totals = Counter(plain_keys)
    taken = {key for key, total in totals.items() if total == 1}
    numbers: Counter[str] = Counter()
    keys = []
    for key in plain_keys:
        if totals[key] == 1:
            keys.append(key)
            continue
        candidate = key
        while candidate in taken or candidate == key:
            candidate = key + _suffix(numbers[key])
            numbers[key] += 1
        taken.add(candidate)
        keys.append(candidate)
    return keys


class RunningKeys:
    """Keys of an export that is written while it is read: the first paper of a key has it bare, the others a letter."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: Counter[str] = Counter()

    def take(self, papers: Sequence[CitationData]) -> list[str]:
        """The keys of the next papers, in order."""
        keys = []
        for data in papers:
            key = candidate = citation_key(data)
            while candidate in self._taken:
                self._numbers[key] += 1
                candidate = key + _suffix(self._numbers[key])
            self._taken.add(candidate)
            keys.append(candidate)
        return keys


def _letters(text: str) -> str:
    return _NOT_IN_A_KEY.sub("", anyascii(text).lower())[:_LONGEST_PART]


def _first_word(text: str) -> str:
    words = [_letters(word) for word in re.split(r"[\s\-–—/:,.]+", text)]
    telling = [word for word in words if word and word not in _SKIPPED and not word.isdigit()]
    return next(iter(telling or [word for word in words if word]), "")


def _suffix(number: int) -> str:
    """0 is ``a``, 25 is ``z``, 26 is ``aa``."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
