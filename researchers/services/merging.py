"""Merging, splitting and telling researchers apart: what pages, the admin and the API call.

Thin: the rules are the engine's (``wovepaper.curation``) and the adapter's (``researchers.merging``). Every function
raises the engine's ``CurationError``s and changes nothing then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from researchers.former_names import former_names_of
from researchers.merging import ADAPTER
from researchers.models import Assertion, MergeEvent, MergeProposal, Researcher
from wovepaper.curation import services as curation
from wovepaper.curation.services import (
    Actor,
    Merge,
    MergeOutcome,
    MergePlan,
    MergeRequest,
    SplitOutcome,
    SplitRequest,
    UndoOutcome,
    UndoPlan,
    in_one_transaction,
    wake,
)

ActKind = Literal["events", "assertions", "proposals", "item"]
"""What a curator's act left behind: it says how to take the act back."""


def plan_merge(*, loser: int, survivor: int) -> MergePlan:
    """What a merge would do, for the preview and for the versions that the form must carry."""
    return Merge(ADAPTER, MergeRequest(loser=loser, survivor=survivor, reason="", versions={}, key="")).plan()


def merge_researchers(
    *,
    loser: int,
    survivor: int,
    actor: Actor,
    reason: str,
    versions: Mapping[int, int],
    key: str,
    display_name: str | None = None,
    override: bool = False,
) -> MergeOutcome:
    """Merge, or propose it where a second curator must agree. See ``wovepaper.curation.merge.Merge.apply``.

    The survivor's name goes on being shown, unless the other had it hidden: then their name, if none is chosen.
    """
    if display_name is None and (former := former_names_of(loser)).keys:
        own = Researcher.objects.filter(pk=survivor).values_list("display_name", flat=True).first()
        display_name = former.instead if own is not None and former.hide(own) else None
    request = MergeRequest(
        loser=loser,
        survivor=survivor,
        reason=reason,
        versions=versions,
        key=key,
        choices={} if display_name is None else {"display_name": display_name},
        override=override,
    )
    return Merge(ADAPTER, request).apply(actor=actor)


def merge_several(
    *,
    survivor: int,
    losers: Sequence[int],
    actor: Actor,
    reason: str,
    versions: Mapping[int, int],
    key: str,
    display_name: str | None = None,
    override: bool = False,
) -> tuple[list[MergeEvent], list[MergeProposal]]:
    """Merge each into the survivor, all or none; sent again with the same key, it gives the same events.

    The survivor's version rises with each, which the next takes into account. Where a second curator must agree there
    is a proposal in place of an event.
    """

    def work() -> tuple[list[MergeEvent], list[MergeProposal]]:
        events: list[MergeEvent] = []
        proposals: list[MergeProposal] = []
        known = dict(versions)
        for loser in losers:
            outcome = merge_researchers(
                loser=loser,
                survivor=survivor,
                actor=actor,
                reason=reason,
                versions=known,
                key=f"{key}-{loser}",
                display_name=display_name,
                override=override,
            )
            if outcome.event is not None:
                events.append(outcome.event)  # type: ignore[arg-type]
                known[survivor] = outcome.event.versions_after.get(str(survivor), known.get(survivor, 0))
            elif outcome.proposal is not None:
                proposals.append(outcome.proposal)  # type: ignore[arg-type]
        return events, proposals

    return in_one_transaction(work)


def confirm_merge(*, proposal: int, actor: Actor, versions: Mapping[int, int], answer: str = "") -> MergeOutcome:
    """Agree to a proposed merge as the second curator."""
    return curation.confirm_proposal(ADAPTER, proposal=proposal, actor=actor, versions=versions, answer=answer)


def reject_merge(*, proposal: int, actor: Actor, answer: str) -> None:
    """Turn a proposed merge down."""
    curation.reject_proposal(ADAPTER, proposal=proposal, actor=actor, answer=answer)


def plan_undo(*, event: int) -> UndoPlan:
    """What an undo would do, for the preview."""
    return curation.Undo(ADAPTER, event=event, reason="", key="").plan()


def undo_event(
    *, event: int, actor: Actor, reason: str, key: str, versions: Mapping[int, int] | None = None
) -> UndoOutcome:
    """Take back a merge or split in force, whatever happened since. See ``wovepaper.curation.undo.Undo.apply``."""
    return curation.Undo(ADAPTER, event=event, reason=reason, key=key, versions=versions).apply(actor=actor)


def split_researcher(
    *,
    source: int,
    attributions: Sequence[int],
    actor: Actor,
    reason: str,
    versions: Mapping[int, int],
    key: str,
    target: int | None = None,
    override: bool = False,
) -> SplitOutcome:
    """Give chosen attributions to a new researcher or another one, and decide that they are not the source's.

    What somebody else decided stands against it, unless ``override`` is asked for by who may.
    """
    request = SplitRequest(
        source=source,
        rows=attributions,
        reason=reason,
        versions=versions,
        key=key,
        target=target,
        override=override,
    )
    return curation.Split(ADAPTER, request).apply(actor=actor)


def declare_different(*, a: int, b: int, actor: Actor, reason: str, versions: Mapping[int, int]) -> Assertion:
    """Say that two researchers are different people."""
    return curation.declare_different(ADAPTER, a=a, b=b, actor=actor, reason=reason, versions=versions)  # type: ignore[return-value]


def declare_all_different(
    *, researchers: Iterable[int], actor: Actor, reason: str, versions: Mapping[int, int]
) -> list[Assertion]:
    """Say of several researchers that no two of them are one person; returns what was not said before."""
    return curation.declare_all_different(  # type: ignore[return-value]
        ADAPTER, subjects=researchers, actor=actor, reason=reason, versions=versions
    )


def revoke_assertion(*, assertion: int, actor: Actor, reason: str) -> None:
    """Take back what was said about two researchers."""
    curation.revoke(ADAPTER, assertion=assertion, actor=actor, reason=reason)


def revoke_assertions(*, assertions: Iterable[int], actor: Actor, reason: str) -> None:
    """The same for several, all or none."""
    curation.revoke_all(ADAPTER, assertions=assertions, actor=actor, reason=reason)


def undo_act(
    *, kind: ActKind, numbers: Sequence[int], candidate: int | None, actor: Actor, reason: str, key: str
) -> None:
    """Take back one act of a curator, all or nothing.

    Events are undone, the latest first, assertions revoked, proposals withdrawn; an act about an item alone has no
    numbers. ``candidate`` is an item that the act closed or put off: it is opened again.
    """

    def work() -> None:
        if kind == "events":
            for number in sorted(numbers, reverse=True):
                undo_event(event=number, actor=actor, reason=reason, key=f"{key}-{number}")
        elif kind == "assertions":
            revoke_assertions(assertions=numbers, actor=actor, reason=reason)
        elif kind == "proposals":
            for number in numbers:
                reject_merge(proposal=number, actor=actor, answer=reason)
        if candidate is not None:
            wake(ADAPTER, candidate=candidate, actor=actor)

    in_one_transaction(work)


def events_of(researcher: int) -> Iterable[MergeEvent]:
    """The history of everybody shown as one with this researcher, the latest first."""
    members = list(ADAPTER.objects.objects.together_with(researcher).values_list("pk", flat=True))
    return MergeEvent.objects.filter(subjects__overlap=members).select_related("actor", "undoes").order_by("-pk")
