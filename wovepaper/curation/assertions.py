"""What people said about two objects: saying it, obeying it, taking it back."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from wovepaper.curation import queue
from wovepaper.curation.adapter import Action, Actor, Adapter, Ids
from wovepaper.curation.errors import NotMergeable, Obstacle
from wovepaper.curation.journal import compare_versions, may, raise_versions, require, require_reason, write_log
from wovepaper.curation.locking import in_one_transaction, lock_components
from wovepaper.curation.models import AssertionModel, MergeEventModel


def declare_different(
    adapter: Adapter, *, a: int, b: int, actor: Actor, reason: str, versions: Mapping[int, int]
) -> AssertionModel:
    """Say that two roots are different; closes their candidate until a new trusted id appears.

    Saying it twice is saying it once. Raises ``NotPermitted``, ``ReasonMissing``, ``Conflict``, ``NotMergeable`` (they
    are one at present: undo that first).
    """
    return in_one_transaction(lambda: _declare(adapter, "different", a, b, actor, reason, versions))


def declare_all_different(
    adapter: Adapter, *, subjects: Iterable[int], actor: Actor, reason: str, versions: Mapping[int, int]
) -> list[AssertionModel]:
    """Say of several roots that no two of them are the same, in a few statements; returns the new assertions.

    Closes the pairs among them. Pairs that were told apart before are passed over. Raises as ``declare_different``.
    """

    def work() -> list[AssertionModel]:
        why = require_reason(reason)
        require(adapter, actor, Action.REVIEW)
        wanted = sorted(set(subjects))
        components = lock_components(adapter, wanted)
        rows = adapter.assertions._default_manager
        standing = {
            (row.a_id, row.b_id): row for row in rows.filter(a__in=wanted, b__in=wanted, revoked=False).order_by("pk")
        }
        pairs = [pair for pair in itertools.combinations(wanted, 2) if pair not in standing]
        if not pairs:
            return []
        compare_versions(adapter, versions, {number: components[number].members[number].version for number in wanted})
        for number in wanted:
            if components[number].root != number:
                raise NotMergeable(f"{adapter.label(number)} is merged into {adapter.label(components[number].root)}.")
        if same := [row for pair, row in standing.items() if row.kind == "same"]:
            raise NotMergeable(f"An earlier decision says: {same[0]} ({same[0].reason}). Revoke it first.")
        known = {number: adapter.trusted_ids(components[number].ids) for number in wanted}
        made = rows.bulk_create(
            adapter.assertions(
                a_id=a, b_id=b, kind="different", by_id=actor.pk, reason=why, known_ids=sorted(known[a] | known[b])
            )
            for a, b in pairs
        )
        members = frozenset[int]().union(*(components[number].ids for number in wanted))
        queue.close_different(adapter, members, members)
        raise_versions(adapter, wanted)
        texts = {
            number: "Not the same as "
            + ", ".join(adapter.label(other) for pair in pairs if number in pair for other in pair if other != number)
            + f": {why}"
            for number in wanted
        }
        write_log(adapter, actor, texts)
        return list(made)

    return in_one_transaction(work)


def declare_same(
    adapter: Adapter, *, a: int, b: int, actor: Actor, reason: str, versions: Mapping[int, int]
) -> AssertionModel:
    """Say that two roots are the same without merging them: evidence that stays. Raises as ``declare_different``."""
    return in_one_transaction(lambda: _declare(adapter, "same", a, b, actor, reason, versions))


def _declare(
    adapter: Adapter, kind: str, a: int, b: int, actor: Actor, reason: str, versions: Mapping[int, int]
) -> AssertionModel:
    reason = require_reason(reason)
    require(adapter, actor, Action.REVIEW)
    pair = lock_components(adapter, (a, b))
    low, high = sorted((a, b))
    rows = adapter.assertions._default_manager
    standing = rows.filter(a=low, b=high, revoked=False).first()
    if standing is not None and standing.kind == kind:
        return standing
    compare_versions(adapter, versions, {number: pair[number].members[number].version for number in (a, b)})
    if pair[a].root == pair[b].root:
        raise NotMergeable(f"{adapter.label(a)} and {adapter.label(b)} are one at present. Undo their merge first.")
    for number in (a, b):
        if pair[number].root != number:
            raise NotMergeable(f"{adapter.label(number)} is merged into {adapter.label(pair[number].root)}.")
    if standing is not None:
        raise NotMergeable(f"An earlier decision says: {standing.kind} ({standing.reason}). Revoke it first.")
    assertion = rows.create(
        a_id=low, b_id=high, kind=kind, by_id=actor.pk, reason=reason,
        known_ids=sorted(adapter.trusted_ids(pair[a].ids | pair[b].ids)),
    )  # fmt: skip
    if kind == "different":
        queue.close_different(adapter, pair[a].ids, pair[b].ids)
    raise_versions(adapter, (a, b))
    what = "Not the same as" if kind == "different" else "The same as"
    write_log(adapter, actor, {a: f"{what} {adapter.label(b)}: {reason}", b: f"{what} {adapter.label(a)}: {reason}"})
    return assertion


def revoke(adapter: Adapter, *, assertion: int, actor: Actor, reason: str) -> AssertionModel:
    """Take an assertion back for good, and open the pair's candidate again. Raises as ``revoke_all``."""
    return revoke_all(adapter, assertions=[assertion], actor=actor, reason=reason)[0]


def revoke_all(adapter: Adapter, *, assertions: Iterable[int], actor: Actor, reason: str) -> list[AssertionModel]:
    """Take assertions back for good, and open their pairs' candidates again; all or none.

    One's own need the permission to undo one's own merges, anybody else's the one to override a difference. Raises
    ``NotPermitted``, ``ReasonMissing``, ``NotMergeable`` if one is gone.
    """

    def work() -> list[AssertionModel]:
        why = require_reason(reason)
        wanted = sorted(set(assertions))
        rows = adapter.assertions._default_manager
        found = list(rows.filter(pk__in=wanted).order_by("pk"))
        own = bool(found) and may(adapter, actor, Action.UNDO_OWN) and all(row.by_id == actor.pk for row in found)
        if not own:
            require(adapter, actor, Action.OVERRIDE)
        if lost := set(wanted) - {row.pk for row in found}:
            raise NotMergeable(f"There is no assertion {min(lost)}.")
        components = lock_components(adapter, {end for row in found for end in (row.a_id, row.b_id)})
        found = list(rows.select_for_update().filter(pk__in=wanted).order_by("pk"))
        texts: defaultdict[int, list[str]] = defaultdict(list)
        for row in found:
            if row.revoked and _overriding(row) is None:
                continue
            _revoke(row, actor, event=None)
            queue.reopen_different(adapter, components[row.a_id].ids, components[row.b_id].ids)
            for end in (row.a_id, row.b_id):
                texts[end].append(str(row))
        raise_versions(adapter, texts)
        write_log(adapter, actor, {end: f"Revoked: {'; '.join(said)} ({why})" for end, said in texts.items()})
        return found

    return in_one_transaction(work)


def crossing(adapter: Adapter, ones: Ids, others: Ids) -> list[AssertionModel]:
    """Standing "different" assertions between the two sides."""
    rows = adapter.assertions._default_manager.filter(kind="different", revoked=False)
    return list(rows.filter(Q(a__in=ones, b__in=others) | Q(a__in=others, b__in=ones)).order_by("pk"))


def obstacles(adapter: Adapter, ones: Ids, others: Ids) -> list[Obstacle]:
    """The same as obstacles to a merge."""
    return [
        Obstacle(
            "different",
            f"{adapter.label(row.a_id)} and {adapter.label(row.b_id)} were declared different on"
            f" {row.created_at:%Y-%m-%d} (assertion {row.pk}): {row.reason}",
            overridable=True,
            references=(row.pk,),
        )
        for row in crossing(adapter, ones, others)
    ]


def lift(adapter: Adapter, ones: Ids, others: Ids, *, event: MergeEventModel, actor: Actor) -> None:
    """Revoke what a merge overrides, for as long as the merge is in force."""
    for row in crossing(adapter, ones, others):
        _revoke(row, actor, event=event)


def reinstate(adapter: Adapter, members: Ids) -> None:
    """Let assertions stand again whose overriding merge is undone, unless their two ends are one by another way."""
    rows = adapter.assertions._default_manager
    lifted = rows.filter(revoked=True, revoked_by_event__isnull=False, revoked_by_event__live=False)
    for row in lifted.filter(Q(a__in=members) | Q(b__in=members)).exclude(a__root=F("b__root")).order_by("pk"):
        if not rows.filter(a=row.a_id, b=row.b_id, revoked=False).exists():
            rows.filter(pk=row.pk).update(revoked=False, revoked_by=None, revoked_at=None, revoked_by_event=None)


def _overriding(row: AssertionModel) -> Any:
    return row.revoked_by_event_id  # type: ignore[attr-defined]


def _revoke(row: AssertionModel, actor: Actor, *, event: MergeEventModel | None) -> None:
    row.revoked = True
    row.revoked_by_id = actor.pk
    row.revoked_at = timezone.now()
    row.revoked_by_event = event  # type: ignore[attr-defined]
    row.save(update_fields=["revoked", "revoked_by", "revoked_at", "revoked_by_event"])  # type: ignore[misc]
