"""Splits of researchers, attribution by attribution: away, and back if nothing happened to them since."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from researchers.former_names import PRINTED_NAME
from researchers.models import Attribution, Decision, Researcher
from wovepaper.curation.models import MergeEventModel
from wovepaper.curation.services import Actor, Ids, Obstacle, Returned
from wovepaper.pipeline.services import enqueue

KEPT = ("decided_by", "score", "evidence", "model_version")


def plan_moves(rows: Sequence[int], *, source: Ids, target: Ids) -> tuple[list[dict[str, Any]], list[Obstacle]]:
    """Lock the attributions and note what each is; and what forbids giving it to ``target``'s members.

    What somebody said they are can be overridden by who may, and by who said it.
    """
    found = list(Attribution.objects.select_for_update().filter(pk__in=rows).order_by("pk"))
    here = [row for row in found if row.base_id in source]
    obstacles = []
    if gone := sorted(set(rows) - {row.pk for row in here}):
        obstacles.append(
            Obstacle("moved", f"{len(gone)} of the chosen papers are not theirs any more. Open the page again.",
                     references=tuple(gone))
        )  # fmt: skip
    papers = {row.paper_id for row in here}
    listed = Attribution.objects.filter(base__in=target, paper__in=papers).values_list("paper_id", flat=True)
    if both := sorted(listed):
        obstacles.append(
            Obstacle("both-on-paper", f"They stand on {len(both)} of these papers already: {both[:20]}.",
                     references=tuple(both))
        )  # fmt: skip
    authorships = [row.authorship_id for row in here]
    against = Decision.objects.filter(
        authorship__in=authorships, researcher__in=target, verdict="is_not", revoked=False
    ).order_by("pk")
    obstacles.extend(
        Obstacle(
            "decision",
            f"It was decided that author {decision.authorship_id} of paper {decision.paper_id} is not researcher"
            f" {decision.researcher_id}: {decision.reason} Revoke that first.",
            references=(decision.pk,),
        )
        for decision in against
    )
    obstacles.extend(
        Obstacle(
            "decision",
            f"{'The person claimed' if decision.by_claim else 'Somebody else decided'} on"
            f" {decision.created_at:%Y-%m-%d} that author {decision.authorship_id} of paper {decision.paper_id} is"
            f" researcher {decision.researcher_id}: {decision.reason}",
            overridable=True,
            references=(decision.pk,),
            by=decision.by_id,
        )
        for decision in standing_for(authorships)
    )
    return [_before(row) for row in here], obstacles


def standing_for(authorships: Collection[int]) -> QuerySet[Decision]:
    """What people said these authors are. To split them off goes against it."""
    return Decision.objects.filter(authorship__in=authorships, verdict="is", revoked=False).order_by("pk")


def _before(row: Attribution) -> dict[str, Any]:
    return {
        "row": row.pk,
        "authorship": row.authorship_id,
        "paper": row.paper_id,
        "base": row.base_id,
        "decided_at": row.decided_at.isoformat(),
        **{name: getattr(row, name) for name in KEPT},
    }


def apply_moves(event: MergeEventModel, *, target_root: int, source_root: int, actor: Actor) -> None:
    """Give the attributions to the event's survivor; decide "is" for it, "is not" for their base and its root.

    Standing "is" decisions for the source are revoked as long as the split is in force.
    """
    moves = {move["row"]: move for move in event.base_moves}
    authorships = [move["authorship"] for move in moves.values()]
    now = timezone.now()
    standing_for(authorships).update(revoked=True, revoked_by=actor.pk, revoked_at=now, revoked_by_event=event)
    Attribution.objects.filter(pk__in=moves).update(
        base=event.survivor_id, root=target_root, decided_by="human", score=None, evidence=[], model_version="",
        decided_at=now,
    )  # fmt: skip
    printed = dict(Attribution.objects.filter(pk__in=moves).values_list("authorship_id", PRINTED_NAME))
    standing = set(
        Decision.objects.filter(authorship__in=authorships, revoked=False).values_list("authorship_id", "researcher_id")
    )
    Decision.objects.bulk_create(
        Decision(
            authorship_id=move["authorship"], paper_id=move["paper"], printed_name=printed[move["authorship"]],
            researcher_id=researcher, verdict=verdict, by_id=actor.pk, reason=event.reason, event_id=event.pk,
        )
        for move in moves.values()
        for researcher, verdict in _verdicts(move["base"], source_root, event.survivor_id)
        if (move["authorship"], researcher) not in standing
    )  # fmt: skip
    enqueue(kind="paper", ids=[move["paper"] for move in moves.values()], stage="index", reason="split")


def _verdicts(base: int, source_root: int, target: int) -> list[tuple[int, str]]:
    return [*((researcher, "is_not") for researcher in sorted({base, source_root})), (target, "is")]


def return_moves(event: MergeEventModel, *, actor: Actor) -> Returned:
    """Take the split's decisions back, and give each attribution to its former base, if it still is the survivor's.

    Left where it is, with the reason: what was decided again since, what a later decision forbids to be the source's,
    and a place on a paper where the source stands again.
    """
    now = timezone.now()
    moves = {move["authorship"]: move for move in event.base_moves}
    rows = {
        row.authorship_id: row
        for row in Attribution.objects.select_for_update().filter(authorship__in=moves).order_by("pk")
    }
    own = Decision.objects.filter(event=event.pk)
    still_decided = set(own.filter(verdict="is", revoked=False).values_list("authorship_id", flat=True))
    bases = {move["base"] for move in moves.values()}
    root_of = dict(Researcher.objects.filter(pk__in=bases).values_list("pk", "root_id"))
    forbidden = set(
        Decision.objects.filter(
            authorship__in=moves, verdict="is_not", revoked=False, researcher__root__in=set(root_of.values())
        )
        .filter(~Q(event=event.pk) | Q(event=None))
        .values_list("authorship_id", "researcher__root")
    )
    listed = set(
        Attribution.objects.filter(
            root__in=set(root_of.values()), paper__in=[move["paper"] for move in moves.values()]
        ).exclude(authorship__in=moves).values_list("paper_id", "root_id")
    )  # fmt: skip
    kept: dict[int, str] = {}
    back = []
    for authorship, move in moves.items():
        row, root = rows.get(authorship), root_of[move["base"]]
        if row is None:
            kept[move["row"]] = "its author is gone from the paper"
        elif row.base_id != event.survivor_id or authorship not in still_decided:
            kept[move["row"]] = "decided again since"
        elif (authorship, root) in forbidden:
            kept[move["row"]] = "decided since not to be theirs"
        elif (move["paper"], root) in listed:
            kept[move["row"]] = "they stand on this paper again"
        else:
            row.base_id, row.root_id = move["base"], root
            row.decided_at = parse_datetime(move["decided_at"]) or now
            for name in KEPT:
                setattr(row, name, move[name])
            back.append(row)
    returned = [row.authorship_id for row in back]
    # For good, also what a merge has overridden: its undo must not bring back what the split alone had said.
    own.filter(authorship__in=returned).update(revoked=True, revoked_by=actor.pk, revoked_at=now, revoked_by_event=None)
    Attribution.objects.bulk_update(back, ["base", "root", "decided_at", *KEPT], batch_size=1000)
    enqueue(kind="paper", ids=[row.paper_id for row in back], stage="index", reason="undo")
    return Returned(tuple(row.pk for row in back), kept)
