"""Names of people as printed, taken apart; and names that are not of people."""

from __future__ import annotations

import re
from dataclasses import dataclass

PARTICLES: frozenset[str] = frozenset(
    "von van vom vander vanden de der den del dela della dello degli dei di da das do dos du des la le las los lo "
    "ter ten te zu zum zur af av bin binti ibn ben al el 't".split()
)
"""Lower-case words that belong to the family name that follows them."""

_CAPITAL_PARTICLES = frozenset("Von Van De Del Della Di Da Dos Du Des La Le El Ter".split())
# Vietnamese names put Van between family and given name.
_VIETNAMESE_FAMILIES = frozenset(
    "bui cao chu dang dao dinh do doan duong ha ho hoang huynh lam le luong luu ly mai ngo nguyen pham phan phung ta "
    "thai tran trinh truong vo vu vuong".split()
)
_SUFFIX = re.compile(r"(?:[JS]r\.?|[JS]unior|Filho|Neto|I{2,3}|IV|V|VI{0,3}|[JS]R\.?|2nd|3rd|4th|Esq\.?)", re.ASCII)
_BARE_SUFFIX = re.compile(r"(?:[JS]r\.?|I{2,3}|IV|VI{1,3}|[JS]R\.?|2nd|3rd|4th)", re.ASCII)
_COLLABORATION = re.compile(
    r"\b(?:collaborations?|collab\.?|consortium|consortia|working group|task force)(?![\w-])"
    r"|\b(?:team|groups?)\W*$"
    r"|^(?:for )?the .*\b(?:network|project|experiment|survey|observatory|committee)\W*$",
    re.IGNORECASE,
)
_INITIALS_APART = re.compile(r"(?<=\.) (?=-[^\W\d_])")
_GLUED_INITIALS = re.compile(r"((?:[^\W\d_]\.){1,4})(?=[^\W\d_]{2}|[dDlLoO]['’])")


@dataclass(frozen=True, slots=True)
class NameParts:
    """A printed name, taken apart. A name of one word is a family name."""

    given: str
    family: str
    suffix: str = ""


def is_collaboration(name: str) -> bool:
    """Whether the name is a collaboration's, consortium's, team's or working group's rather than a person's."""
    return _COLLABORATION.search(name) is not None


def is_suffix(word: str) -> bool:
    """Whether a word that stands behind a comma of its own is a generational suffix (``Jr.``, ``III``)."""
    return _SUFFIX.fullmatch(word) is not None


def join_initials(name: str) -> str:
    """``C. -P. Yuan`` as ``C.-P. Yuan``: a space before a hyphenated initial is an artefact of taking names apart."""
    return _INITIALS_APART.sub("", name) if ". -" in name else name


def split_name(printed: str) -> NameParts:
    """Given name, family name and suffix of a printed name. Never raises.

    Takes ``Given Family``, ``Family, Given``, suffixes with or without comma, and the particles of family names
    (``van der Waals``). Names without spaces stay whole. The order of names that put the family first without a
    comma is not guessed.
    """
    parts = [part for part in (" ".join(part.split()) for part in printed.split(",")) if part]
    if not parts:
        return NameParts("", "")
    suffix = ""
    if len(parts) > 1 and is_suffix(parts[-1]):
        suffix = parts.pop()
    if len(parts) > 1:
        family, given = parts[0], " ".join(parts[1:])
        return NameParts(join_initials(given), family, suffix)
    words = _GLUED_INITIALS.sub(r"\1 ", parts[0]).split(" ")  # A.N.Aleshaev
    if not suffix and len(words) > 1 and _BARE_SUFFIX.fullmatch(words[-1]):
        suffix = words.pop()
    start = _family_start(words)
    return NameParts(join_initials(" ".join(words[:start])), " ".join(words[start:]), suffix)


def _family_start(words: list[str]) -> int:
    """Where the family name begins: at the last word or at the particles before it."""
    start = len(words) - 1
    while start > 0:
        word = words[start - 1]
        if word in PARTICLES or (
            start > 1 and word in _CAPITAL_PARTICLES and words[0].casefold() not in _VIETNAMESE_FAMILIES
        ):
            start -= 1
        elif start > 2 and word == "y":
            start -= 2
        else:
            break
    return start
