"""What is known of papers, authorships and researchers when it is decided who wrote what. Values only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from anyascii import anyascii

from researchers.matching.names import NameForm

_WORDS = re.compile(r"[a-z0-9]+")
_STOP_WORDS = frozenset(
    "a an the of for in on and with to from by using via as at is are be we its it into towards toward based".split()
)
_LONGEST_TITLE = 60
_LONGEST_AFFILIATION = 80
"""Words that are compared; hostile input is cut there."""


@dataclass(frozen=True, slots=True)
class PaperEvidence:
    """What a paper tells of each of its authors. ``authors`` holds the people's names, without collaborations.

    ``title`` are its words in order (``title_words``); ``affiliation`` those of all its authors' affiliations.
    """

    id: int
    authors: tuple[NameForm, ...] = ()
    title: tuple[str, ...] = ()
    affiliation: frozenset[str] = frozenset()
    venue: str = ""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class AuthorshipEvidence:
    """One name on one paper. ``affiliation`` are words (``affiliation_words``); ``orcid`` is normalised or empty.

    ``source_ids`` are authors' ids of sources that renumber them (``openalex:A123``): evidence, never keys.
    """

    id: int
    paper: PaperEvidence
    name: NameForm
    affiliation: frozenset[str] = frozenset()
    orcid: str = ""
    source_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class KnownResearcher:
    """A researcher of the catalogue, by the root of merges, with everything attributed to her.

    ``names`` may hold more than her authorships do: names that curators gave or hid. ``orcids`` are trusted ones.
    """

    id: int
    authorships: tuple[AuthorshipEvidence, ...] = ()
    names: tuple[NameForm, ...] = ()
    orcids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Decisions:
    """What people decided, which the model never overrules.

    ``is_of`` leads from authorships to researchers; ``is_not`` holds pairs of both; ``different`` pairs of
    researchers, the lower id first.
    """

    is_of: Mapping[int, int] = field(default_factory=dict)
    is_not: frozenset[tuple[int, int]] = frozenset()
    different: frozenset[tuple[int, int]] = frozenset()


@lru_cache(maxsize=50_000)
def title_words(title: str) -> tuple[str, ...]:
    """The words of a title in order, lower-case ASCII, without those that say nothing."""
    return tuple(word for word in _ascii_words(title) if word not in _STOP_WORDS)[:_LONGEST_TITLE]


def affiliation_words(affiliations: Iterable[str], institutions: Iterable[int] = ()) -> frozenset[str]:
    """The words of affiliations as printed, lower-case ASCII, and a word for each institution that they name.

    So two spellings of one place agree in something, as rare as the place is.
    """
    return _affiliation_words(tuple(affiliations), tuple(institutions))


@lru_cache(maxsize=50_000)
def _affiliation_words(affiliations: tuple[str, ...], institutions: tuple[int, ...]) -> frozenset[str]:
    words = [word for text in affiliations for word in _ascii_words(text)]
    return frozenset(words[:_LONGEST_AFFILIATION]) | {f"@{one}" for one in institutions}


def _ascii_words(text: str) -> list[str]:
    return _WORDS.findall((text if text.isascii() else anyascii(text)).lower())
