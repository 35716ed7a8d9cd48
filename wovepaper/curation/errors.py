"""Why a curator's wish was not carried out. Views turn these into pages and answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class CurationError(Exception):
    """Nothing was changed. The text says what to do."""


class NotPermitted(CurationError):
    """The account lacks a permission."""


class ReasonMissing(CurationError):
    """Every decision needs a reason."""


class NotMergeable(CurationError):
    """The two are the same object, already one, or gone."""


class ChoiceRefused(CurationError):
    """A value chosen for a field is none of those to choose from."""


class AlreadyUndone(CurationError):
    """The event is not in force any more."""


class KeyReused(CurationError):
    """The idempotency key came with another request before."""


class LeaseLost(CurationError):
    """Somebody else works on the candidate."""


class AlreadyDecided(CurationError):
    """The proposal was confirmed or rejected before."""


class Busy(CurationError):
    """The objects kept changing while they were being locked."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something that forbids a merge or split. ``references`` are the numbers of the rows that say so.

    ``by`` is the account that said so, where one did: a split overrides its own actor's word without a permission.
    """

    code: str
    message: str
    overridable: bool = False
    references: tuple[int, ...] = ()
    by: int | None = None


class Blocked(CurationError):
    """A decision or a fact stands in the way; ``obstacles`` names each."""

    def __init__(self, obstacles: Sequence[Obstacle]) -> None:
        super().__init__(" ".join(obstacle.message for obstacle in obstacles))
        self.obstacles = tuple(obstacles)


@dataclass(frozen=True, slots=True)
class Change:
    """An object that is not what the form showed. ``entries`` are the log entries since, oldest first."""

    subject: int
    label: str
    seen: int
    now: int
    entries: tuple[Any, ...]


class Conflict(CurationError):
    """The form showed older versions; ``changes`` says what happened since. Answer: 409."""

    def __init__(self, changes: Sequence[Change]) -> None:
        what = "; ".join(
            f"{change.label}: " + (", ".join(entry.change_message for entry in change.entries) or "changed")
            for change in changes
        )
        super().__init__(f"Changed since you opened this page. {what}")
        self.changes = tuple(changes)
