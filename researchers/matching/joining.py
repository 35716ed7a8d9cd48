"""Joining the groups of one name, each seen as a whole, from the likeliest pair down."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator

from researchers.matching.clusters import Cluster, are_apart
from researchers.matching.groups import GROUP_FEATURES, GroupScorer
from researchers.matching.names import Relation
from researchers.matching.variants import VariantLink
from researchers.matching.workings import Workings

_ALL_PAIRS = 400
"""Pairs of groups of which each is compared; of more, those that have a co-author in common."""

_CO_AUTHOR, _AFFILIATION = GROUP_FEATURES.index("co_author"), GROUP_FEATURES.index("affiliation")
_ALIKE = 0.3
"""Cosine of affiliations from which on they count as evidence for a common name."""

Pair = tuple[int, int]
Link = tuple[float, list[float], bool]
"""Log-odds, features, and whether the two may be joined without a human."""


def join_groups(workings: Workings, scorer: GroupScorer, clusters: list[Cluster], namesakes: float) -> list[Cluster]:
    """Join groups of one name as long as the likeliest pair reaches ``attach_group``; those to be listed are kept.

    One of each pair has new authorships. After a join the pairs of the joined group are scored again.
    """
    decide = workings.weights.decide
    attach, least = log_odds(decide["attach_group"]), log_odds(decide["list"])
    by_number = {cluster.number: cluster for cluster in clusters}
    links: dict[Pair, Link] = {}

    def score(pairs: Iterable[Pair]) -> None:
        for one, other in pairs:
            first, second = by_number[one], by_number[other]
            if not may_be_one(first, second):
                continue
            features = scorer.features(first, second, namesakes)
            value = scorer.log_odds(features)
            if value >= least:
                may = (
                    value >= attach
                    and scorer.without_source_ids(features) >= least
                    and not are_apart(first, second)
                    and _is_enough(features, namesakes)
                )
                links[one, other] = value, features, may

    score(_pairs(clusters, scorer))
    while ready := [pair for pair, (_, _, may) in links.items() if may]:
        best = min(ready, key=lambda pair: (-links[pair][0], pair))
        value, features, _ = links[best]
        joined = _join(workings, scorer, [by_number[number] for number in best], value, features)
        partners = {number for pair in links if not set(best).isdisjoint(pair) for number in pair} - set(best)
        for pair in [pair for pair in links if not set(best).isdisjoint(pair)]:
            del links[pair]
        del by_number[best[0] if joined.number == best[1] else best[1]]
        score(sorted((min(joined.number, other), max(joined.number, other)) for other in partners))
    for (one, other), (value, features, _) in sorted(links.items()):
        reasons = scorer.reasons(features)
        workings.listed.append(VariantLink(one, other, Relation.JOINED, value, probability(value), reasons))
    return list(by_number.values())


def _join(workings: Workings, scorer: GroupScorer, pair: list[Cluster], value: float, features: list[float]) -> Cluster:
    """Join two, and keep why for the new authorships of the smaller one."""
    loser = max(pair, key=lambda side: (side.known is None, -len(side.members), side.number))
    kept = value, probability(value), scorer.reasons(features)
    for authorship in loser.new:
        if len(loser.members) == 1 or authorship.id not in workings.scores:
            workings.scores[authorship.id] = kept
    return workings.merge(pair)


def may_be_one(one: Cluster, other: Cluster) -> bool:
    """Whether anybody should hear of the two: nobody is twice on a paper, nor called both junior and senior."""
    if not (one.new or other.new) or not one.papers.isdisjoint(other.papers):
        return False
    if one.known in other.barred or other.known in one.barred:
        return False
    return len({name.suffix for name in one.names | other.names if name.suffix}) < 2


def _is_enough(features: list[float], namesakes: float) -> bool:
    """Of a name that several people are expected to bear, titles and venues alone never join two groups.

    Among so many there is always somebody who wrote about the like.
    """
    return namesakes < 1 or features[_CO_AUTHOR] > 0 or features[_AFFILIATION] >= _ALIKE


def _pairs(clusters: list[Cluster], scorer: GroupScorer) -> Iterator[Pair]:
    """All pairs of few groups; of many those with something in common, so that a name of thousands stays bounded."""
    numbers = sorted(cluster.number for cluster in clusters)
    fresh = sum(bool(cluster.new) for cluster in clusters)
    if fresh * len(numbers) <= _ALL_PAIRS:
        yield from itertools.combinations(numbers, 2)
        return
    having: defaultdict[str, set[int]] = defaultdict(set)
    for cluster in clusters:
        for key in scorer.summary(cluster).co_authors:
            having[key].add(cluster.number)
    found: set[Pair] = set()
    for cluster in clusters:
        for key in scorer.summary(cluster).co_authors:
            for other in having.get(key, ()):
                if other != cluster.number:
                    found.add((min(cluster.number, other), max(cluster.number, other)))
    yield from sorted(found)


def log_odds(chance: float) -> float:
    """Of a probability."""
    return math.log(chance / (1 - chance))


def probability(odds: float) -> float:
    """Of log-odds."""
    return 1 / (1 + math.exp(-odds))
