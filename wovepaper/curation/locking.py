"""Taking hold of everything that is shown as one, in an order that cannot deadlock."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import OperationalError, connection, transaction
from psycopg import errors as postgres

from wovepaper.curation.adapter import Adapter, Ids
from wovepaper.curation.errors import Busy, NotMergeable

ATTEMPTS = 5
_BUSY = "These keep changing just now. Try again in a moment."
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Member:
    """A locked object."""

    id: int
    merged_into: int | None
    root: int
    version: int


@dataclass(frozen=True, slots=True)
class Component:
    """A root and everything merged into it."""

    root: int
    members: dict[int, Member]

    @property
    def ids(self) -> Ids:
        """The numbers of all members."""
        return frozenset(self.members)

    def below(self, top: int) -> Ids:
        """``top`` and whatever is merged into it, directly or not."""
        children = defaultdict(list)
        for member in self.members.values():
            children[member.merged_into].append(member.id)
        found, waiting = set[int](), [top]
        while waiting:
            current = waiting.pop()
            found.add(current)
            waiting.extend(children[current])
        return frozenset(found)


class _Moved(Exception):
    pass


def lock_components(adapter: Adapter, subjects: Iterable[int]) -> dict[int, Component]:
    """Lock the components of these objects until the transaction ends; returns each object's component.

    All members of all of them are locked in the order of their numbers, so two transactions never wait for each
    other; whoever gives rows to a member locks its component in the same way and so waits too. What grew meanwhile is
    let go of and tried again. Raises ``NotMergeable`` for an unknown number, ``Busy`` after some attempts.
    """
    wanted = sorted(set(subjects))
    for _ in range(ATTEMPTS):
        try:
            with transaction.atomic():  # a savepoint: leaving it by an exception lets go of the locks
                return _lock_once(adapter, wanted)
        except _Moved:
            continue
    raise Busy(_BUSY)


def lock_components_of(adapter: Adapter, find: Callable[[], Iterable[int]]) -> dict[int, Component]:
    """Lock the components of the objects that ``find`` gives, which may be others by the time they are locked: what was
    found too early is let go of and looked for again. Raises as ``lock_components``.
    """
    for _ in range(ATTEMPTS):
        try:
            with transaction.atomic():
                return _lock_found(adapter, find)
        except _Moved:
            continue
    raise Busy(_BUSY)


def _lock_found(adapter: Adapter, find: Callable[[], Iterable[int]]) -> dict[int, Component]:
    wanted = set(find())
    components = lock_components(adapter, wanted)
    if not wanted.issuperset(find()):
        raise _Moved
    return components


def read_components(adapter: Adapter, subjects: Iterable[int]) -> dict[int, Component]:
    """The same without locks, for previews."""
    return _components(_read(adapter, sorted(set(subjects))), sorted(set(subjects)))


def _lock_once(adapter: Adapter, wanted: list[int]) -> dict[int, Component]:
    before = {member.id for member in _read(adapter, wanted)}
    list(
        adapter.objects._default_manager.filter(pk__in=before)
        .order_by("pk")
        .select_for_update(no_key=True)
        .values_list("pk", flat=True)
    )
    members = _read(adapter, wanted)
    if {member.id for member in members} - before:
        raise _Moved
    return _components(members, wanted)


def _read(adapter: Adapter, wanted: list[int]) -> list[Member]:
    objects: Any = adapter.objects._default_manager  # django-stubs cannot type values of an abstract model
    roots = objects.filter(pk__in=wanted).values("root")
    rows = objects.filter(root__in=roots).values_list("pk", "merged_into_id", "root_id", "version")
    return [Member(*row) for row in rows]


def _components(members: list[Member], wanted: list[int]) -> dict[int, Component]:
    by_root: defaultdict[int, dict[int, Member]] = defaultdict(dict)
    root_of = {}
    for member in members:
        by_root[member.root][member.id] = member
        root_of[member.id] = member.root
    for subject in wanted:
        if subject not in root_of:
            raise NotMergeable(f"There is no number {subject}.")
    return {subject: Component(root_of[subject], by_root[root_of[subject]]) for subject in wanted}


def in_one_transaction(work: Callable[[], T]) -> T:
    """Run ``work`` in a transaction; from the start again if the database broke a deadlock with somebody else.

    Raises ``Busy`` after some attempts. Inside a transaction of the caller, which alone could start again, the deadlock
    itself is raised.
    """
    if connection.in_atomic_block:
        with transaction.atomic():
            return work()
    for _ in range(ATTEMPTS):
        try:
            with transaction.atomic():
                return work()
        except OperationalError as error:
            if not isinstance(error.__cause__, postgres.DeadlockDetected):
                raise
    raise Busy(_BUSY)
