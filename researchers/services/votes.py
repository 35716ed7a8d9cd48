"""Readers' opinions whether two researchers are one person. They raise a pair in the curators' queue, no more."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from researchers.merging import ADAPTER
from researchers.models import Candidate, Researcher, SamePersonVote
from researchers.services.errors import TooMany, VoteRefused
from wovepaper.curation.services import (
    Actor,
    CandidateDraft,
    NotMergeable,
    file_candidates,
    in_one_transaction,
    lock_components,
)

VOTES_AN_HOUR = 30
VOTES_A_DAY = 100
"""More of one reader are not thought over, and would fill the curators' queue."""
MOST_RAISED = 0.75
"""However many readers agree, what the evidence makes likelier than this comes first."""
LEAST_SCORE = 0.1
"""Of a pair that nobody but readers brings up, most of whom call them different."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many readers say which of two researchers."""

    same: int = 0
    different: int = 0

    @property
    def score(self) -> float:
        """How high the votes alone put the pair in the queue, from 0 to 1."""
        lead = self.same - self.different
        return min(MOST_RAISED, 0.5 + 0.05 * lead) if lead > 0 else LEAST_SCORE

    def in_words(self) -> str:
        """A sentence for curators; empty without votes."""
        parts = [
            f"{count} reader{'s say' if count > 1 else ' says'} {what}"
            for count, what in ((self.same, "that they are the same person"), (self.different, "different people"))
            if count
        ]
        return ", ".join(parts)


def cast_vote(*, voter: Actor, one: int, other: int, verdict: str) -> Tally:
    """Keep what a reader says of two researchers, replacing what they said before, and raise the pair in the queue.

    Numbers that were merged stand for their survivors. Nothing is merged, and a pair that curators told apart stays
    out of the queue. Returns all votes on the pair. Raises ``VoteRefused`` (unknown or erased, one person already, no
    such verdict) and ``TooMany``.
    """
    if verdict not in SamePersonVote.Verdict.values:
        raise VoteRefused("A vote says “same” or “different”.")
    return in_one_transaction(lambda: _cast(voter, one, other, verdict))


def tallies(pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Tally]:
    """The votes on pairs of roots, whichever of their members they were cast on, in one query. Keys are in order."""
    wanted = {_ordered(*pair) for pair in pairs}
    latest: dict[tuple[int, tuple[int, int]], str] = {}
    for user, a, b, verdict in (
        _on(wanted).order_by("cast_at", "pk").values_list("user", "a__root", "b__root", "verdict")
    ):
        latest[user, _ordered(a, b)] = verdict
    found: dict[tuple[int, int], Tally] = {}
    for (_, pair), verdict in latest.items():
        if pair in wanted:
            before = found.get(pair, Tally())
            found[pair] = Tally(before.same + (verdict == "same"), before.different + (verdict == "different"))
    return found


def votes_of(*, voter: int, pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """What one reader said of pairs of roots, in one query. Keys are in order."""
    wanted = {_ordered(*pair) for pair in pairs}
    rows = _on(wanted).filter(user=voter).order_by("cast_at", "pk").values_list("a__root", "b__root", "verdict")
    return {pair: verdict for a, b, verdict in rows if (pair := _ordered(a, b)) in wanted}


def verdict_with(*, voter: int, root: int) -> Subquery:
    """For a query of roots: what one reader said of each of them and ``root``, as ``votes_of`` has it."""
    said = SamePersonVote.objects.filter(
        Q(a__root=root, b__root=OuterRef("pk")) | Q(b__root=root, a__root=OuterRef("pk")), user=voter
    )
    return Subquery(said.order_by("-cast_at", "-pk").values("verdict")[:1])


def _on(pairs: set[tuple[int, int]]) -> QuerySet[SamePersonVote]:
    roots = {root for pair in pairs for root in pair}
    return SamePersonVote.objects.filter(a__root__in=roots, b__root__in=roots).exclude(a__root=F("b__root"))


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _cast(voter: Actor, one: int, other: int, verdict: str) -> Tally:
    try:
        components = lock_components(ADAPTER, (one, other))
    except NotMergeable as error:
        raise VoteRefused("There is no such researcher.") from error
    a, b = pair = _ordered(components[one].root, components[other].root)
    if a == b:
        raise VoteRefused("These are shown as one person already.")
    counts = dict(Researcher.objects.roots().filter(pk__in=pair).values_list("pk", "paper_count"))
    if len(counts) < 2:
        raise VoteRefused("There is no such researcher.")
    _limit(voter)
    SamePersonVote.objects.bulk_create(
        [SamePersonVote(user_id=voter.pk, a_id=a, b_id=b, verdict=verdict, cast_at=timezone.now())],
        update_conflicts=True,
        unique_fields=["user", "a", "b"],
        update_fields=["verdict", "cast_at"],
    )
    tally = tallies([pair])[pair]
    _raise_candidate(pair, tally, min(counts.values()))
    return tally


def _limit(voter: Actor) -> None:
    # One at a time, or those sent at once would not see each other.
    get_user_model().objects.select_for_update(no_key=True).get(pk=voter.pk)
    now = timezone.now()
    recent = SamePersonVote.objects.filter(user=voter.pk)
    for hours, most in ((1, VOTES_AN_HOUR), (24, VOTES_A_DAY)):
        if recent.filter(cast_at__gt=now - dt.timedelta(hours=hours)).count() >= most:
            span = "an hour" if hours == 1 else "a day"
            raise TooMany(f"At most {most} votes {span} are taken from one reader. Come back later.")


def _raise_candidate(pair: tuple[int, int], tally: Tally, papers: int) -> None:
    """The components are locked, so no other vote on the pair comes between."""
    said = {"text": tally.in_words(), "kept": True, "score": tally.score}
    draft = CandidateDraft(members=pair)
    known = Candidate.objects.filter(key=draft.identity).first()
    if known is None:
        draft = CandidateDraft(members=pair, score=tally.score, reasons=[said], rows_affected=papers)
    else:
        others = [reason for reason in known.reasons if not (isinstance(reason, dict) and reason.get("kept"))]
        draft = CandidateDraft(
            members=pair, score=max(known.score, tally.score), reasons=[*others, said], has_conflict=known.has_conflict,
            rows_affected=known.rows_affected, followers=known.followers,
        )  # fmt: skip
    file_candidates(ADAPTER, [draft])
