"""Printed names: whose they can be, how they are compared, what they are found by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from researchers.matching.names import NameForm, keys, partner_keys
from wovepaper.lib.names import is_collaboration

KEY_LENGTH = 200
"""Characters of a key that are kept; only hostile names have longer ones."""
MOST_BYTES = 2_000
"""Of a person's name in UTF-8: an index holds little more, and one hostile name would stop a whole batch."""

_NOBODY = re.compile(
    r"(?:and )?(?:et\.? al|others?|anonymous(?: authors?)?|anon|unknown(?: authors?)?|authors? unknown|n ?/ ?a|none|"
    r"various(?: authors)?|no authors?(?: listed)?)",
)
_SCRIPTS = {
    "LATIN": "Latn", "CJK": "Hani", "HIRAGANA": "Jpan", "KATAKANA": "Jpan", "HANGUL": "Hang", "CYRILLIC": "Cyrl",
    "GREEK": "Grek", "ARABIC": "Arab", "HEBREW": "Hebr", "DEVANAGARI": "Deva", "THAI": "Thai", "ARMENIAN": "Armn",
    "GEORGIAN": "Geor", "BENGALI": "Beng", "TAMIL": "Taml", "TELUGU": "Telu",
}  # fmt: skip


def is_person(name: str, *, form: NameForm) -> bool:
    """Whether a researcher can stand behind an entry of an author list: not "et al.", "Anonymous", a collaboration, nor
    a page of text.
    """
    if len(name) > MOST_BYTES // 4 and len(name.encode()) > MOST_BYTES:
        return False
    bare = " ".join(name.casefold().split()).strip(" .,;*()[]<>-")
    return bool(form.key) and _NOBODY.fullmatch(bare) is None and not is_collaboration(name)


def fullest(shown: NameForm, others: Iterable[NameForm]) -> NameForm:
    """The form to compare by: the shown one, or another source's that spells out its initial."""
    if not shown.is_initial:
        return shown
    family = "".join(shown.family)
    for other in others:
        if other.is_full and "".join(other.family) == family and other.given[0][0] == shown.given[0]:
            return other
    return shown


@lru_cache(maxsize=200_000)
def match_keys(form: NameForm) -> tuple[str, ...]:
    """What the name is found by, as ``ResearcherName.match_keys`` keeps it."""
    return tuple(sorted({key[:KEY_LENGTH] for key in keys(form)}))


@lru_cache(maxsize=200_000)
def searched_keys(form: NameForm) -> tuple[str, ...]:
    """The ``match_keys`` of names that may be of the same person."""
    return tuple(sorted({key[:KEY_LENGTH] for key in partner_keys(form)}))


def script_of(name: str) -> str:
    """ISO 15924 code of the script most of the letters are in; empty where none is known."""
    if name.isascii():
        return "Latn"
    counts: dict[str, int] = {}
    for letter in name:
        if letter.isalpha():
            script = _SCRIPTS.get(unicodedata.name(letter, "").split(" ")[0].split("-")[0], "")
            counts[script] = counts.get(script, 0) + 1
    return max(counts, key=lambda script: (counts[script], script)) if counts else ""
