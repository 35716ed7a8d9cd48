"""Names of institutions by their canonical words, for finding the longest ones in a text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from institutions.matching.known import KnownInstitution
from institutions.matching.places import Gazetteer, Key, city_keys
from institutions.matching.words import read_words

LABEL, CAMPUS, ALIAS, ACRONYM, TURNED = 4, 3, 2, 1, 0
"""How an institution bears a name. Campus: its name but for the city at the end, or
for other words that tell it from its like; its city must be printed beside. Turned: the words in another order."""
_KINDS = {"label": LABEL, "alias": ALIAS, "acronym": ACRONYM}
_IN_COUNTRY = re.compile(r"^(.+?)\s*\(([^()]+)\)\s*$")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ø": "oe", "å": "aa"})
LONGEST_KEY = 24
"""Words; longer names are matched by so many of their first."""
GENERIC = frozenset(
    "university institute center college hospital technology technological technical science scientific "
    "medical medicine department school faculty national academy research laboratory engineering agricultural "
    "agriculture international general polytechnic federal state central health public foundation ministry "
    "association society royal clinic company corporation applied physics chemistry biology group east west "
    "north south new union park city ltd limited inc llc gmbh pvt private system systems".split()
)
"""Words that tell nothing though some place is called so."""
_FIRST_KANA = "\u3040"
"""Kana, Han and Hangul come one by one: only together they are words."""
SEVERAL = 3
"""Universities; one that is made of so many may be printed for any of them."""
COMMON_FROM = 20
"""Names; in few names nothing is common yet."""
COMMON = 0.002
"""A word in a larger share of all names tells nothing by itself."""


@dataclass(slots=True)
class Entry:
    """What the matcher keeps of an institution: not its names, which the index has."""

    leads_to: int
    cities: frozenset[Key]
    countries: frozenset[str]
    parents: frozenset[int]
    relatives: frozenset[int]
    is_active: bool
    is_ministry: bool = False
    is_university: bool = False
    member_cities: frozenset[Key] = frozenset()
    """Where the universities are of which it is made."""


@dataclass(slots=True)
class NameIndex:
    """Built once from all institutions; read by the matcher."""

    entries: dict[int, Entry] = field(default_factory=dict)
    names: dict[str, dict[int, int]] = field(default_factory=dict)
    """Words joined by a space, to institution and how it bears the name."""
    turned: dict[str, set[int]] = field(default_factory=dict)
    """The same words sorted."""
    lengths: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """First word to the numbers of words that names beginning with it have, falling."""
    frequency: Counter[str] = field(default_factory=Counter)
    cities: set[Key] = field(default_factory=set)
    place_words: set[str] = field(default_factory=set)
    gazetteer: Gazetteer = field(default_factory=Gazetteer)
    total: int = 0

    @classmethod
    def build(cls, institutions: Iterable[KnownInstitution]) -> NameIndex:
        """Read all names. Withdrawn records without a successor bear none."""
        index = cls()
        lengths: dict[str, set[int]] = defaultdict(set)
        for known in institutions:
            if known.status == "withdrawn" and known.leads_to in (0, known.number):
                continue
            cities = city_keys(known.cities)
            entry = index.entries[known.number] = Entry(
                known.leads_to or known.number,
                cities,
                frozenset(known.countries),
                known.parents,
                known.relatives,
                known.status == "active",
            )
            index.cities |= cities
            index.total += 1
            index.cities |= {key for area in known.subdivisions if (key := read_words(area).words)}
            seen: set[str] = set()
            keys = list(_keys(known))
            acronyms = {word for key, kind in keys if kind == ACRONYM for word in key}
            labels = [[word for word in key if word not in acronyms] for key, kind in keys if kind == LABEL]
            for key, kind in keys:
                joined = " ".join(key)
                if kind == ALIAS and any(len(label) > len(key) and _is_within(joined, label) for label in labels):
                    kind = CAMPUS
                entry.is_ministry |= key[0] == "ministry"
                entry.is_university |= kind == LABEL and key[0] != "hospital" and "university" in key
                if kind >= ALIAS:
                    for city in cities:
                        head = key[: -len(city)]
                        if len(head) > 1 and key[-len(city) :] == city and not GENERIC.isdisjoint(head):
                            index.names.setdefault(" ".join(head), {}).setdefault(known.number, CAMPUS)
                            lengths[head[0]].add(len(head))
                bearers = index.names.setdefault(joined, {})
                bearers[known.number] = max(kind, bearers.get(known.number, 0))
                lengths[key[0]].add(len(key))
                seen.update(key)
                if kind in (LABEL, ALIAS) and len(key) >= 2:
                    index.turned.setdefault(" ".join(sorted(key)), set()).add(known.number)
            index.frequency.update(seen)
        index._tie_members()
        index._forget_places()
        index.lengths = {word: tuple(sorted(found, reverse=True)) for word, found in lengths.items()}
        return index

    def is_common(self, word: str) -> bool:
        """Whether the word is in too many names to tell one from another. The names of places do tell."""
        if word in GENERIC:
            return True
        if word[0] >= _FIRST_KANA:
            return False
        return self.frequency[word] > max(COMMON * self.total, COMMON_FROM) and word not in self.place_words

    def _tie_members(self) -> None:
        members: dict[int, list[Entry]] = defaultdict(list)
        for entry in self.entries.values():
            for parent in entry.parents & self.entries.keys():
                if entry.is_university:
                    members[parent].append(entry)
        for number, theirs in members.items():
            if len(theirs) >= SEVERAL:
                entry = self.entries[number]
                entry.member_cities = frozenset(city for each in theirs for city in each.cities) - entry.cities

    def _forget_places(self) -> None:
        """What is called like a city or a country, or by one common word, cannot be told from these."""
        self.place_words = {word for city in self.cities for word in city} | self.gazetteer.words
        for joined in list(self.names):
            key = tuple(joined.split(" "))
            common = len(key) == 1 and (self.is_common(joined) or joined.isdigit())
            if common or key in self.cities or self.gazetteer.is_place(key):
                del self.names[joined]


def _keys(known: KnownInstitution) -> Iterator[tuple[Key, int]]:
    for name, kind in known.names:
        strength = _KINDS[kind]
        for form in _forms(name):
            key = read_words(form).words[:LONGEST_KEY]
            if key and len(form if strength == ACRONYM else "".join(key)) > (2 if strength == ACRONYM else 1):
                yield key, strength


def _is_within(name: str, label: list[str]) -> bool:
    return f" {name} " in f" {' '.join(label)} "


def _forms(name: str) -> Iterator[str]:
    yield name
    inner = _IN_COUNTRY.match(name)
    if inner is not None:
        yield inner[1]
    digraphs = name.translate(_UMLAUTS)
    if digraphs != name:
        yield digraphs
