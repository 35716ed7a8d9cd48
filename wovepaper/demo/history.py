"""What the curators of the demo catalogue have done so far: right things and mistakes, through their own services.

Without it, nobody would have two ORCIDs: the model puts no such people together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from accounts.models import User
from researchers.models import Attribution, MergeEvent
from researchers.services.merging import confirm_merge, declare_different, merge_researchers, plan_merge, undo_event
from wovepaper.curation.services import CurationError
from wovepaper.demo.cast import Plot
from wovepaper.demo.recipe import Recipe
from wovepaper.demo.truth import TrueAuthorship, scene_authorships
from wovepaper.demo.users import DEMO_DOMAIN
from wovepaper.pipeline.services import enqueue

MOST = 40
"""Scenes of a kind that the curators have looked at, whatever the size of the catalogue."""

Scenes = dict[tuple[str, int], list[TrueAuthorship]]


@dataclass(slots=True)
class _Curators:
    first: User
    second: User


def play_history(recipe: Recipe) -> int:
    """Do what is not done yet; returns how many papers the model shall look at again, which wait for the pipeline.

    Does nothing where the two demo accounts that may decide are missing. What cannot be done any more, because somebody
    decided otherwise, is left out.
    """
    found = [
        User.objects.filter(email=f"{name}@{DEMO_DOMAIN}", is_active=True).first() for name in ("curator", "admin")
    ]
    first, second = found
    if first is None or second is None:
        return 0
    curators = _Curators(first, second)
    scenes: Scenes = defaultdict(list)
    for row in scene_authorships(recipe):
        scenes[row.plot, row.cycle].append(row)
    papers: set[int] = set()
    for (plot, cycle), rows in scenes.items():
        act = _ACTS.get(plot)
        if act is None or cycle >= MOST:
            continue
        try:
            papers |= act(curators, rows, f"demo:{recipe.seed}:{plot}:{cycle}")
        except CurationError:
            continue
    enqueue(kind="paper", ids=papers, stage="attribute", reason="merge")
    return len(papers)


def _attributions(rows: list[TrueAuthorship]) -> list[Attribution]:
    """Those that are there, in the order of the rows."""
    keys = {(row.arxiv_id, row.position): place for place, row in enumerate(rows)}
    found = Attribution.objects.select_related("authorship", "paper").filter(
        paper__arxiv_id__in={row.arxiv_id for row in rows}
    )
    known = [one for one in found if (one.paper.arxiv_id, one.authorship.position) in keys]
    return sorted(known, key=lambda one: keys[one.paper.arxiv_id, one.authorship.position])


def _merge(curators: _Curators, loser: int, survivor: int, reason: str, key: str) -> MergeEvent | None:
    plan = plan_merge(loser=loser, survivor=survivor)
    outcome = merge_researchers(
        loser=loser, survivor=survivor, actor=curators.first, reason=reason, versions=plan.versions, key=key
    )
    if outcome.proposal is not None and outcome.event is None:
        outcome = confirm_merge(
            proposal=outcome.proposal.pk, actor=curators.second, versions=plan.versions, answer="So it is."
        )
    event = outcome.event
    assert event is None or isinstance(event, MergeEvent)
    return event


def _roots(rows: list[TrueAuthorship]) -> tuple[list[Attribution], list[int]]:
    found = _attributions(rows)
    return found, sorted({one.root_id for one in found if one.root_id is not None})


def _one_person_with_two_orcids(curators: _Curators, rows: list[TrueAuthorship], key: str) -> set[int]:
    """Rightly merged by two curators."""
    found, roots = _roots(rows)
    if len(roots) != 2 or MergeEvent.objects.filter(idempotency_key=key).exists():
        return set()
    _merge(curators, roots[1], roots[0], "She confirms that both ORCIDs are hers.", key)
    return {one.paper_id for one in found}


def _a_turned_name(curators: _Curators, rows: list[TrueAuthorship], key: str) -> set[int]:
    """Merged, found out to be too early, and taken back."""
    _, roots = _roots(rows)
    if len(roots) != 2 or MergeEvent.objects.filter(idempotency_key=key).exists():
        return set()
    event = _merge(curators, roots[1], roots[0], "The same name, family name first.", key)
    if event is not None:
        undo_event(event=event.pk, actor=curators.first, reason="To be asked about first.", key=f"{key}:undo")
    return set()


def _two_namesakes(curators: _Curators, rows: list[TrueAuthorship], key: str) -> set[int]:
    """Told apart, rightly."""
    _, roots = _roots(rows)
    if len(roots) == 2:
        plan = plan_merge(loser=roots[1], survivor=roots[0])
        declare_different(
            a=roots[0], b=roots[1], actor=curators.first, reason="Two ORCIDs, two fields.", versions=plan.versions
        )
    return set()


def _a_wrong_merge(curators: _Curators, rows: list[TrueAuthorship], key: str) -> set[int]:
    """Two people of one name made one, wrongly: for somebody to find and take back."""
    found, roots = _roots(rows)
    if rows[0].cycle % 2 or len(roots) != 2 or MergeEvent.objects.filter(idempotency_key=key).exists():
        return set()
    _merge(curators, roots[1], roots[0], "The same name in the same field.", key)
    return {one.paper_id for one in found}


_ACTS: dict[str, Callable[[_Curators, list[TrueAuthorship], str], set[int]]] = {
    Plot.TWO_ORCIDS.name.lower(): _one_person_with_two_orcids,
    Plot.FAMILY_NAME_FIRST.name.lower(): _a_turned_name,
    Plot.FATHER_AND_SON.name.lower(): _two_namesakes,
    Plot.NAMESAKES_WITH_ORCIDS.name.lower(): _a_wrong_merge,
}
