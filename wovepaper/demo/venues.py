"""Where the invented papers appear: a few journals and a conference for each field of words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from wovepaper.demo.chance import Chance
from wovepaper.demo.fields import Field

PUBLISHERS = ("Nowhere Press", "Society of Made-up Letters", "Pretended Academic", "Fable & Sons")

_PATTERNS = (
    "Journal of Invented {}", "Imaginary Letters on {}", "Annals of Made-up {}", "Fictional Review of {}",
    "Proceedings of the Nowhere Conference on {}", "Transactions on Pretended {}",
)  # fmt: skip
_CONFERENCE = 4


@dataclass(frozen=True, slots=True)
class Venue:
    """A journal or the proceedings of a conference."""

    name: str
    publisher: str
    is_conference: bool = False


@lru_cache(maxsize=256)
def venues_of(field: Field) -> tuple[Venue, ...]:
    """Those of a field, the commonest first."""
    subjects = field.vocabulary.subjects
    return tuple(
        Venue(
            pattern.format(_capitals(subjects[place % len(subjects)])),
            PUBLISHERS[place % len(PUBLISHERS)],
            place == _CONFERENCE,
        )
        for place, pattern in enumerate(_PATTERNS)
    )


def venue_of(field: Field, chance: Chance) -> Venue:
    """One of them, the earlier ones more often."""
    return chance.common(venues_of(field))


def venue_named(name: str, field: Field) -> Venue:
    """The one with that name."""
    return next(venue for venue in venues_of(field) if venue.name == name)


def _capitals(words: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in words.split())
