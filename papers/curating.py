"""Merging, splitting and telling papers apart: what the admin and the API call.

Thin: the rules are the engine's (``wovepaper.curation``) and the adapter's (``papers.merging``). Every function raises
the engine's ``CurationError``s and changes nothing then. Each waits for the page of a source that is being taken in,
and the next one waits for it: ingest and curators write the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, TypeVar

from django.db import transaction

from papers.merging import ADAPTER, ensure_curated
from papers.models import CuratedPaper, Paper, PaperAssertion, PaperCandidate, PaperMergeEvent, SourceRecord
from papers.services.ingest.lock import lock_writers
from wovepaper.curation import services as curation
from wovepaper.curation.services import (
    Action,
    Actor,
    CandidateDraft,
    Merge,
    MergeOutcome,
    MergePlan,
    MergeRequest,
    NotMergeable,
    Split,
    SplitOutcome,
    SplitRequest,
    Undo,
    UndoOutcome,
    UndoPlan,
)

T = TypeVar("T")
ActKind = Literal["events", "assertions", "item"]
"""What a curator's act left behind: it says how to take the act back."""


def versions_of(papers: Collection[int]) -> dict[int, int]:
    """The versions that a form must carry. A paper that curation does not know yet has the first."""
    known = dict(CuratedPaper.objects.filter(pk__in=papers).values_list("pk", "version"))
    return {paper: known.get(paper, 1) for paper in papers}


def plan_merge(*, loser: int, survivor: int) -> MergePlan:
    """What a merge would do, for the preview. Both must be known to curation, as all members of candidates are."""
    return Merge(ADAPTER, MergeRequest(loser=loser, survivor=survivor, reason="", versions={}, key="")).plan()


def merge_papers(
    *, survivor: int, losers: Sequence[int], actor: Actor, reason: str, versions: Mapping[int, int], key: str,
    override: bool = False,
) -> list[PaperMergeEvent]:  # fmt: skip
    """Merge each into the survivor, all or none; sent again with the same key, it gives the same events.

    What was pinned on a loser stays pinned where the survivor has no pin of its own.
    """

    def work() -> list[PaperMergeEvent]:
        known = dict(versions)
        events: list[PaperMergeEvent] = []
        for number, loser in enumerate(losers):
            pinned = dict(Paper.objects.filter(pk__in=(loser, survivor)).values_list("pk", "pinned"))
            request = MergeRequest(
                loser=loser,
                survivor=survivor,
                reason=reason,
                versions=known,
                key=f"{key}-{number}" if len(losers) > 1 else key,
                choices={
                    field: pin for field, pin in pinned.get(loser, {}).items() if field not in pinned.get(survivor, {})
                },
                override=override,
            )
            outcome: MergeOutcome = Merge(ADAPTER, request).apply(actor=actor)
            assert isinstance(outcome.event, PaperMergeEvent)  # no merge of papers waits for a second curator
            events.append(outcome.event)
            if not outcome.repeated:
                known |= versions_of([survivor])
        return events

    return _alone({survivor, *losers}, work)


def split_paper(
    *, paper: int, records: Collection[int], actor: Actor, reason: str, versions: Mapping[int, int], key: str,
    target: int | None = None,
) -> SplitOutcome:  # fmt: skip
    """Give records of a paper to another, or to a new one. They stay there, whatever is harvested."""
    request = SplitRequest(
        source=paper, rows=sorted(set(records)), reason=reason, versions=versions, key=key, target=target
    )
    return _alone({paper} if target is None else {paper, target}, lambda: Split(ADAPTER, request).apply(actor=actor))


def plan_undo(*, event: int) -> UndoPlan:
    """What undoing would do now. Raises ``NotMergeable``, ``AlreadyUndone``."""
    return Undo(ADAPTER, event=event, reason="", key="").plan()


def undo_event(
    *, event: int, actor: Actor, reason: str, key: str, versions: Mapping[int, int] | None = None
) -> UndoOutcome:
    """Take a merge or split back. What ingest had merged it does not merge again."""
    sides = PaperMergeEvent.objects.filter(pk=event).values_list("loser", "survivor").first() or ()
    undo = Undo(ADAPTER, event=event, reason=reason, key=key, versions=versions)
    return _alone(sides, lambda: undo.apply(actor=actor))


def declare_all_different(
    *, papers: Iterable[int], actor: Actor, reason: str, versions: Mapping[int, int]
) -> list[PaperAssertion]:
    """Say that no two of these are one work; ingest obeys it. Returns the new assertions."""
    wanted = sorted(set(papers))
    return _alone(
        wanted,
        lambda: curation.declare_all_different(ADAPTER, subjects=wanted, actor=actor, reason=reason, versions=versions),  # type: ignore[arg-type, return-value]
    )


def revoke_assertions(*, assertions: Iterable[int], actor: Actor, reason: str) -> None:
    """Take back what was said. See ``wovepaper.curation.assertions.revoke_all``."""
    curation.revoke_all(ADAPTER, assertions=assertions, actor=actor, reason=reason)


def compare_by_hand(*, papers: Collection[int], actor: Actor) -> PaperCandidate:
    """An item of the queue for papers that a curator wants to compare; the one there is, opened again, if any.

    Raises ``NotPermitted``, ``NotMergeable`` for fewer than two papers that are shown.
    """
    curation.require(ADAPTER, actor, Action.REVIEW)
    shown = sorted(Paper.objects.filter(pk__in=papers, redirect_to=None).values_list("pk", flat=True))
    if len(shown) != 2:
        raise NotMergeable("Name two papers that are shown under their own numbers.")
    draft = CandidateDraft(
        members=(shown[0], shown[1]),
        reasons=["A curator asks."],
        rows_affected=SourceRecord.objects.filter(paper__in=shown).count(),
    )

    def work() -> PaperCandidate:
        curation.file_candidates(ADAPTER, [draft])
        candidate = PaperCandidate.objects.filter(key=draft.identity).first()
        if candidate is None:
            raise NotMergeable("They were declared different. Take that back first.")
        if candidate.state not in ("open", "snoozed"):
            candidate = curation.wake(ADAPTER, candidate=candidate.pk, actor=actor)  # type: ignore[assignment]
        return candidate

    return _alone(shown, work)


def undo_act(
    *, kind: ActKind, numbers: Sequence[int], candidate: int | None, actor: Actor, reason: str, key: str
) -> None:
    """Take back what a curator did last, the latest first, and put its item back where the act had closed it."""

    def work() -> None:
        for number in reversed(numbers):
            if kind == "events":
                undo_event(event=number, actor=actor, reason=reason, key=f"{key}-{number}")
        if kind == "assertions":
            revoke_assertions(assertions=numbers, actor=actor, reason=reason)
        if candidate is not None:
            curation.wake(ADAPTER, candidate=candidate, actor=actor)

    _alone((), work)


def _alone(papers: Collection[int], work: Callable[[], T]) -> T:
    """In one transaction, with all writers of papers locked out, and curation knowing the papers."""
    with transaction.atomic():
        lock_writers()
        ensure_curated(papers)
        return work()
