"""Merging two objects: check, plan, apply, log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wovepaper.curation import assertions, queue
from wovepaper.curation.adapter import Action, Actor, Adapter
from wovepaper.curation.errors import Blocked, KeyReused, NotMergeable, Obstacle
from wovepaper.curation.fields import write_choices
from wovepaper.curation.journal import (
    compare_versions,
    find_event,
    raise_versions,
    require,
    require_reason,
    versions_as_json,
    write_log,
)
from wovepaper.curation.locking import Component, in_one_transaction, lock_components, read_components
from wovepaper.curation.models import MergeEventModel, MergeProposalModel
from wovepaper.curation.roots import newest_row, set_edge


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRequest:
    """What a form sends. ``versions`` are those it showed, for loser and survivor both; ``key`` is the form's own."""

    loser: int
    survivor: int
    reason: str
    versions: Mapping[int, int]
    key: str
    choices: Mapping[str, Any] = field(default_factory=dict)
    override: bool = False


@dataclass(frozen=True, slots=True)
class MergePlan:
    """What a merge would do, for the preview."""

    loser: int
    survivor: int
    versions: dict[int, int]
    obstacles: tuple[Obstacle, ...]
    second_curator_causes: tuple[str, ...]
    evidence: dict[str, Any]
    choices: dict[str, list[Any]]
    redirects: tuple[int, ...]
    """Numbers whose addresses will lead to the survivor and do not now."""


@dataclass(frozen=True, slots=True)
class MergeOutcome:
    """The event, or the proposal that waits for a second curator. ``repeated`` if the request had come before."""

    event: MergeEventModel | None = None
    proposal: MergeProposalModel | None = None
    repeated: bool = False


class Merge:
    """One merge that somebody asks for."""

    def __init__(self, adapter: Adapter, request: MergeRequest) -> None:
        self.adapter = adapter
        self.request = request

    def plan(self) -> MergePlan:
        """What would happen now. Locks nothing. Raises ``NotMergeable``."""
        pair = read_components(self.adapter, (self.request.loser, self.request.survivor))
        loser, survivor = pair[self.request.loser], pair[self.request.survivor]
        self._check_roots(loser, survivor)
        return MergePlan(
            loser=loser.root,
            survivor=survivor.root,
            versions=_versions(loser, survivor),
            obstacles=tuple(self._obstacles(loser, survivor)),
            second_curator_causes=tuple(self.adapter.second_curator_causes(loser.ids, survivor.ids)),
            evidence=self.adapter.snapshot(loser.ids, survivor.ids),
            choices=self.adapter.choices(loser.ids, survivor.ids),
            redirects=tuple(sorted(loser.ids)),
        )

    def apply(self, *, actor: Actor) -> MergeOutcome:
        """Merge, or propose to where a second curator must agree. The same request sent again changes nothing.

        Raises ``NotPermitted``, ``ReasonMissing``, ``KeyReused``, ``Conflict`` (the form is stale), ``NotMergeable``,
        ``Blocked`` (a decision, assertion or paper forbids it), ``ChoiceRefused``, ``Busy``.
        """
        return in_one_transaction(lambda: self._apply(actor, second=None))

    def confirm(self, *, actor: Actor, second: Actor) -> MergeOutcome:
        """Merge what ``actor`` proposed, ``second`` agreeing. Called by ``proposals`` inside its transaction."""
        return self._apply(actor, second=second)

    def _apply(self, actor: Actor, second: Actor | None) -> MergeOutcome:
        request = self.request
        reason = require_reason(request.reason)
        require(self.adapter, second or actor, Action.MERGE)
        if earlier := self._earlier(second):
            return earlier
        pair = lock_components(self.adapter, (request.loser, request.survivor))
        if earlier := self._earlier(second):
            return earlier
        loser, survivor = pair[request.loser], pair[request.survivor]
        now = {number: pair[number].members[number].version for number in (request.loser, request.survivor)}
        compare_versions(self.adapter, request.versions, now)
        self._check_roots(loser, survivor)
        obstacles = self._obstacles(loser, survivor)
        if obstacles:
            if not (request.override and all(obstacle.overridable for obstacle in obstacles)):
                raise Blocked(obstacles)
            require(self.adapter, second or actor, Action.OVERRIDE)
        evidence = self.adapter.snapshot(loser.ids, survivor.ids)
        causes = self.adapter.second_curator_causes(loser.ids, survivor.ids)
        if causes and second is None:
            return self._propose(actor, reason, causes, evidence)
        if actor.pk is None:
            evidence["automatic"] = True
        if obstacles:
            evidence["overridden"] = [obstacle.message for obstacle in obstacles]
        return MergeOutcome(event=self._write(loser, survivor, reason, evidence, actor, second))

    def _earlier(self, second: Actor | None) -> MergeOutcome | None:
        request = self.request
        event = find_event(self.adapter, request.key, kind="merge", loser=request.loser, survivor=request.survivor)
        if event is not None:
            return MergeOutcome(event=event, repeated=True)
        proposal = self.adapter.proposals._default_manager.filter(idempotency_key=request.key).first()
        if proposal is None or proposal.state == "confirmed":
            return None
        if (proposal.loser_id, proposal.survivor_id) != (request.loser, request.survivor):
            raise KeyReused("This form was sent before with other content. Open the page again.")
        return None if second else MergeOutcome(proposal=proposal, repeated=True)

    def _check_roots(self, loser: Component, survivor: Component) -> None:
        for number, component in ((self.request.loser, loser), (self.request.survivor, survivor)):
            if component.root != number:
                label = self.adapter.label
                raise NotMergeable(f"{label(number)} is merged into {label(component.root)} already.")
        if loser.root == survivor.root:
            raise NotMergeable("Choose two different ones.")

    def _obstacles(self, loser: Component, survivor: Component) -> list[Obstacle]:
        return [
            *assertions.obstacles(self.adapter, loser.ids, survivor.ids),
            *self.adapter.obstacles(loser.ids, survivor.ids),
        ]

    def _propose(self, actor: Actor, reason: str, causes: list[str], evidence: dict[str, Any]) -> MergeOutcome:
        request = self.request
        proposals = self.adapter.proposals._default_manager
        waiting = proposals.filter(loser=request.loser, survivor=request.survivor, state="open").first()
        if waiting is not None:
            return MergeOutcome(proposal=waiting, repeated=True)
        proposal = proposals.create(
            loser_id=request.loser,
            survivor_id=request.survivor,
            actor_id=actor.pk,
            reason=reason,
            causes=causes,
            choices=dict(request.choices),
            override=request.override,
            versions_seen=versions_as_json(request.versions),
            evidence=evidence,
            idempotency_key=request.key,
        )
        return MergeOutcome(proposal=proposal)

    def _write(
        self, loser: Component, survivor: Component, reason: str, evidence: dict[str, Any],
        actor: Actor, second: Actor | None,
    ) -> MergeEventModel:  # fmt: skip
        adapter, request = self.adapter, self.request
        changes = write_choices(adapter, survivor.root, request.choices, losers=loser.ids, survivors=survivor.ids)
        # Versions rise with what people do, which the log names one by one.
        by_people = actor.pk is not None
        versions = raise_versions(adapter, (loser.root, survivor.root)) if by_people else _versions(loser, survivor)
        event = adapter.events._default_manager.create(
            kind="merge",
            live=True,
            loser_id=loser.root,
            survivor_id=survivor.root,
            actor_id=actor.pk,
            confirmed_by_id=second.pk if second else None,
            reason=reason,
            evidence=evidence,
            field_changes=changes,
            last_row=newest_row(adapter, loser.ids | survivor.ids),
            versions_seen=versions_as_json(request.versions),
            versions_after=versions_as_json(versions),
            subjects=sorted(versions),
            idempotency_key=request.key,
        )
        if "overridden" in evidence:
            assertions.lift(adapter, loser.ids, survivor.ids, event=event, actor=actor)
            adapter.lift(loser.ids, survivor.ids, event=event, actor=actor)
        set_edge(adapter, loser.root, into=survivor.root, root=survivor.root, members=loser.ids)
        queue.close_merged(adapter, loser.ids)
        write_log(
            adapter,
            actor,
            {
                loser.root: f"Merged into {adapter.label(survivor.root)} (event {event.pk}): {reason}",
                survivor.root: f"Took in {adapter.label(loser.root)} (event {event.pk}): {reason}",
            },
        )
        adapter.after_move(bases=loser.ids, roots=(loser.root, survivor.root), reason="merge")
        return event


def _versions(loser: Component, survivor: Component) -> dict[int, int]:
    return {component.root: component.members[component.root].version for component in (loser, survivor)}
