"""Merging, splitting and telling researchers apart: what pages, the admin and the API call.

Thin: the rules are the engine's (``wovepaper.curation``) and the adapter's (``researchers.merging``). Every function
raises the engine's ``CurationError``s and changes nothing then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from researchers.former_names import former_names_of
from researchers.merging import ADAPTER
from researchers.models import Assertion, MergeEvent, Researcher
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
)


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
) -> SplitOutcome:
    """Give chosen attributions to a new researcher or another one, and decide that they are not the source's."""
    request = SplitRequest(source=source, rows=attributions, reason=reason, versions=versions, key=key, target=target)
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


def events_of(researcher: int) -> Iterable[MergeEvent]:
    """The history of everybody shown as one with this researcher, the latest first."""
    members = list(ADAPTER.objects.objects.together_with(researcher).values_list("pk", flat=True))
    return MergeEvent.objects.filter(subjects__overlap=members).select_related("actor", "undoes").order_by("-pk")
