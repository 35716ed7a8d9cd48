"""What the matching decides and lists. Values only."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from researchers.matching.names import NameForm, Relation


class DecidedBy(enum.StrEnum):
    """Who or what decided an attribution."""

    HUMAN = "human"
    ORCID = "orcid"
    MODEL = "model"
    NEW = "new"


@dataclass(frozen=True, slots=True, order=True)
class Person:
    """A researcher of the catalogue by id, or a new one by its number in this resolution. One of both is ``None``."""

    known: int | None = None
    newcomer: int | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """One part of a score: what was compared, its value, and its contribution to the log-odds."""

    evidence: str
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Attribution:
    """Whose an authorship is, with the log-odds and probability that it is of the person's other ones.

    Both are ``None`` where nothing was compared: a person's decision, an ORCID, or the first authorship of someone.
    ``reasons`` are those of the nearest of the person's other authorships.
    """

    authorship: int
    person: Person
    decided_by: DecidedBy
    score: float | None = None
    probability: float | None = None
    reasons: tuple[Reason, ...] = ()


class ConflictKind(enum.StrEnum):
    """Why an ORCID was not followed."""

    REPEATED = "repeated"
    """It stands on several authors of the paper."""
    OTHER_NAME = "other name"
    """Its holder's names have no word in common with this one."""
    HELD_APART = "held apart"
    """People, or the paper's other authors, say that the authorship is not of its holder."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """An ORCID that was not followed, for curators; ``holder`` is the person whose it seems to be."""

    kind: ConflictKind
    authorship: int
    orcid: str
    holder: Person | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two people who may be one. ``relation`` is that of their closest names."""

    first: Person
    second: Person
    relation: Relation
    score: float
    probability: float
    reasons: tuple[Reason, ...] = ()
    different_orcids: bool = False


@dataclass(frozen=True, slots=True)
class Crowd:
    """One item for a name that many people bear, instead of hundreds of pairs."""

    name: NameForm
    people: tuple[Person, ...]
    newcomers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """An authorship whose printed name is not one that its researcher otherwise goes by."""

    authorship: int
    researcher: int
    name: NameForm
    usual: NameForm
    relation: Relation | None


@dataclass(frozen=True, slots=True)
class Resolution:
    """Everything decided of one batch, in the order of authorships' ids.

    ``newcomers`` holds the authorships of each new researcher; ``trusted_orcids`` the authorships whose ORCID may be
    kept as their researcher's; ``compared`` how many pairs were scored.
    """

    attributions: tuple[Attribution, ...] = ()
    newcomers: tuple[tuple[int, ...], ...] = ()
    trusted_orcids: dict[int, str] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    crowds: tuple[Crowd, ...] = ()
    compared: int = 0
