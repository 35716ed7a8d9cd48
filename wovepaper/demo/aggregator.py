"""The ids that an aggregator of publications gives to the authors of the invented works: mostly right.

As with real ones, some people have two ids, some of one name have one id between them, some authors have none, and what
was taken away goes by one number that is nobody's.
"""

from __future__ import annotations

from functools import lru_cache

from wovepaper.demo.chance import Chance
from wovepaper.demo.people import Person

NOBODY = "A9900000000"
"""Stands beside authors whose profile was taken away."""
_KNOWN = 0.95
"""Share of authors with an id."""
_TAKEN_AWAY = 0.03
_SPLIT = 0.1
"""Share of people with two ids."""
_RUN_TOGETHER = 0.1
"""Share of names whose bearers have one id between them."""


def author_id(seed: int, work: str, someone: Person) -> str:
    """The id beside somebody on the work with that DOI; empty where the aggregator knows none."""
    chance = Chance(seed, "aggregator", work, someone.key)
    if not chance.happens(_KNOWN):
        return ""
    if chance.happens(_TAKEN_AWAY):
        return NOBODY
    first, second = _ids_of(seed, someone.key, someone.name)
    return second if chance.happens(0.5) else first


@lru_cache(maxsize=100_000)
def _ids_of(seed: int, key: str, name: str) -> tuple[str, str]:
    """Both ids of somebody; for most people they are one and the same."""
    if Chance(seed, "run together", name).happens(_RUN_TOGETHER):
        number = _number(seed, name)
        return number, number
    first = _number(seed, key)
    return first, _number(seed, f"{key}/second") if Chance(seed, "split", key).happens(_SPLIT) else first


def _number(seed: int, key: str) -> str:
    return f"A99{Chance(seed, 'author id', key).below(10**8):08d}"
