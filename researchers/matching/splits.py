"""Researchers that look like several people, and which of their papers would be whose: for curators to decide."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from researchers.matching.clusters import Cluster
from researchers.matching.evidence import AuthorshipEvidence, KnownResearcher
from researchers.matching.linkage import Flags, Floats, agglomerate, links_between
from researchers.matching.outcomes import Reason
from researchers.matching.pairs import PairScorer
from researchers.matching.population import Population
from researchers.matching.weights import Weights

_FEWEST = 2
"""Papers that make a part: of one paper that fits nowhere nobody knows whose it is."""
_MOST_GROUPS = 300
"""Groups of papers tied by co-authors that are compared, the largest first."""
_MOST_OF_A_GROUP = 20
_MOST_COMPARED = 1200
"""Authorships that are compared in all."""
_MOST_CO_AUTHORS = 100
_SEVERAL_ORCIDS = -3.0
"""Log-odds, weighed by hand, that two trusted ORCIDs are one person's: some people own two."""
_LEAST_FOR_ORCIDS = 0.6
"""Two trusted ORCIDs are a contradiction that somebody has to look at, whatever else agrees."""
_LIMIT = 8.0


@dataclass(frozen=True, slots=True)
class SplitProposal:
    """Which authorships of a researcher would be whose, by their ids.

    The largest part comes first, and keeps what nothing ties to another part; the other parts are what to move. It is
    the only part where two trusted ORCIDs contradict each other, but no paper says which of them it belongs to.
    ``score`` is the probability, from 0 to 1, that they are several people, with two trusted ORCIDs at least 0.6.
    ``reasons`` are those of the likeliest
    link between two parts: below zero they speak for several people, above for one.
    """

    researcher: int
    parts: tuple[tuple[int, ...], ...]
    score: float
    reasons: tuple[Reason, ...]


def propose_split(researcher: KnownResearcher, weights: Weights, population: Population) -> SplitProposal | None:
    """How to split a researcher who looks like several people; ``None`` for one who does not.

    Papers that share a co-author's name, or print the same trusted ORCID, stay together; so do groups of papers that
    affiliation, titles and years make one person's with the probability from which pairs are listed. Time is bounded,
    however many papers there are. The outcome does not depend on the order of authorships.
    """
    members = sorted(researcher.authorships, key=lambda one: one.id)
    groups = _tied_together(members, researcher)
    parts, link, reasons = _parts(groups, researcher, weights, population)
    several_orcids = len(researcher.orcids) > 1
    if len(parts) < 2 and not several_orcids:
        return None
    if len(parts) > 1:
        reasons = (Reason("co_author_groups", float(len(parts)), 0.0), *reasons)
    if several_orcids:
        link += _SEVERAL_ORCIDS
        reasons = (Reason("several_orcids", float(len(researcher.orcids)), _SEVERAL_ORCIDS), *reasons)
    score = 1 - 1 / (1 + math.exp(-link))
    if several_orcids:
        score = max(score, _LEAST_FOR_ORCIDS)
    return SplitProposal(researcher.id, _with_the_rest(parts, members), round(score, 4), reasons)


Group = list[AuthorshipEvidence]


def _tied_together(members: Sequence[AuthorshipEvidence], researcher: KnownResearcher) -> list[Group]:
    """Authorships in groups that share co-authors or a trusted ORCID, never two of the ORCIDs; the largest first."""
    own = {name.key for name in researcher.names} | {one.name.key for one in members}
    orcid_of = [one.orcid if one.orcid in researcher.orcids else "" for one in members]
    leader = list(range(len(members)))
    orcids = [{orcid} if orcid else set() for orcid in orcid_of]

    def find(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    def tie(indices: Iterable[int]) -> None:
        first, *others = indices
        for other in others:
            one, two = sorted((find(first), find(other)))
            if one != two and len(orcids[one] | orcids[two]) < 2:
                leader[two] = one
                orcids[one] |= orcids[two]

    by_orcid: defaultdict[str, list[int]] = defaultdict(list)
    by_co_author: defaultdict[str, list[int]] = defaultdict(list)
    for index, one in enumerate(members):
        if orcid_of[index]:
            by_orcid[orcid_of[index]].append(index)
        for key in {name.key for name in one.paper.authors[:_MOST_CO_AUTHORS]} - own:
            by_co_author[key].append(index)
    for _, indices in [*sorted(by_orcid.items()), *sorted(by_co_author.items())]:
        tie(indices)
    groups: defaultdict[int, Group] = defaultdict(list)
    for index, one in enumerate(members):
        groups[find(index)].append(one)
    return sorted(groups.values(), key=lambda group: (-len(group), group[0].id))


def _parts(
    groups: list[Group], researcher: KnownResearcher, weights: Weights, population: Population
) -> tuple[list[Group], float, tuple[Reason, ...]]:
    """Groups that are likely of different people, the largest first, and the likeliest link between two of them."""
    compared: list[list[AuthorshipEvidence]] = []
    room = _MOST_COMPARED
    for group in groups[:_MOST_GROUPS]:
        cluster = Cluster(0)
        for one in group:
            cluster.add(one, new=False)
        some = cluster.compared(min(_MOST_OF_A_GROUP, room))
        if not some:
            break
        compared.append(some)
        room -= len(some)
    rows = [one for some in compared for one in some]
    units = [unit for unit, some in enumerate(compared) for _ in some]
    if len(compared) < 2:
        return groups[:1], math.inf, ()
    namesakes = min(population.namesakes(one.name) for one in rows)
    scorer = PairScorer(population, weights)
    table = scorer.log_odds(rows, rows, namesakes)
    # Nobody is twice on a paper: where a merge brought two of one paper together, their groups stay apart here.
    links = links_between(table, units, units, _apart(groups[: len(compared)], researcher), weights.decide["nearest"])
    found, scores = agglomerate(links, weights.score_of(weights.decide["list"]))
    solid = [index for index, units_ in enumerate(found) if sum(len(groups[unit]) for unit in units_) >= _FEWEST]
    with_orcid = [
        index for index, units_ in enumerate(found) if any(_orcids_of(groups[unit], researcher) for unit in units_)
    ]
    kept = sorted({*solid, *with_orcid})
    parts = [[one for unit in found[index] for one in groups[unit]] for index in kept]
    if len(parts) < 2:
        return parts, math.inf, ()
    among = np.triu(scores[np.ix_(kept, kept)], 1) + np.tril(np.full((len(kept), len(kept)), -np.inf))
    papers = [{one.paper.id for one in part} for part in parts]
    for first, second in itertools.combinations(range(len(kept)), 2):
        if not papers[first].isdisjoint(papers[second]):
            among[first, second] = -_LIMIT
    nearest, beside = divmod(int(among.argmax()), len(kept))
    reasons = _reasons(scorer, rows, units, table, (found[kept[nearest]], found[kept[beside]]), namesakes)
    return sorted(parts, key=lambda part: (-len(part), part[0].id)), _logit(float(among.max()), weights), reasons


def _apart(groups: list[Group], researcher: KnownResearcher) -> Flags:
    orcids = [_orcids_of(group, researcher) for group in groups]
    table = np.zeros((len(groups), len(groups)), dtype=bool)
    for one, ours in enumerate(orcids):
        for other, theirs in enumerate(orcids):
            table[one, other] = bool(ours and theirs and ours != theirs)
    return table


def _orcids_of(group: Group, researcher: KnownResearcher) -> set[str]:
    return {one.orcid for one in group} & researcher.orcids


def _logit(score: float, weights: Weights) -> float:
    probability = weights.probability_of(max(-_LIMIT, min(_LIMIT, score)))
    return math.log(probability / (1 - probability))


def _reasons(
    scorer: PairScorer,
    rows: list[AuthorshipEvidence],
    units: list[int],
    table: Floats,
    sides: tuple[list[int], list[int]],
    namesakes: float,
) -> tuple[Reason, ...]:
    """What the nearest pair across two parts says."""
    ours, theirs = ([place for place, unit in enumerate(units) if unit in side] for side in sides)
    across = table[np.ix_(ours, theirs)]
    nearest, beside = divmod(int(across.argmax()), len(theirs))
    pair = [rows[ours[nearest]]], [rows[theirs[beside]]]
    return scorer.reasons(*pair, {0: 0}, namesakes)[0]


def _with_the_rest(parts: list[Group], members: Sequence[AuthorshipEvidence]) -> tuple[tuple[int, ...], ...]:
    moved = {one.id for part in parts[1:] for one in part}
    first = tuple(one.id for one in members if one.id not in moved)
    return (first, *(tuple(sorted(one.id for one in part)) for part in parts[1:]))
