"""Names as keys: what is compared, never what is shown."""

from __future__ import annotations

import enum
import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

from anyascii import anyascii
from rapidfuzz.distance import DamerauLevenshtein

from researchers.matching.nicknames import are_forms_of_one_name, forms_of
from wovepaper.lib.names import split_name

_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))
_APOSTROPHES = re.compile("['’‘`´ʼʹʻʽ]")
_WORDS = re.compile(r"[a-z0-9]+")
_UMLAUTS = re.compile("(?<=[aou])e")
_FAMILY_PARTICLES = frozenset("al el bin binti ibn von vom zum zur der den ter ten dos das del della".split())
"""Words that belong to the family name even where a source gives them to the given name, and are no given names."""
_LONGEST = 40
"""Words of a name that are compared; hostile input is cut there."""
_LONGEST_TEXT = 400


class Relation(enum.StrEnum):
    """How two names may be of one person. Names that are related in no way are kept apart."""

    JOINED = "joined"
    """The same letters, perhaps spaced or hyphenated differently, or split differently into given and family name."""
    MIDDLE = "middle"
    """One has a middle name or initial the other lacks."""
    MIDDLE_AGREES = "middle agrees"
    """A middle initial for a middle name."""
    INITIAL = "initial"
    """Only an initial for the given name."""
    INITIAL_AGREES = "initial agrees"
    """Only an initial for the given name, and a middle initial that agrees."""
    SHORT_FORM = "short form"
    """A usual short form of the given name."""
    GIVEN_TYPO = "typo in the given name"
    BEGINNING = "beginning of the given name"
    """One given name begins the other: Dimitri and Dimitrios, but also Shuai and Shuaihong."""
    SUFFIX = "another suffix"
    """The same name with different generational suffixes."""
    FAMILY_TYPO = "typo in the family name"
    FAMILY_PART = "part of the family name"
    """A double family name, or a middle name taken for part of it."""
    UMLAUT = "umlaut spelling"
    FIRST_DROPPED = "first given name dropped"
    REORDERED = "given names in another order"
    SWAPPED = "given and family name swapped"
    MONONYM = "a single name"
    OTHER_SCRIPT = "another script"


ATTACHABLE = frozenset(
    (
        Relation.JOINED,
        Relation.MIDDLE,
        Relation.MIDDLE_AGREES,
        Relation.INITIAL,
        Relation.INITIAL_AGREES,
        Relation.SHORT_FORM,
        Relation.GIVEN_TYPO,
    )
)
"""Relations over which the model may attach; over the others it only lists candidates."""


@dataclass(frozen=True, slots=True)
class NameForm:
    """A name reduced to lower-case ASCII words, without suffixes, apostrophes and hyphens.

    ``native`` holds the letters of a name in another script, whose reading in ASCII is only one of several.
    """

    given: tuple[str, ...]
    family: tuple[str, ...]
    suffix: str = ""
    native: str = ""
    key: str = field(init=False, repr=False, compare=False)
    """All its letters in a row: equal for forms that differ only in spacing, hyphens, case and accents."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", self.native or "".join(self.given) + "".join(self.family))

    def __hash__(self) -> int:
        return hash(self.key)  # names are hashed by the million, and a text remembers its hash

    @property
    def is_full(self) -> bool:
        """Whether there is a given name, and it is more than an initial."""
        return bool(self.given) and len(self.given[0]) > 1

    @property
    def is_initial(self) -> bool:
        """Whether the given name is only an initial."""
        return bool(self.given) and len(self.given[0]) == 1

    @property
    def words(self) -> tuple[str, ...]:
        """Given and family words."""
        return self.given + self.family


@lru_cache(maxsize=400_000)
def name_form(given: str, family: str, suffix: str = "") -> NameForm:
    """The form of a printed name. Never raises; a name without any letters has the key ``""``."""
    given, family = given[:_LONGEST_TEXT], family[:_LONGEST_TEXT]
    given_words, family_words, suffix_words = _words(given), _words(family), _words(suffix)
    found = suffix_words[-1] if suffix_words and suffix_words[-1] in _SUFFIXES else ""
    for words in (family_words, given_words):
        while len(words) > 1 and words[-1] in _SUFFIXES:
            found = words.pop()
    while len(given_words) > 1 and family_words and given_words[-1] in _FAMILY_PARTICLES:
        family_words.insert(0, given_words.pop())
    native = "" if (given + family).isascii() else _native(given + family)
    return NameForm(tuple(given_words), tuple(family_words), found, native)


@lru_cache(maxsize=200_000)
def form_of(printed: str) -> NameForm:
    """The form of a printed name whose parts no source gives."""
    parts = split_name(printed)
    return name_form(parts.given, parts.family, parts.suffix)


def relation(first: NameForm, second: NameForm) -> Relation | None:
    """How the two may be one person's, or ``None``: different full given names are different people."""
    if first.key == second.key:
        apart = first.suffix and second.suffix and first.suffix != second.suffix
        return Relation.SUFFIX if apart else Relation.JOINED
    if first.native or second.native:
        return Relation.OTHER_SCRIPT if set(_readings(first)) & set(_readings(second)) else None
    if not first.given or not second.given or not first.family or not second.family:
        return _mononym_relation(first, second)
    one, other = "".join(first.family), "".join(second.family)
    found = None
    if one == other:
        found = _given_relation(first.given, second.given)
    elif first.given[0] == second.given[0] and first.is_full:
        found = _family_relation(first, second)
    if found is not None:
        return found
    if _without_umlauts(first.key) == _without_umlauts(second.key):
        return Relation.UMLAUT
    if ("".join(first.given), one) == (other, "".join(second.given)):
        return Relation.SWAPPED
    return None


def attachable(first: NameForm, second: NameForm) -> bool:
    """Whether the model may take the two for one person's."""
    return relation(first, second) in ATTACHABLE


def share_a_word(first: NameForm, second: NameForm) -> bool:
    """Whether the names have a word in common, initials aside: what an equal ORCID asks for."""
    one, other = {word for word in first.words if len(word) > 1}, {word for word in second.words if len(word) > 1}
    return bool(one & other) or not set(_readings(first)).isdisjoint(_readings(second))


def block_of(form: NameForm) -> str:
    """What all names have in common among which the model attaches: the family name and the first initial.

    A name without one of both, and one in another script, is a block of its own.
    """
    if form.native or not form.given or not form.family:
        return "=" + form.key
    return f"{''.join(form.family)} {form.given[0][0]}"


def keys(form: NameForm) -> frozenset[str]:
    """What a name is found by: names are compared where one's ``keys`` meet the other's ``partner_keys``."""
    found = {"=" + form.key, "w" + "".join(sorted("".join(form.words)))}
    if form.native:
        return frozenset(found)
    family = "".join(form.family)
    if _without_umlauts(form.key) != form.key:
        found.add("u" + _without_umlauts(form.key))
    if not form.given or not family:
        return frozenset(found | {"1" + form.key})
    head = form.given[0]
    found |= _shared_keys(form, family, head)
    found |= {f"W{family}", f"W{head}"} if len(head) > 1 else {f"W{family}"}
    if len(form.given) > 1 and len(form.given[1]) > 1:
        found.add(f"d {family} {form.given[1]}")
    found.add(f"i {family} {head}" if form.is_initial else f"F {family} {head[0]}")
    if form.is_full:
        found.add(f"n {family} {head}")
    return frozenset(found)


def partner_keys(form: NameForm) -> frozenset[str]:
    """The ``keys`` of names that may be related to this one."""
    found = {"=" + form.key, "w" + "".join(sorted("".join(form.words)))}
    if form.native:
        return frozenset(found)
    family = "".join(form.family)
    found |= {"u" + form.key, "=" + _without_umlauts(form.key), "u" + _without_umlauts(form.key)}
    if not form.given or not family:
        return frozenset(found | {"W" + form.key})
    head = form.given[0]
    found |= _shared_keys(form, family, head)
    found |= {f"1{family}", f"1{head}", f"d {family} {head}", f"i {family} {head[0]}"}
    if len(form.given) > 1:
        found.add(f"m {family} {form.given[1]}")
    if form.is_initial:
        found.add(f"F {family} {head}")
    else:
        found |= {f"n {family} {short}" for short in forms_of(head)}
    return frozenset(found)


def _shared_keys(form: NameForm, family: str, head: str) -> set[str]:
    found = {f"m {family} {head}"}
    if len(form.given) > 1:
        found.add(f"r {family} {' '.join(sorted(form.given))}")
    if len(head) >= 3:
        found.add(f"p {family} {head[:3]}")
    if len(head) >= 5:
        found.add(f"s {family} {head[-3:]}")
    if form.is_full:
        found |= {f"l {word} {head}" for word in form.words[1:]}
        if len(family) >= 4:
            found |= {f"t {head} {family[:4]}", f"e {head} {family[-4:]}"}
    return found


def _words(text: str) -> list[str]:
    text = text.casefold()
    if not text.isascii():
        text = anyascii(unicodedata.normalize("NFKC", text)).lower()
    return _WORDS.findall(_APOSTROPHES.sub("", text).replace("-", ""))[:_LONGEST]


def _native(text: str) -> str:
    """The letters of a name that has letters outside the Latin script."""
    letters = [letter for letter in unicodedata.normalize("NFKC", text.casefold()) if letter.isalpha()]
    letters = [letter for letter in letters if not _APOSTROPHES.match(letter)]
    if all(letter.isascii() or unicodedata.name(letter, "").startswith("LATIN") for letter in letters):
        return ""
    return "".join(letters)


def _readings(form: NameForm) -> tuple[str, ...]:
    """Its letters in ASCII with the given name first and last; a name in Chinese characters also by its first one."""
    given, family = "".join(form.given), "".join(form.family)
    found = {given + family, family + given}
    if form.native and not form.given:
        for width in (1, 2):
            first, rest = _words(form.native[:width]), _words(form.native[width:])
            found.add("".join(rest) + "".join(first))
    return tuple(sorted(found))


def _without_umlauts(key: str) -> str:
    return _UMLAUTS.sub("", key)


def _mononym_relation(first: NameForm, second: NameForm) -> Relation | None:
    single, full = (first, second) if not (first.given and first.family) else (second, first)
    if not full.given or not full.family or len(single.key) < 2:
        return None
    return Relation.MONONYM if single.key in ("".join(full.family), full.given[0]) else None


def _given_relation(first: tuple[str, ...], second: tuple[str, ...]) -> Relation | None:
    if len(first) == len(second) and sorted(first) == sorted(second):
        return Relation.REORDERED
    head = _first_relation(first[0], second[0])
    if head is not None:
        agreeing = _middles_agree(first[1:], second[1:])
        if agreeing is None:
            return None
        if head is Relation.JOINED:
            return Relation.MIDDLE_AGREES if agreeing else Relation.MIDDLE
        if head is Relation.INITIAL:
            if len(first[0]) == len(second[0]):  # two bare initials; a middle one apart
                return Relation.MIDDLE_AGREES if agreeing else Relation.MIDDLE
            return Relation.INITIAL_AGREES if agreeing else Relation.INITIAL
        return head
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    if len(longer) > 1 and longer[1:] == shorter and len(shorter[0]) > 1:
        return Relation.FIRST_DROPPED
    return None


def _first_relation(first: str, second: str) -> Relation | None:
    if first == second:
        return Relation.JOINED
    if len(first) == 1 or len(second) == 1:
        return Relation.INITIAL if first[0] == second[0] else None
    if are_forms_of_one_name(first, second):
        return Relation.SHORT_FORM
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) >= 3 and longer.startswith(shorter) and len(longer) - len(shorter) <= 5:
        return Relation.BEGINNING
    if len(shorter) >= 5 and DamerauLevenshtein.distance(first, second, score_cutoff=1) <= 1:
        return Relation.GIVEN_TYPO
    return None


def _middles_agree(first: tuple[str, ...], second: tuple[str, ...]) -> int | None:
    """How many middle names or initials agree; ``None`` where two contradict each other."""
    agreeing = 0
    for one, other in zip(first, second, strict=False):
        if one[0] != other[0] or (len(one) > 1 and len(other) > 1 and one != other):
            return None
        agreeing += 1
    return agreeing


def _family_relation(first: NameForm, second: NameForm) -> Relation | None:
    all_first, all_second = first.given + first.family, second.given + second.family
    if first.family[-1] == second.family[-1]:
        agreeing = _middles_agree(all_first[1:-1], all_second[1:-1])
        nested = set(all_first) <= set(all_second) or set(all_second) <= set(all_first)
        return Relation.FAMILY_PART if agreeing is not None or nested else None
    inner, others = set(first.words[1:]), set(second.words[1:])
    if inner <= others or others <= inner:
        return Relation.FAMILY_PART
    if _middles_agree(first.given[1:], second.given[1:]) is None:
        return None
    if set(first.family) < set(second.family) or set(second.family) < set(first.family):
        return Relation.FAMILY_PART
    one, other = "".join(first.family), "".join(second.family)
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) >= 4 and longer.endswith(shorter):
        return Relation.FAMILY_PART
    if _without_umlauts(one) == _without_umlauts(other):
        return Relation.UMLAUT
    if len(one) >= 5 and len(other) >= 5 and DamerauLevenshtein.distance(one, other, score_cutoff=1) <= 1:
        return Relation.FAMILY_TYPO
    return None
