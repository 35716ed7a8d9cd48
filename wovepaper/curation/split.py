"""Splitting chosen rows off an object, to a new one or to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wovepaper.curation.adapter import Action, Actor, Adapter
from wovepaper.curation.errors import Blocked, NotMergeable, Obstacle
from wovepaper.curation.journal import (
    compare_versions,
    find_event,
    raise_versions,
    require,
    require_reason,
    versions_as_json,
    write_log,
)
from wovepaper.curation.locking import in_one_transaction, lock_components
from wovepaper.curation.models import MergeEventModel


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitRequest:
    """What a form sends: rows of the root ``source`` that go to the root ``target``, or to a new object if ``None``.

    ``versions`` are those the form showed, of the source and of an existing target. ``override`` goes against what
    others decided about the rows, which is revoked as long as the split is in force; what the actor decided gives way
    without it.
    """

    source: int
    rows: Sequence[int]
    reason: str
    versions: Mapping[int, int]
    key: str
    target: int | None = None
    override: bool = False


@dataclass(frozen=True, slots=True)
class SplitOutcome:
    """What a split did."""

    event: MergeEventModel
    repeated: bool = False


class Split:
    """One split that somebody asks for."""

    def __init__(self, adapter: Adapter, request: SplitRequest) -> None:
        self.adapter = adapter
        self.request = request

    def apply(self, *, actor: Actor) -> SplitOutcome:
        """Move the rows. The same request sent again changes nothing.

        Raises ``NotPermitted``, ``ReasonMissing``, ``KeyReused``, ``Conflict``, ``NotMergeable`` (source or target are
        no roots, or one), ``Blocked`` (a row is elsewhere by now, or a decision forbids the target, or somebody else
        decided that it is the source's), ``Busy``.
        """
        return in_one_transaction(lambda: self._apply(actor))

    def _apply(self, actor: Actor) -> SplitOutcome:
        adapter, request = self.adapter, self.request
        reason = require_reason(request.reason)
        require(adapter, actor, Action.SPLIT)
        if earlier := self._earlier():
            return earlier
        subjects = [request.source] if request.target is None else [request.source, request.target]
        components = lock_components(adapter, subjects)
        if earlier := self._earlier():
            return earlier
        compare_versions(
            adapter, request.versions, {number: components[number].members[number].version for number in subjects}
        )
        for number in subjects:
            if components[number].root != number:
                raise NotMergeable(f"{adapter.label(number)} is merged into {adapter.label(components[number].root)}.")
        if request.target == request.source:
            raise NotMergeable("Choose another target than the source.")
        source = components[request.source]
        target_ids = frozenset() if request.target is None else components[request.target].ids
        rows = sorted(set(request.rows))
        moves, obstacles = adapter.plan_moves(rows, source=source.ids, target=target_ids)
        if not rows:
            obstacles = [Obstacle("nothing", "Choose what to move.")]
        obstacles = [one for one in obstacles if not (one.overridable and one.by is not None and one.by == actor.pk)]
        if obstacles:
            if not (request.override and all(obstacle.overridable for obstacle in obstacles)):
                raise Blocked(obstacles)
            require(adapter, actor, Action.OVERRIDE)
        target = request.target if request.target is not None else adapter.create_for(rows, source=source.root)
        overridden = [obstacle.message for obstacle in obstacles]
        event = self._write(source.root, target, moves, reason, actor, overridden)
        adapter.apply_moves(event, target_root=target, source_root=source.root, actor=actor)
        adapter.after_move(bases=frozenset(), roots=(source.root, target), reason="split")
        return SplitOutcome(event)

    def _earlier(self) -> SplitOutcome | None:
        request = self.request
        done = find_event(self.adapter, request.key, kind="split", loser=request.source, survivor=request.target)
        return None if done is None else SplitOutcome(done, repeated=True)

    def _write(
        self,
        source: int,
        target: int,
        moves: list[dict[str, Any]],
        reason: str,
        actor: Actor,
        overridden: list[str],
    ) -> MergeEventModel:
        adapter = self.adapter
        versions = raise_versions(adapter, (source, target))
        event = adapter.events._default_manager.create(
            kind="split",
            live=True,
            loser_id=source,
            survivor_id=target,
            actor_id=actor.pk,
            reason=reason,
            evidence={"created_target": self.request.target is None}
            | ({"overridden": overridden} if overridden else {}),
            base_moves=moves,
            versions_seen=versions_as_json(self.request.versions),
            versions_after=versions_as_json(versions),
            subjects=sorted(versions),
            idempotency_key=self.request.key,
        )
        write_log(
            adapter,
            actor,
            {
                source: f"{len(moves)} split off to {adapter.label(target)} (event {event.pk}): {reason}",
                target: f"{len(moves)} taken over from {adapter.label(source)} (event {event.pk}): {reason}",
            },
        )
        return event
