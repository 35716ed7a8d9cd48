"""Joining the groups of one name, each seen as a whole, from the likeliest pair down."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator

from researchers.matching.clusters import Cluster, are_apart
from researchers.matching.groups import GroupScorer
from researchers.matching.names import Relation
from researchers.matching.variants import VariantLink
from researchers.matching.workings import Workings

_ALL_PAIRS = 400
"""Pairs of groups of which each is compared; of more, those that have a co-author in common."""

Pair = tuple[int, int]
Link = tuple[float, list[float]]


def join_groups(workings: Workings, scorer: GroupScorer, clusters: list[Cluster], namesakes: float) -> list[Cluster]:
    """Join groups of one name as long as the likeliest pair reaches ``attach_group``; those to be listed are kept.

    One of each pair has new authorships. After a join the pairs of the joined group are scored again.
    """
    decide = workings.weights.decide
    attach, least = _log_odds(decide["attach_group"]), _log_odds(decide["list"])
    by_number = {cluster.number: cluster for cluster in clusters}
    links: dict[Pair, Link] = {}

    def score(pairs: Iterable[Pair]) -> None:
        for one, other in pairs:
            if not _may_be_one(by_number[one], by_number[other]):
                continue
            features = scorer.features(by_number[one], by_number[other], namesakes)
            value = scorer.log_odds(features)
            if value >= least:
                links[one, other] = value, features

    score(_pairs(clusters, scorer))
    while links:
        best = min(links, key=lambda pair: (-links[pair][0], pair))
        value, features = links[best]
        if value < attach:
            break
        joined = _join(workings, scorer, [by_number[number] for number in best], value, features)
        partners = {number for pair in links if not set(best).isdisjoint(pair) for number in pair} - set(best)
        for pair in [pair for pair in links if not set(best).isdisjoint(pair)]:
            del links[pair]
        del by_number[best[0] if joined.number == best[1] else best[1]]
        score(sorted((min(joined.number, other), max(joined.number, other)) for other in partners))
    for (one, other), (value, features) in sorted(links.items()):
        reasons = scorer.reasons(features)
        workings.listed.append(VariantLink(one, other, Relation.JOINED, value, _probability(value), reasons))
    return list(by_number.values())


def _join(workings: Workings, scorer: GroupScorer, pair: list[Cluster], value: float, features: list[float]) -> Cluster:
    """Join two, and keep why for the new authorships of the smaller one."""
    loser = max(pair, key=lambda side: (side.known is None, -len(side.members), side.number))
    kept = value, _probability(value), scorer.reasons(features)
    for authorship in loser.new:
        if len(loser.members) == 1 or authorship.id not in workings.scores:
            workings.scores[authorship.id] = kept
    return workings.merge(pair)


def _may_be_one(one: Cluster, other: Cluster) -> bool:
    if not (one.new or other.new) or are_apart(one, other):
        return False
    return len({name.suffix for name in one.names | other.names if name.suffix}) < 2


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


def _log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))
