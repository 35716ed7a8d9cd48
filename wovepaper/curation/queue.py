"""The candidates: filing them, leasing them to curators, closing and reopening them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from wovepaper.curation.adapter import Action, Actor, Adapter, Ids
from wovepaper.curation.errors import LeaseLost
from wovepaper.curation.journal import require
from wovepaper.curation.models import CandidateModel

LEASE = dt.timedelta(minutes=10)
SNOOZE = dt.timedelta(days=30)
OPEN = ("open", "snoozed")


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateDraft:
    """An item to file. ``members`` are roots, one for a split, two for a pair; ``key`` only for groups.

    A reason may be a mapping with its words as ``text``. With ``kept`` it stays when the item is filed anew without
    such a reason, and its ``score`` is the least the item has: what people say outlives what is computed.
    """

    members: tuple[int, ...]
    kind: str = "pair"
    score: float = 0.0
    reasons: Sequence[str | Mapping[str, object]] = ()
    has_conflict: bool = False
    rows_affected: int = 0
    followers: int = 0
    key: str = field(default="")

    @property
    def identity(self) -> str:
        """What the item is about: filed again, it is the same row."""
        return self.key or f"{self.kind}:" + "-".join(map(str, sorted(self.members)))


@transaction.atomic
def file_candidates(adapter: Adapter, drafts: Iterable[CandidateDraft]) -> int:
    """File items, or bring the open ones among them up to date; returns how many are open now.

    A pair that people declared different is left out unless one of its sides has a trusted id that was unknown then.
    Merged and closed items stay as they are. A grouped item that gains members is updated, and open again if all of
    its members had been told apart.
    """
    wanted = {draft.identity: draft for draft in drafts}
    silenced = _silenced(adapter, [draft for draft in wanted.values() if len(draft.members) == 2])
    rows = adapter.candidates._default_manager
    known = {row.key: row for row in rows.select_for_update().filter(key__in=list(wanted)).order_by("pk")}
    new, changed, count = [], [], 0
    for key, draft in wanted.items():
        if frozenset(draft.members) in silenced:
            continue
        row = known.get(key)
        if row is None:
            new.append(adapter.candidates(key=key, **_values(draft)))
        elif row.state == "different" and draft.kind == "group" and set(draft.members) <= set(row.members):
            continue
        elif row.state in (*OPEN, "different"):
            row.state = "open" if row.state == "different" else row.state
            for name, value in _values(_with_kept(draft, row.reasons)).items():
                setattr(row, name, value)
            changed.append(row)
        else:
            continue
        count += 1
    rows.bulk_create(new, ignore_conflicts=True, batch_size=1000)
    rows.bulk_update(changed, ["state", *_values(CandidateDraft(members=(0,)))], batch_size=1000)
    return count


def _with_kept(draft: CandidateDraft, before: Sequence[object]) -> CandidateDraft:
    kept = [reason for reason in before if isinstance(reason, dict) and reason.get("kept")]
    if not kept or any(isinstance(reason, Mapping) and reason.get("kept") for reason in draft.reasons):
        return draft
    score = max([draft.score, *(float(reason.get("score", 0.0)) for reason in kept)])
    return replace(draft, reasons=[*draft.reasons, *kept], score=score)


def _values(draft: CandidateDraft) -> dict[str, object]:
    return {
        "kind": draft.kind,
        "members": sorted(draft.members),
        "score": draft.score,
        "reasons": list(draft.reasons),
        "has_conflict": draft.has_conflict,
        "rows_affected": draft.rows_affected,
        "followers": draft.followers,
    }


def _silenced(adapter: Adapter, pairs: Sequence[CandidateDraft]) -> set[frozenset[int]]:
    """The pairs of roots that a standing assertion parts, none of them with a trusted id that was unknown then."""
    roots = {member for draft in pairs for member in draft.members}
    parted: dict[frozenset[int], set[str]] = {}
    standing = adapter.assertions._default_manager.filter(kind="different", revoked=False)
    for one, other, known in standing.filter(Q(a__root__in=roots), Q(b__root__in=roots)).values_list(
        "a__root", "b__root", "known_ids"
    ):
        parted.setdefault(frozenset((one, other)), set()).update(known)
    silenced = set()
    for draft in pairs:
        pair = frozenset(draft.members)
        if pair in parted:
            members = adapter.objects._default_manager.filter(root__in=pair).values_list("pk", flat=True)
            if adapter.trusted_ids(frozenset(members)) <= parted[pair]:
                silenced.add(pair)
    return silenced


def waiting(adapter: Adapter) -> QuerySet[CandidateModel]:
    """Open items, and snoozed ones whose time has come, the likeliest first."""
    due = Q(state="open") | Q(state="snoozed", snoozed_until__lte=timezone.now())
    return adapter.candidates._default_manager.filter(due).order_by("-score", "pk")


@transaction.atomic
def lease_next(
    adapter: Adapter, *, actor: Actor, among: Q | None = None, count: int = 1, after: int | None = None
) -> list[CandidateModel]:
    """The next items that nobody else works on, for ten minutes; those ``among`` a filter. Skips item ``after``.

    Two curators never get the same. Raises ``NotPermitted``.
    """
    require(adapter, actor, Action.REVIEW)
    now = timezone.now()
    free = Q(leased_until=None) | Q(leased_until__lte=now) | Q(leased_to=actor.pk)
    rows = waiting(adapter).filter(free, among or Q()).exclude(pk=after)
    found = list(rows.select_for_update(skip_locked=True, of=("self",))[:count])
    adapter.candidates._default_manager.filter(pk__in=[row.pk for row in found]).update(
        leased_to=actor.pk, leased_until=now + LEASE
    )
    for row in found:
        row.leased_to_id, row.leased_until = actor.pk, now + LEASE
    return found


@transaction.atomic
def lease(adapter: Adapter, *, candidate: int, actor: Actor) -> CandidateModel:
    """Take or renew the lease of one item. Raises ``LeaseLost`` while another curator has it, ``NotPermitted``."""
    require(adapter, actor, Action.REVIEW)
    row = _locked(adapter, candidate)
    if _held_by_another(row, actor):
        raise LeaseLost(f"Somebody else works on this until {row.leased_until:%H:%M} UTC.")
    row.leased_to_id, row.leased_until = actor.pk, timezone.now() + LEASE
    row.save(update_fields=["leased_to", "leased_until"])
    return row


@transaction.atomic
def release(adapter: Adapter, *, candidate: int, actor: Actor) -> None:
    """Give a lease back before its time; another's is left alone."""
    adapter.candidates._default_manager.filter(pk=candidate, leased_to=actor.pk).update(
        leased_to=None, leased_until=None
    )


@transaction.atomic
def snooze(adapter: Adapter, *, candidate: int, actor: Actor, until: dt.datetime | None = None) -> CandidateModel:
    """ "Not sure": put an item off, by default for 30 days. Raises ``LeaseLost``, ``NotPermitted``."""
    require(adapter, actor, Action.REVIEW)
    row = _locked(adapter, candidate)
    if _held_by_another(row, actor):
        raise LeaseLost("Somebody else works on this.")
    row.state, row.snoozed_until = "snoozed", until or timezone.now() + SNOOZE
    row.leased_to, row.leased_until = None, None
    row.save(update_fields=["state", "snoozed_until", "leased_to", "leased_until"])
    return row


@transaction.atomic
def close(adapter: Adapter, *, candidate: int, actor: Actor, state: str = "closed") -> CandidateModel:
    """Take an item off the queue for good: there was nothing to do, or all of it is done.

    ``state`` may be "different" for a group whose members were all told apart. Raises ``LeaseLost``, ``NotPermitted``.
    """
    require(adapter, actor, Action.REVIEW)
    row = _locked(adapter, candidate)
    if _held_by_another(row, actor):
        raise LeaseLost("Somebody else works on this.")
    row.state, row.closed_at = state, timezone.now()
    row.leased_to, row.leased_until = None, None
    row.save(update_fields=["state", "closed_at", "leased_to", "leased_until"])
    return row


@transaction.atomic
def wake(adapter: Adapter, *, candidate: int, actor: Actor) -> CandidateModel:
    """Put an item back that was put off or closed. Raises ``LeaseLost``, ``NotPermitted``."""
    require(adapter, actor, Action.REVIEW)
    row = _locked(adapter, candidate)
    if _held_by_another(row, actor):
        raise LeaseLost("Somebody else works on this.")
    row.state, row.snoozed_until, row.closed_at = "open", None, None
    row.save(update_fields=["state", "snoozed_until", "closed_at"])
    return row


def _locked(adapter: Adapter, candidate: int) -> CandidateModel:
    row = adapter.candidates._default_manager.select_for_update(of=("self",)).filter(pk=candidate).first()
    if row is None:
        raise LeaseLost(f"There is no candidate {candidate} any more.")
    return row


def _held_by_another(row: CandidateModel, actor: Actor) -> bool:
    return row.leased_to_id not in (None, actor.pk) and bool(row.leased_until and row.leased_until > timezone.now())


def close_merged(adapter: Adapter, members: Ids) -> None:
    """Close open items all of whose members are one now. ``members`` are some of those whose root has changed."""
    _set_state(adapter, members, states=OPEN, to="merged", one=True)


def reopen_parted(adapter: Adapter, members: Ids) -> None:
    """Open items again that a merge had closed and whose members are several once more."""
    _set_state(adapter, members, states=("merged",), to="open", one=False)


def _set_state(adapter: Adapter, members: Ids, *, states: Sequence[str], to: str, one: bool) -> None:
    rows = adapter.candidates._default_manager.filter(members__overlap=list(members), state__in=states)
    found = list(rows.exclude(kind="split"))
    everybody = {member for row in found for member in row.members}
    root_of = dict(adapter.objects._default_manager.filter(pk__in=everybody).values_list("pk", "root_id"))
    fitting = [row.pk for row in found if (len({root_of.get(member) for member in row.members}) == 1) is one]
    adapter.candidates._default_manager.filter(pk__in=fitting).update(
        state=to, closed_at=None if to == "open" else timezone.now(), leased_to=None, leased_until=None
    )


def close_different(adapter: Adapter, ones: Ids, others: Ids) -> None:
    """Close the open pairs between the two sides, or within one where both are the same."""
    rows = adapter.candidates._default_manager.filter(
        state__in=OPEN, members__len=2, members__overlap=list(ones)
    ).filter(members__overlap=list(others))
    if ones == others:  # a pair with somebody else overlaps both too
        rows = rows.filter(members__contained_by=list(ones))
    rows.update(state="different", closed_at=timezone.now(), leased_to=None, leased_until=None)


def reopen_different(adapter: Adapter, ones: Ids, others: Ids) -> None:
    """Open the pairs between the two sides again that were closed because the sides had been told apart."""
    rows = adapter.candidates._default_manager.filter(
        state="different", members__len=2, members__overlap=list(ones)
    ).filter(members__overlap=list(others))
    rows.update(state="open", closed_at=None)
