"""What a batch leaves for curators: pairs, crowds of one name, conflicts, splits, doubtful names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from researchers.matching.doubts import doubtful_names
from researchers.matching.evidence import KnownResearcher
from researchers.matching.outcomes import Attribution, Conflict, ConflictKind, Person, Resolution
from researchers.matching.population import Population
from researchers.matching.splits import propose_split
from researchers.matching.weights import Weights
from researchers.merging import ADAPTER
from researchers.models import Candidate, Researcher
from researchers.services.attribution.reasons import for_candidates
from wovepaper.curation.services import CandidateDraft, file_candidates

CROWD_SCORE = 0.5
"""Of a grouped item: nobody knows which two of them are one."""
SHARED_ID_SCORE = 0.6
"""Of two people to whom a source gives one author id."""
MOST_WITH_ONE_ID = 5
"""People with one id of a source that are listed; more are an error of the source."""
FEWEST_TO_SPLIT = 4
"""Papers: two and two."""
COMMON = 0.1
"""Expected namesakes from which on a name is several people's often enough to look: 1 in 10 of such names."""
DOUBT_SCORE = 0.5
MOST_DOUBTS = 20
"""Authors that are named in one item."""

_CONFLICTS = {
    ConflictKind.REPEATED: "The ORCID {orcid} stands on several authors of the paper.",
    ConflictKind.OTHER_NAME: "The ORCID {orcid} is of somebody whose names have no word in common with this author's.",
    ConflictKind.HELD_APART: "The ORCID {orcid} is of somebody who is known not to be this author.",
}


def pair_drafts(resolution: Resolution, root_of: Callable[[Person], int | None]) -> list[CandidateDraft]:
    """The pairs of a resolution."""
    drafts = []
    for one in resolution.candidates:
        pair = {root_of(one.first), root_of(one.second)} - {None}
        if len(pair) == 2:
            reasons = for_candidates(one.reasons)
            if one.different_orcids:
                reasons.insert(0, {"text": "They have different ORCIDs.", "contribution": 0.0})
            drafts.append(_pair(pair, one.probability, reasons, has_conflict=one.different_orcids))
    return drafts


def held_drafts(
    held: Mapping[int, tuple[int, Person, Attribution]], root_of: Callable[[Person], int | None]
) -> list[CandidateDraft]:
    """Researchers whom the model would have joined to others."""
    drafts = []
    for root, person, attribution in held.values():
        pair = {root, root_of(person)} - {None}
        if len(pair) == 2:
            drafts.append(_pair(pair, attribution.probability or 0.6, for_candidates(attribution.reasons)))
    return drafts


def _pair(
    pair: Collection[int | None], score: float, reasons: Sequence[Mapping[str, object]], *, has_conflict: bool = False
) -> CandidateDraft:
    members = tuple(sorted(one for one in pair if one is not None))
    return CandidateDraft(members=members, score=round(score, 4), reasons=reasons, has_conflict=has_conflict)


def crowd_drafts(resolution: Resolution, root_of: Callable[[Person], int | None]) -> list[CandidateDraft]:
    """One item for each very common name, with those whom it had before."""
    found: dict[str, set[int]] = {}
    for crowd in resolution.crowds:
        roots = {root for person in crowd.people if (root := root_of(person)) is not None}
        found[f"group:{crowd.name.key}"[:200]] = roots
    for key, members in Candidate.objects.filter(key__in=list(found)).values_list("key", "members"):
        found[key].update(members)
    return [
        CandidateDraft(
            members=tuple(sorted(roots)),
            kind="group",
            key=key,
            score=CROWD_SCORE,
            reasons=[{"text": "Many people bear this name.", "contribution": 0.0}],
        )
        for key, roots in sorted(found.items())
        if len(roots) > 1
    ]


def conflict_drafts(
    conflicts: Iterable[Conflict], root_of_author: Mapping[int, int], root_of: Callable[[Person], int | None]
) -> list[CandidateDraft]:
    """An item for each ORCID that was not followed."""
    drafts = []
    for one in conflicts:
        holder = None if one.holder is None else root_of(one.holder)
        members = {root for root in (root_of_author.get(one.authorship), holder) if root is not None}
        if members:
            drafts.append(
                CandidateDraft(
                    members=tuple(sorted(members)),
                    kind="conflict",
                    key=f"conflict:{one.orcid}:{one.authorship}",
                    score=0.6,
                    reasons=[{"text": _CONFLICTS[one.kind].format(orcid=one.orcid), "contribution": 0.0}],
                    has_conflict=True,
                )
            )
    return drafts


def shared_id_drafts(shared: Iterable[tuple[str, Sequence[int]]]) -> list[CandidateDraft]:
    """Pairs of people to whom a source gives one id."""
    drafts = []
    for value, roots in shared:
        if len(roots) > MOST_WITH_ONE_ID:
            continue
        reason = {"text": f"A source gives both the author id {value}.", "contribution": 0.0}
        drafts += [
            _pair((one, other), SHARED_ID_SCORE, [reason]) for at, one in enumerate(roots) for other in roots[at + 1 :]
        ]
    return drafts


def split_drafts(
    researchers: Iterable[KnownResearcher], population: Population, weights: Weights
) -> list[CandidateDraft]:
    """Researchers who look like several people."""
    drafts = []
    for one in researchers:
        if len(one.orcids) < 2 and not _may_be_several(one, population):
            continue
        proposal = propose_split(one, weights, population)
        if proposal is not None:
            drafts.append(
                CandidateDraft(
                    members=(one.id,),
                    kind="split",
                    score=proposal.score,
                    reasons=for_candidates(proposal.reasons),
                    has_conflict=len(one.orcids) > 1,
                    rows_affected=sum(map(len, proposal.parts[1:])),
                )
            )
    return drafts


def _may_be_several(one: KnownResearcher, population: Population) -> bool:
    """Enough papers to fall into two groups, under a name that several people are likely to bear."""
    if len(one.authorships) < FEWEST_TO_SPLIT:
        return False
    return max(population.namesakes(authorship.name) for authorship in one.authorships) >= COMMON


def doubt_drafts(researchers: Iterable[KnownResearcher]) -> list[CandidateDraft]:
    """Authors printed under a name that their researcher does not otherwise go by.

    The reasons name the authors by number, not by name: any name may be hidden one day.
    """
    drafts = []
    for one in researchers:
        doubts = doubtful_names(one)
        if doubts:
            text = "A paper prints a name that they do not otherwise go by."
            drafts.append(
                CandidateDraft(
                    members=(one.id,),
                    kind="split",
                    key=f"doubt:{one.id}",
                    score=DOUBT_SCORE,
                    reasons=[
                        {"text": text, "contribution": 0.0, "authorship": doubt.authorship}
                        for doubt in doubts[:MOST_DOUBTS]
                    ],
                    rows_affected=len(doubts),
                )
            )
    return drafts


def file_drafts(drafts: Sequence[CandidateDraft]) -> int:
    """File them with the number of papers each concerns; returns how many are open."""
    if not drafts:
        return 0
    counts = dict(
        Researcher.objects.filter(pk__in={member for draft in drafts for member in draft.members}).values_list(
            "pk", "paper_count"
        )
    )
    return file_candidates(ADAPTER, [_with_papers(draft, counts) for draft in drafts])


def _with_papers(draft: CandidateDraft, counts: Mapping[int, int]) -> CandidateDraft:
    """Of a pair, the papers that a merge would move; of a crowd, all of its members'."""
    papers = [counts.get(member, 0) for member in draft.members]
    if draft.kind == "pair":
        return replace(draft, rows_affected=min(papers))
    if draft.kind == "group":
        return replace(draft, rows_affected=sum(papers))
    return draft if draft.rows_affected else replace(draft, rows_affected=1)
