"""Candidates found anew from the database, researcher by researcher."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection, transaction

from researchers.matching.duplicates import find_pairs
from researchers.matching.outcomes import Person, Resolution
from researchers.matching.weights import default_weights
from researchers.models import Candidate, Researcher
from researchers.services.attribution import filing
from researchers.services.attribution.batch import without_garbage_collection
from researchers.services.attribution.known import load_neighbours
from researchers.services.attribution.memory import KeptPopulation
from wovepaper.curation.services import CandidateDraft

AT_ONCE = 25_000
"""Researchers of one transaction, with as many around them as bear such names."""
COMPUTED = ("pair", "group", "split")
"""Kinds that can be found again from the database; a conflict is seen only when its paper comes in."""


@dataclass(slots=True)
class FindReport:
    """What was looked at, what is open now, and what of the open items nothing speaks for any more."""

    researchers: int = 0
    filed: int = 0
    removed: int = 0


def find_duplicates(*, advance: Callable[[int], None] | None = None) -> FindReport:
    """Look for pairs, crowds and splits anew among all researchers with papers, in the order of their numbers.

    What people closed, put off or voted on stays. Open items that are not found again go, unless a curator has them in
    hand. ``advance`` is called with numbers of researchers.
    """
    report = FindReport()
    before = Candidate.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    found: set[str] = set()
    last = 0
    while True:
        with transaction.atomic():
            roots = list(
                Researcher.objects.visible().filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]
            )
            if not roots:
                break
            sought = set(roots)
            with without_garbage_collection():
                drafts = _look(roots)
            # Each item once: with the first of its members.
            drafts = [draft for draft in drafts if min(draft.members) in sought]
            report.filed += filing.file_drafts(drafts)
            found.update(draft.identity for draft in drafts)
        report.researchers += len(roots)
        last = roots[-1]
        if advance is not None:
            advance(len(roots))
    report.removed = _remove_stale(before, found)
    return report


def _look(roots: list[int]) -> list[CandidateDraft]:
    population, weights = KeptPopulation.read(), default_weights()
    around = load_neighbours(roots)
    candidates, crowds = find_pairs(
        around.known.values(), roots, population=population, weights=weights, decisions=around.decisions
    )
    resolution = Resolution(candidates=candidates, crowds=crowds)
    sought = [around.known[root] for root in roots if root in around.known]

    def root_of(person: Person) -> int | None:
        return person.known

    return [
        *filing.pair_drafts(resolution, root_of),
        *filing.crowd_drafts(resolution, root_of),
        *filing.split_drafts(sought, population, weights),
        *filing.doubt_drafts(sought),
    ]


@transaction.atomic
def _remove_stale(before: int, found: set[str]) -> int:
    """Items that were open before the run and that it did not find."""
    open_items = Candidate.objects.select_for_update().filter(pk__lte=before, state="open", kind__in=COMPUTED)
    stale = [
        row.pk
        for row in open_items.filter(leased_to=None).order_by("pk").only("pk", "key", "reasons")
        if row.key not in found and not any(isinstance(reason, dict) and reason.get("kept") for reason in row.reasons)
    ]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM researchers_candidate WHERE id = ANY(%s)", [stale])
        return cursor.rowcount
