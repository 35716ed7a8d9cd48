"""What a query asks, as values: no engine and no syntax in it.

``SearchQuery`` and the parser of raw queries make conditions; ``queries.QueryBuilder`` turns them into the engine's
queries. A field of ``None`` is the document, Haystack's ``content``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MatchAll:
    """Every document."""


@dataclass(frozen=True, slots=True)
class MatchNone:
    """No document."""


@dataclass(frozen=True, slots=True)
class Words:
    """All the words, in any order, stemmed where the field is; on a field of another type, the value."""

    field: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words next to each other as printed; on a field of another type, the value."""

    field: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Equals:
    """The value, in the field's own type."""

    field: str | None
    value: object


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of the values."""

    field: str | None
    values: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Affix:
    """Words of which each begins with (open right), ends with (open left) or contains (both) a word of the text."""

    field: str | None
    text: str
    open_left: bool = False
    open_right: bool = False


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """Words at most two edits away (one for short words, none below three letters)."""

    field: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Between:
    """A range; ``None`` is open."""

    field: str | None
    lower: object | None = None
    upper: object | None = None
    include_lower: bool = True
    include_upper: bool = True


@dataclass(frozen=True, slots=True)
class Every:
    """All of the parts; without parts, everything."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of the parts; without parts, nothing."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """What the part does not match."""

    part: Condition


@dataclass(frozen=True, slots=True)
class Boosted:
    """The part, its score multiplied."""

    part: Condition
    factor: float


@dataclass(frozen=True, slots=True)
class Preferring:
    """What ``part`` matches, the documents that ``preferred`` match too ranked higher."""

    part: Condition
    preferred: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The words as a reader types them: all of them to count, some of them to rank.

    ``title`` names the field whose text is short and telling: what has the words there as they stand comes first.
    ``phrases`` are asked for like words, each as a whole; ``text`` has their words too.
    """

    field: str | None
    text: str
    title: str = ""
    phrases: tuple[str, ...] = ()


Leaf = Words | Phrase | Equals | OneOf | Affix | Fuzzy | Between | Ranked
Condition = MatchAll | MatchNone | Leaf | Every | Some | Negated | Boosted | Preferring


def positive_leaves(condition: Condition) -> Iterator[Leaf]:
    """The leaves a match can be due to: everything that is not negated."""
    match condition:
        case Every(parts) | Some(parts):
            for part in parts:
                yield from positive_leaves(part)
        case Boosted(part, _):
            yield from positive_leaves(part)
        case Preferring(part, preferred):
            yield from positive_leaves(part)
            for wish in preferred:
                yield from positive_leaves(wish)
        case MatchAll() | MatchNone() | Negated():
            return
        case _:
            yield condition


def searched_text(condition: Condition) -> str:
    """The words a person would have typed for this condition, for spelling."""
    return " ".join(
        leaf.text
        for leaf in positive_leaves(condition)
        if isinstance(leaf, Words | Phrase | Affix | Fuzzy | Ranked) and leaf.text
    )
