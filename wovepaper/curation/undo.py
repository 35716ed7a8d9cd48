"""Taking back any merge or split that is in force, whatever happened since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wovepaper.curation import assertions, queue
from wovepaper.curation.adapter import Action, Actor, Adapter, Ids, Returned
from wovepaper.curation.errors import AlreadyUndone, NotMergeable, NotPermitted
from wovepaper.curation.fields import FieldsBack, plan_fields_back
from wovepaper.curation.journal import (
    compare_versions,
    find_event,
    may,
    raise_versions,
    require_reason,
    versions_as_json,
    write_log,
)
from wovepaper.curation.locking import Component, in_one_transaction, lock_components, read_components
from wovepaper.curation.models import MergeEventModel
from wovepaper.curation.roots import rows_since, set_edge


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What an undo would do, for the preview."""

    event: MergeEventModel
    leaving: Ids
    """Numbers that get their own address back (of a merge)."""
    fields: FieldsBack
    arrived: tuple[int, ...]
    """Rows given to either side since, to be decided anew (of a merge)."""
    versions: dict[int, int]


@dataclass(frozen=True, slots=True)
class UndoOutcome:
    """What an undo did."""

    event: MergeEventModel
    fields: FieldsBack
    arrived: tuple[int, ...] = ()
    returned: Returned | None = None
    repeated: bool = False


class Undo:
    """One undo that somebody asks for. ``versions`` may hold what the form showed; what it holds is compared."""

    def __init__(
        self, adapter: Adapter, *, event: int, reason: str, key: str, versions: Mapping[int, int] | None = None
    ) -> None:
        self.adapter = adapter
        self.event_id = event
        self.reason = reason
        self.key = key
        self.versions = dict(versions or {})

    def plan(self) -> UndoPlan:
        """What would happen now. Locks nothing. Raises ``NotMergeable``, ``AlreadyUndone``."""
        event = self._event()
        if not event.live:
            raise AlreadyUndone("This is undone already.")
        component = read_components(self.adapter, (event.loser_id,))[event.loser_id]
        merged = event.kind == "merge"
        leaving = component.below(event.loser_id) if merged else frozenset()
        return UndoPlan(
            event=event,
            leaving=leaving,
            fields=plan_fields_back(self.adapter, event, leaving=leaving),
            arrived=tuple(rows_since(self.adapter, component.ids, event.last_row)) if merged else (),
            versions={component.root: component.members[component.root].version},
        )

    def apply(self, *, actor: Actor) -> UndoOutcome:
        """Undo. The same request sent again changes nothing.

        Raises ``NotPermitted``, ``ReasonMissing``, ``KeyReused``, ``NotMergeable`` (no such event), ``AlreadyUndone``,
        ``Conflict``, ``Busy``.
        """
        return in_one_transaction(lambda: self._apply(actor))

    def _event(self) -> MergeEventModel:
        event = self.adapter.events._default_manager.filter(pk=self.event_id).exclude(kind="undo").first()
        if event is None:
            raise NotMergeable(f"There is no merge or split {self.event_id}.")
        return event

    def _apply(self, actor: Actor) -> UndoOutcome:
        adapter = self.adapter
        reason = require_reason(self.reason)
        event = self._event()
        # What no account did may be undone like one's own.
        own = actor.pk in (event.actor_id, event.confirmed_by_id) or bool(event.evidence.get("automatic"))
        if not may(adapter, actor, Action.UNDO_ANY) and not (own and may(adapter, actor, Action.UNDO_OWN)):
            raise NotPermitted("Your account may not undo this: only your own, or with the permission for any.")
        if earlier := self._earlier(event):
            return earlier
        # What a split moved goes back to its bases, which may have been parted from its source since.
        subjects = {event.loser_id, event.survivor_id, *(move["base"] for move in event.base_moves)}
        components = lock_components(adapter, subjects)
        if earlier := self._earlier(event):
            return earlier
        event = self._event()
        if not event.live:
            raise AlreadyUndone("Somebody has undone this already.")
        present = {number: member for component in components.values() for number, member in component.members.items()}
        compare_versions(
            adapter, self.versions, {number: present[number].version for number in self.versions if number in present}
        )
        if event.kind == "merge":
            return self._undo_merge(event, components[event.loser_id], reason, actor)
        return self._undo_split(event, components, reason, actor)

    def _earlier(self, event: MergeEventModel) -> UndoOutcome | None:
        done = find_event(self.adapter, self.key, kind="undo", loser=event.loser_id, survivor=event.survivor_id)
        return None if done is None else UndoOutcome(done, FieldsBack({}, ()), repeated=True)

    def _undo_merge(self, event: MergeEventModel, component: Component, reason: str, actor: Actor) -> UndoOutcome:
        adapter = self.adapter
        leaving = component.below(event.loser_id)
        fields = plan_fields_back(adapter, event, leaving=leaving)
        arrived = tuple(rows_since(adapter, component.ids, event.last_row))
        if fields.restored:
            adapter.write_fields(event.survivor_id, fields.restored)
        set_edge(adapter, event.loser_id, into=None, root=event.loser_id, members=leaving)
        touched = {event.loser_id, event.survivor_id, component.root}
        undone = self._write(
            event, touched, reason, actor,
            {"arrived": list(arrived), "fields_restored": sorted(fields.restored), "fields_kept": list(fields.kept)},
        )  # fmt: skip
        self._settle(component.ids)
        adapter.after_move(bases=leaving, roots=(event.loser_id, component.root), reason="undo")
        if arrived:
            adapter.rescore(arrived)
        return UndoOutcome(undone, fields, arrived=arrived)

    def _undo_split(
        self, event: MergeEventModel, components: Mapping[int, Component], reason: str, actor: Actor
    ) -> UndoOutcome:
        adapter = self.adapter
        returned = adapter.return_moves(event, actor=actor)
        roots = {component.root for component in components.values()}
        touched = {*roots, event.loser_id, event.survivor_id}
        undone = self._write(
            event, touched, reason, actor,
            {"returned": list(returned.rows), "kept": {str(row): why for row, why in returned.kept.items()}},
        )  # fmt: skip
        self._settle(frozenset().union(*(component.ids for component in components.values())))
        adapter.after_move(bases=frozenset(), roots=roots, reason="undo")
        return UndoOutcome(undone, FieldsBack({}, ()), returned=returned)

    def _write(
        self, event: MergeEventModel, touched: set[int], reason: str, actor: Actor, evidence: dict[str, Any]
    ) -> MergeEventModel:
        adapter = self.adapter
        events = adapter.events._default_manager
        events.filter(pk=event.pk).update(live=False)
        versions = raise_versions(adapter, touched)
        undone = events.create(
            kind="undo",
            undoes=event,
            loser_id=event.loser_id,
            survivor_id=event.survivor_id,
            actor_id=actor.pk,
            reason=reason,
            evidence=evidence,
            versions_seen=versions_as_json(self.versions),
            versions_after=versions_as_json(versions),
            subjects=sorted(versions),
            idempotency_key=self.key,
        )
        message = f"Undid the {event.kind} of {adapter.label(event.loser_id)} and {adapter.label(event.survivor_id)}"
        write_log(adapter, actor, dict.fromkeys(versions, f"{message} (event {event.pk}): {reason}"))
        return undone

    def _settle(self, members: Ids) -> None:
        """What the event overrode stands again, and its candidates are open."""
        assertions.reinstate(self.adapter, members)
        self.adapter.reinstate(members)
        queue.reopen_parted(self.adapter, members)
