"""Merging institutions and telling them apart: what the admin calls.

Thin: the rules are the engine's (``wovepaper.curation``) and the adapter's (``institutions.merging``). Every function
raises the engine's ``CurationError``s and changes nothing then.
"""

from __future__ import annotations

from collections.abc import Mapping

from institutions.merging import ADAPTER
from wovepaper.curation import services as curation
from wovepaper.curation.models import AssertionModel
from wovepaper.curation.services import Actor, Merge, MergeOutcome, MergePlan, MergeRequest, UndoOutcome, UndoPlan


def plan_merge(*, loser: int, survivor: int) -> MergePlan:
    """What a merge would do, for the preview and for the versions that the form must carry."""
    return Merge(ADAPTER, MergeRequest(loser=loser, survivor=survivor, reason="", versions={}, key="")).plan()


def merge_institutions(
    *,
    loser: int,
    survivor: int,
    actor: Actor,
    reason: str,
    versions: Mapping[int, int],
    key: str,
    override: bool = False,
) -> MergeOutcome:
    """Merge: the loser's addresses and names lead to the survivor at once, and its papers once the pipeline has run."""
    request = MergeRequest(loser=loser, survivor=survivor, reason=reason, versions=versions, key=key, override=override)
    return Merge(ADAPTER, request).apply(actor=actor)


def plan_undo(*, event: int) -> UndoPlan:
    """What an undo would do, for the preview."""
    return curation.Undo(ADAPTER, event=event, reason="", key="").plan()


def undo_event(*, event: int, actor: Actor, reason: str, key: str) -> UndoOutcome:
    """Take back a merge in force, whatever happened since."""
    return curation.Undo(ADAPTER, event=event, reason=reason, key=key).apply(actor=actor)


def declare_different(
    *, one: int, other: int, actor: Actor, reason: str, versions: Mapping[int, int]
) -> AssertionModel:
    """They are two, and not asked about again."""
    return curation.declare_different(
        ADAPTER, a=min(one, other), b=max(one, other), actor=actor, reason=reason, versions=versions
    )


def revoke_assertion(*, assertion: int, actor: Actor, reason: str) -> AssertionModel:
    """Take back what was said of two."""
    return curation.revoke(ADAPTER, assertion=assertion, actor=actor, reason=reason)
