"""The second curator: confirming or rejecting a merge that one may not decide alone."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from wovepaper.curation.adapter import Action, Actor, Adapter
from wovepaper.curation.errors import AlreadyDecided, NotMergeable, NotPermitted
from wovepaper.curation.journal import require, require_reason
from wovepaper.curation.locking import in_one_transaction, lock_components
from wovepaper.curation.merge import Merge, MergeOutcome, MergeRequest
from wovepaper.curation.models import MergeProposalModel


def confirm_proposal(
    adapter: Adapter, *, proposal: int, actor: Actor, versions: Mapping[int, int], answer: str = ""
) -> MergeOutcome:
    """Carry out a merge that another curator proposed. ``versions`` are those the second one was shown.

    Confirmed again by the same account, it gives the same event. Raises ``NotPermitted`` (also for the proposer),
    ``AlreadyDecided``, and whatever the merge raises.
    """

    def work() -> MergeOutcome:
        require(adapter, actor, Action.MERGE)
        row = _find(adapter, proposal)
        # The objects first and the proposal after them, as the merge itself does.
        lock_components(adapter, (row.loser_id, row.survivor_id))
        row = adapter.proposals._default_manager.select_for_update(of=("self",)).get(pk=proposal)
        if row.state == "confirmed" and row.decided_by_id == actor.pk:
            return MergeOutcome(event=row.event, proposal=row, repeated=True)  # type: ignore[attr-defined]
        _check_open(row)
        if row.actor is None:
            raise NotPermitted("The account that proposed this is gone. Propose it yourself.")
        if row.actor_id == actor.pk:
            raise NotPermitted("Somebody else must confirm what you proposed.")
        request = MergeRequest(
            loser=row.loser_id,
            survivor=row.survivor_id,
            reason=row.reason,
            versions=versions,
            key=row.idempotency_key,
            choices=row.choices,
            override=row.override,
        )
        outcome = Merge(adapter, request).confirm(actor=row.actor, second=actor)
        _decide(row, actor, "confirmed", answer, outcome)
        return MergeOutcome(event=outcome.event, proposal=row)

    return in_one_transaction(work)


def reject_proposal(adapter: Adapter, *, proposal: int, actor: Actor, answer: str) -> MergeProposalModel:
    """Turn a proposal down; its own author may withdraw it so. Raises ``NotPermitted``, ``ReasonMissing``,
    ``AlreadyDecided``.
    """

    def work() -> MergeProposalModel:
        reason = require_reason(answer)
        require(adapter, actor, Action.MERGE)
        _find(adapter, proposal)
        row = adapter.proposals._default_manager.select_for_update(of=("self",)).get(pk=proposal)
        _check_open(row)
        _decide(row, actor, "rejected", reason, None)
        return row

    return in_one_transaction(work)


def _find(adapter: Adapter, proposal: int) -> MergeProposalModel:
    row = adapter.proposals._default_manager.filter(pk=proposal).first()
    if row is None:
        raise NotMergeable(f"There is no proposal {proposal}.")
    return row


def _check_open(row: MergeProposalModel) -> None:
    if row.state != "open":
        raise AlreadyDecided(f"This proposal is {row.state} already.")


def _decide(row: MergeProposalModel, actor: Actor, state: str, answer: str, outcome: MergeOutcome | None) -> None:
    row.state = state
    row.decided_by_id = actor.pk
    row.decided_at = timezone.now()
    row.answer = answer
    if outcome is not None:
        row.event = outcome.event  # type: ignore[attr-defined]
    row.save()
