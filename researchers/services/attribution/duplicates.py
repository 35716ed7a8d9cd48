"""Candidates found anew from the database, researcher by researcher."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection, transaction

from researchers.matching.duplicates import find_pairs
from researchers.matching.outcomes import Person, Resolution
from researchers.models import Candidate, Researcher
from researchers.services.attribution import filing
from researchers.services.attribution.alone import without_garbage_collection
from researchers.services.attribution.known import load_neighbours
from researchers.services.attribution.memory import KeptPopulation
from researchers.services.weights import current_weights
from wovepaper.curation.services import CandidateDraft

AT_ONCE = 25_000
"""Researchers of one transaction, with as many around them as bear such names."""
COMPUTED = ("pair", "group", "split")
"""Kinds that can be found again from the database; a conflict is seen only when its paper comes in."""

# A batch saw the people as they were while it decided; nobody can look at that again. So an item goes only where
# something happened to one of its members afterwards: a paper decided or decided otherwise, papers gone, merged, split,
# erased, told whose a paper is.
_REMOVE = """
    DELETE FROM researchers_candidate AS item WHERE item.id = ANY(%s::bigint[]) AND (
    EXISTS (SELECT FROM unnest(item.members) AS member(id) WHERE NOT EXISTS (
        SELECT FROM researchers_researcher AS person WHERE person.id = member.id AND person.root_id = person.id
        AND person.erased_at IS NULL AND person.paper_count > 0))
    OR EXISTS (SELECT FROM researchers_attribution AS row WHERE row.root_id = ANY(item.members)
        AND row.decided_at > item.filed_at)
    OR EXISTS (SELECT FROM researchers_attribution AS row
        JOIN researchers_attributedpaper AS paper ON paper.paper_id = row.paper_id
        WHERE row.root_id = ANY(item.members) AND paper.attributed_at > item.filed_at)
    OR EXISTS (SELECT FROM researchers_decision AS said WHERE said.researcher_id = ANY(item.members)
        AND greatest(said.created_at, said.revoked_at) > item.filed_at)
    OR EXISTS (SELECT FROM researchers_mergeevent AS event
        WHERE (event.loser_id = ANY(item.members) OR event.survivor_id = ANY(item.members))
        AND event.created_at > item.filed_at)
    OR item.kind = 'pair' AND item.rows_affected > (SELECT min(person.paper_count)
        FROM researchers_researcher AS person WHERE person.id = ANY(item.members))
    ) AND NOT (item.kind = 'pair' AND EXISTS (
        SELECT FROM researchers_researcheridentifier AS held
        JOIN researchers_researcher AS person ON person.id = held.researcher_id
        WHERE person.root_id = ANY(item.members) AND held.scheme <> 'orcid' AND held.state = 'claimed'
        GROUP BY held.scheme, held.value HAVING count(DISTINCT person.root_id) > 1))
"""


@dataclass(slots=True)
class FindReport:
    """What was looked at, what is open now, and what of the open items nothing speaks for any more."""

    researchers: int = 0
    filed: int = 0
    removed: int = 0


def find_duplicates(*, advance: Callable[[int], None] | None = None) -> FindReport:
    """Look for pairs, crowds and splits anew among all researchers with papers, in the order of their numbers.

    What people closed, put off or voted on stays, and so do doubtful names and two people to whom a source gives one
    id. Other open items that are not found again go if what they were filed from has changed since, unless a curator
    has them in hand. ``advance`` is called with numbers of researchers.
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
    population, weights = KeptPopulation.read(), current_weights()
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
    unfound = [
        row.pk
        for row in open_items.filter(leased_to=None).order_by("pk").only("pk", "key", "reasons")
        if row.key not in found
        and not row.key.startswith("doubt:")
        and not any(isinstance(reason, dict) and reason.get("kept") for reason in row.reasons)
    ]
    with connection.cursor() as cursor:
        cursor.execute(_REMOVE, [unfound])
        return cursor.rowcount
