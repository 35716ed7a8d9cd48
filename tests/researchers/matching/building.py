"""Invented papers and people, as evidence."""

from __future__ import annotations

import itertools

from researchers.matching.evidence import (
    AuthorshipEvidence,
    Decisions,
    KnownResearcher,
    PaperEvidence,
    affiliation_words,
    title_words,
)
from researchers.matching.names import NameForm, name_form
from researchers.matching.outcomes import Person, Resolution
from researchers.matching.population import Population
from researchers.matching.resolve import resolve
from researchers.matching.weights import default_weights
from wovepaper.lib.names import split_name


def form(printed: str) -> NameForm:
    parts = split_name(printed)
    return name_form(parts.given, parts.family, parts.suffix)


_TOPICS = "glacier lichen tariff enzyme quarry violin harbour orchid turbine monsoon pottery comet".split()


class Catalogue:
    """Numbers papers and authorships as they are added."""

    def __init__(self) -> None:
        self.authorships: list[AuthorshipEvidence] = []
        self._papers = itertools.count(1)

    def paper(
        self,
        *printed: str,
        title: str = "",
        year: int = 2020,
        affiliation: str = "",
        orcids: tuple[str, ...] = (),
        venue: str = "",
    ) -> list[AuthorshipEvidence]:
        """A paper by these names; the affiliation is everybody's. Returns its authorships in order."""
        names = tuple(form(name) for name in printed)
        number = next(self._papers)
        words = affiliation_words([affiliation] if affiliation else [])
        title = title or f"{_TOPICS[number % len(_TOPICS)]} {_TOPICS[number * 5 % len(_TOPICS)]} number{number}"
        paper = PaperEvidence(number, names, title_words(title), words, venue, year)
        rows = [
            AuthorshipEvidence(len(self.authorships) + at, paper, name, words, orcid)
            for at, (name, orcid) in enumerate(itertools.zip_longest(names, orcids, fillvalue=""), 1)
            if isinstance(name, NameForm)
        ]
        self.authorships += rows
        return rows


def population(*extra: str, catalogue: Catalogue | None = None) -> Population:
    """Name counts of the catalogue and of further names, or of 2,000 names that nobody else has."""
    found = Population()
    others = Catalogue()
    for number in range(0 if extra else 2000):
        others.paper(f"Q{_letters(number)} Z{_letters(number)}", title=f"filler{number}")
    for name in extra:
        others.paper(name, title="filler")
    found.add(others.authorships)
    if catalogue:
        found.add(catalogue.authorships)
    return found


_CONSONANTS = "bcdfghjklmnprstvwxyz"
_SYLLABLES = [f"{consonant.upper()}{vowel}lo" for consonant in _CONSONANTS for vowel in "aeiou"]
COMMON = tuple(
    [f"{given} {family}" for given in _SYLLABLES for family in ("Liu", "Lee")]
    + [f"{given} {family}" for given in ("Yang", "Jia", "Jun") for family in _SYLLABLES]
)
"""Names whose parts many people bear: with them, about 4 people are expected to be called ``Yang Liu``."""


def _letters(number: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def decide(
    new: list[AuthorshipEvidence],
    known: list[KnownResearcher] | None = None,
    *,
    counts: Population,
    decisions: Decisions | None = None,
) -> Resolution:
    return resolve(
        known=known or [], new=new, population=counts, weights=default_weights(), decisions=decisions or Decisions()
    )


def groups(resolution: Resolution) -> list[tuple[int, ...]]:
    """The authorships of each person, new ones and known ones alike."""
    found: dict[Person, list[int]] = {}
    for attribution in resolution.attributions:
        found.setdefault(attribution.person, []).append(attribution.authorship)
    return sorted(tuple(sorted(ids)) for ids in found.values())


def person_of(resolution: Resolution, authorship: AuthorshipEvidence) -> Person:
    (found,) = [one.person for one in resolution.attributions if one.authorship == authorship.id]
    return found


def researcher(
    number: int, *authorships: AuthorshipEvidence, orcids: tuple[str, ...] = (), names: tuple[str, ...] = ()
) -> KnownResearcher:
    return KnownResearcher(number, authorships, tuple(form(name) for name in names), frozenset(orcids))
