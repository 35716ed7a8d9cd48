"""Curators' answers to readers' objections."""

from __future__ import annotations

from django.utils import timezone

from researchers.merging import ADAPTER
from researchers.models import Contest
from researchers.services.decisions import decide_is, decide_is_not
from researchers.services.errors import ContestRefused
from wovepaper.curation.services import Action, Actor, in_one_transaction, require, require_reason


def accept_contest(*, contest: int, actor: Actor, answer: str) -> Contest:
    """Do as the reader says: the author is whom they claim, or is not whom they were attributed to.

    It becomes a decision of the curator. Raises ``ContestRefused`` (handled, or the author is gone), ``NotPermitted``,
    ``ReasonMissing``, ``DecisionRefused``.
    """

    def work() -> Contest:
        reason = require_reason(answer)
        row = _open(contest)
        if row.authorship_id is None:
            raise ContestRefused("The author left the paper: there is nothing to decide. Decline it.")
        if row.claimed_id is not None:
            decide_is(authorship=row.authorship_id, researcher=row.claimed_id, actor=actor, reason=reason)
        elif row.attributed_id is not None:
            decide_is_not(authorship=row.authorship_id, researcher=row.attributed_id, actor=actor, reason=reason)
        return _answer(row, actor, Contest.State.ACCEPTED, reason)

    return in_one_transaction(work)


def decline_contest(*, contest: int, actor: Actor, answer: str) -> Contest:
    """Leave the attribution as it is, and say why. Raises ``ContestRefused``, ``NotPermitted``, ``ReasonMissing``."""

    def work() -> Contest:
        reason = require_reason(answer)
        require(ADAPTER, actor, Action.REVIEW)
        return _answer(_open(contest), actor, Contest.State.DECLINED, reason)

    return in_one_transaction(work)


def _open(contest: int) -> Contest:
    row = Contest.objects.select_for_update(of=("self",)).filter(pk=contest).first()
    if row is None:
        raise ContestRefused(f"There is no objection {contest}.")
    if row.state != Contest.State.OPEN:
        raise ContestRefused(f"This objection is {row.state} already.")
    return row


def _answer(row: Contest, actor: Actor, state: str, answer: str) -> Contest:
    row.state, row.handled_by_id, row.handled_at, row.answer = state, actor.pk, timezone.now(), answer
    row.save(update_fields=["state", "handled_by", "handled_at", "answer"])
    return row
