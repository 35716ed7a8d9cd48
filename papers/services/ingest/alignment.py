"""Which author of one list is which of another. Pure: lists in, pairs out."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from wovepaper.lib.names import split_name
from wovepaper.lib.text import strip_accents

SAME_PLACE_LIKENESS = 75.0
"""From 0 to 100 (``rapidfuzz.fuzz.ratio``): so alike are two spellings of one name at the same place."""


@dataclass(frozen=True, slots=True)
class Place:
    """An entry of an author list, as far as it tells who it is. ``source_ids`` are pairs of source and author id."""

    name: str
    orcids: frozenset[str] = frozenset()
    source_ids: frozenset[tuple[str, str]] = frozenset()


def align(old: Sequence[Place], new: Sequence[Place], *, same_work: bool = False) -> list[int | None]:
    """For each entry of ``new`` the index of the entry of ``old`` it is, or ``None``; none is given twice.

    By ORCID, then by the sources' author ids, then by name in order (so the second J. Smith is the second J. Smith),
    then, where only one on either side is left, by family name and initial, by the words behind an initial (``M. Quill
    Ode``, ``Mira Quill-Ode``) and by the same words in another order; then by place if the spellings are alike. Two
    different ORCIDs are never one author. ``same_work`` says that both lists are of one state of the paper, printed by
    two sources: then two lists of one length agree in what is left place by place.
    """
    result: list[int | None] = [None] * len(new)
    if list(old) == list(new):
        return list(range(len(new)))
    taken = [False] * len(old)

    def take(new_index: int, old_index: int) -> None:
        result[new_index] = old_index
        taken[old_index] = True

    _by_ids(old, new, result, taken, take, lambda place: place.orcids)
    _by_ids(old, new, result, taken, take, lambda place: place.source_ids)
    _by_name(old, new, result, taken, take)
    for key in (initials_key, _words_key, _unordered_key):
        if None not in result:
            break
        _by_unique_key(old, new, result, taken, take, key)
    for index in range(min(len(old), len(new))):
        if result[index] is None and not taken[index] and not _differ(old[index], new[index]):
            alike = fuzz.ratio(name_key(old[index].name), name_key(new[index].name)) >= SAME_PLACE_LIKENESS
            if alike or (same_work and len(old) == len(new)):
                take(index, index)
    return result


@lru_cache(maxsize=65_536)
def name_key(name: str) -> str:
    """A printed name without case, accents, punctuation and suffix, given name first."""
    if "," in name:
        parts = split_name(name)
        name = f"{parts.given}{parts.family}"
    key = "".join(character for character in strip_accents(name).casefold() if character.isalnum())
    return key or name


@lru_cache(maxsize=65_536)
def initials_key(name: str) -> tuple[str, str]:
    """Family name and first initial, folded."""
    parts = split_name(name)
    return name_key(parts.family), strip_accents(parts.given).casefold()[:1]


@lru_cache(maxsize=65_536)
def _words(name: str) -> tuple[str, ...]:
    """The words of a printed name, folded, given name first; hyphens part words."""
    if "," in name:
        parts = split_name(name)
        name = f"{parts.given} {parts.family}"
    folded = strip_accents(name).casefold()
    return tuple("".join(letter if letter.isalnum() else " " for letter in folded).split()) or (name,)


def _words_key(name: str) -> tuple[str, ...]:
    """The first letter, and the words behind the first one."""
    first, *rest = _words(name)
    return (first[:1], *rest)


def _unordered_key(name: str) -> tuple[str, ...]:
    return tuple(sorted(_words(name)))


def _differ(one: Place, other: Place) -> bool:
    return bool(one.orcids and other.orcids and not one.orcids & other.orcids)


def _by_ids(
    old: Sequence[Place],
    new: Sequence[Place],
    result: list[int | None],
    taken: list[bool],
    take: Callable[[int, int], None],
    ids_of: Callable[[Place], frozenset[Hashable]],
) -> None:
    known: dict[Hashable, int] = {}
    for index, place in enumerate(old):
        if not taken[index]:
            for identifier in ids_of(place):
                known.setdefault(identifier, index)
    if not known:
        return
    for index, place in enumerate(new):
        if result[index] is None:
            for identifier in sorted(ids_of(place), key=str):
                found = known.get(identifier)
                if found is not None and not taken[found] and not _differ(old[found], place):
                    take(index, found)
                    break


def _by_name(
    old: Sequence[Place],
    new: Sequence[Place],
    result: list[int | None],
    taken: list[bool],
    take: Callable[[int, int], None],
) -> None:
    queues: defaultdict[str, deque[int]] = defaultdict(deque)
    for index, place in enumerate(old):
        if not taken[index]:
            queues[name_key(place.name)].append(index)
    for index, place in enumerate(new):
        if result[index] is None and (queue := queues.get(name_key(place.name))):
            found = next((candidate for candidate in queue if not _differ(old[candidate], place)), None)
            if found is not None:
                queue.remove(found)
                take(index, found)


def _by_unique_key(
    old: Sequence[Place],
    new: Sequence[Place],
    result: list[int | None],
    taken: list[bool],
    take: Callable[[int, int], None],
    key: Callable[[str], Hashable],
) -> None:
    left: defaultdict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for index, place in enumerate(old):
        if not taken[index]:
            left[key(place.name)][0].append(index)
    for index, place in enumerate(new):
        if result[index] is None:
            left[key(place.name)][1].append(index)
    for olds, news in left.values():
        if len(olds) == len(news) == 1 and not _differ(old[olds[0]], new[news[0]]):
            take(news[0], olds[0])
