"""Taking back what a curator just did."""

from __future__ import annotations

from researchers.admin.last_act import LastAct
from researchers.merging import ADAPTER
from researchers.services.merging import reject_merge, revoke_assertions, undo_event
from wovepaper.curation.services import Actor, in_one_transaction, wake

REASON = "Taken back right away"


def undo_act(act: LastAct, *, actor: Actor, key: str) -> None:
    """Undo its events, the latest first, revoke its assertions, or withdraw its proposals; all or nothing.

    Raises what the engine raises.
    """
    in_one_transaction(lambda: _undo(act, actor, key))


def _undo(act: LastAct, actor: Actor, key: str) -> None:
    if act.kind == "events":
        for number in sorted(act.numbers, reverse=True):
            undo_event(event=number, actor=actor, reason=REASON, key=f"{key}-{number}")
    elif act.kind == "assertions":
        revoke_assertions(assertions=act.numbers, actor=actor, reason=REASON)
    elif act.kind == "proposals":
        for number in act.numbers:
            reject_merge(proposal=number, actor=actor, answer=REASON)
    if act.candidate is not None and act.wakes:
        wake(ADAPTER, candidate=act.candidate, actor=actor)
