"""What a domain app tells the engine about its objects."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from django.db import models

from wovepaper.curation.errors import Obstacle
from wovepaper.curation.models import (
    MergeEventModel,
)

Ids = frozenset[int]


class Action(StrEnum):
    """What an account may be allowed to do."""

    REVIEW = "review"
    MERGE = "merge"
    UNDO_OWN = "undo own"
    UNDO_ANY = "undo any"
    SPLIT = "split"
    OVERRIDE = "override a difference"


class Actor(Protocol):
    """An account, as far as the engine cares."""

    pk: Any

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Whether the account has a permission, ``app.codename``."""


@dataclass(frozen=True, slots=True)
class RootColumn:
    """A table that keeps the root beside the base of each row; ``root`` is empty where it follows from the base."""

    model: type[models.Model]
    base: str = "base"
    root: str = "root"


@dataclass(frozen=True, slots=True)
class Returned:
    """What the undo of a split brought back, and which rows it left where they are now, with the reason."""

    rows: tuple[int, ...]
    kept: Mapping[int, str]


class Adapter(ABC):
    """One kind of object that can be merged.

    Methods are called inside the engine's transaction, with the components locked, unless they say otherwise.
    ``losers`` and ``survivors`` are the numbers of all members of the two components.
    """

    kind: ClassVar[str]
    # Typed loosely: type checkers know neither the foreign keys that subclasses of these add, nor rows by them.
    objects: ClassVar[Any]  # type[MergeableModel]
    events: ClassVar[Any]  # type[MergeEventModel]
    assertions: ClassVar[Any]  # type[AssertionModel]
    candidates: ClassVar[Any]  # type[CandidateModel]
    proposals: ClassVar[Any]  # type[MergeProposalModel]
    addresses: ClassVar[Any]  # type[OldAddressModel]
    permissions: ClassVar[Mapping[Action, str]]
    rows: ClassVar[RootColumn]
    """The rows that splits move."""
    other_rows: ClassVar[tuple[RootColumn, ...]] = ()

    @abstractmethod
    def label(self, subject: int) -> str:
        """How logs and messages name an object: by number, never by a name that may be hidden one day."""

    @abstractmethod
    def obstacles(self, losers: Ids, survivors: Ids) -> list[Obstacle]:
        """What forbids a merge, besides assertions, which the engine knows. Also called for previews, unlocked."""

    @abstractmethod
    def lift(self, losers: Ids, survivors: Ids, *, event: MergeEventModel, actor: Actor) -> None:
        """Revoke the decisions behind the overridable ``obstacles``, in the name of ``event``."""

    @abstractmethod
    def reinstate(self, members: Ids) -> None:
        """Let decisions stand again whose overriding event is undone, where they are not broken at present."""

    @abstractmethod
    def second_curator_causes(self, losers: Ids, survivors: Ids) -> list[str]:
        """Why one curator may not decide alone, in words; empty where one may. Also called unlocked."""

    @abstractmethod
    def snapshot(self, losers: Ids, survivors: Ids) -> dict[str, Any]:
        """What is known now, for the event and for the preview: numbers, no names. Also called unlocked."""

    @abstractmethod
    def trusted_ids(self, members: Ids) -> set[str]:
        """Identifiers beyond doubt; a new one reopens the question whether two are the same."""

    @abstractmethod
    def read_fields(self, subject: int) -> dict[str, Any]:
        """The fields a merge may choose, with their present values."""

    @abstractmethod
    def write_fields(self, subject: int, values: Mapping[str, Any]) -> None:
        """Set them, and keep the old address where it changes."""

    @abstractmethod
    def choices(self, losers: Ids, survivors: Ids) -> dict[str, list[Any]]:
        """The values each field may get. Also called unlocked."""

    @abstractmethod
    def may_show(self, subject: int, field: str, value: Any, *, leaving: Ids = frozenset()) -> bool:
        """Whether a former value may come back; ``leaving`` are members of the component that are about to leave."""

    @abstractmethod
    def after_move(self, *, bases: Ids, roots: Iterable[int], reason: str) -> None:
        """Roots of the rows of ``bases`` have changed, or rows went to and from them: recount and reindex."""

    @abstractmethod
    def rescore(self, rows: Sequence[int]) -> None:
        """Let rows be decided anew that arrived while their base was merged."""

    @abstractmethod
    def plan_moves(
        self, rows: Sequence[int], *, source: Ids, target: Ids
    ) -> tuple[list[dict[str, Any]], list[Obstacle]]:
        """Lock rows; give for each what it is now (``row``, ``base`` and more), and what forbids moving it."""

    @abstractmethod
    def create_for(self, rows: Sequence[int], *, source: int) -> int:
        """A new object that these rows of ``source`` shall go to; returns its number."""

    @abstractmethod
    def apply_moves(self, event: MergeEventModel, *, target_root: int, source_root: int, actor: Actor) -> None:
        """Move the rows of ``event.base_moves`` to ``event.survivor`` and decide that they are not the source's."""

    @abstractmethod
    def return_moves(self, event: MergeEventModel, *, actor: Actor) -> Returned:
        """Move back what still is as the split left it. ``reinstate`` follows."""

    @abstractmethod
    def audit(self) -> list[str]:
        """What contradicts a decision, in words. Called unlocked."""

    @property
    def all_rows(self) -> tuple[RootColumn, ...]:
        """Every table with a root beside its base."""
        return tuple(column for column in (self.rows, *self.other_rows) if column.root)
