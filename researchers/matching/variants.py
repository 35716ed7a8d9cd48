"""Joining and listing groups across names that may be variants of one."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from researchers.matching.clusters import Cluster, VariantScorer, are_apart, bridges
from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.names import ATTACHABLE, NameForm, Relation, keys, partner_keys, relation
from researchers.matching.outcomes import Reason
from researchers.matching.population import Population
from researchers.matching.weights import Weights

_FEW_PAIRS = 50
"""Pairs of two names' bearers of which each is compared; "Y. Wang" and "Yi Wang" are hundreds of people."""
_OVER_INITIALS = frozenset((Relation.INITIAL, Relation.INITIAL_AGREES))
_AS_LIKELY = 0.5
"""Log-odds by which one of two people must be likelier to be meant by an initial."""
_CLOSENESS = {kind: place for place, kind in enumerate(Relation)}


@dataclass(frozen=True, slots=True)
class VariantLink:
    """Two clusters by number, and how they are linked."""

    first: int
    second: int
    relation: Relation
    score: float
    probability: float
    reasons: tuple[Reason, ...] = ()


Moved = list[AuthorshipEvidence]


def join_variants(
    clusters: Mapping[int, Cluster],
    root: Callable[[int], int],
    merge: Callable[[list[Cluster]], Cluster],
    population: Population,
    weights: Weights,
) -> tuple[list[tuple[VariantLink, Moved]], int]:
    """Join clusters from the best link down, where one got new authorships and the relation of names allows it.

    Returns the links that joined with the new authorships they moved, those to be listed without, and the number of
    pairs compared.
    """
    scorer = VariantScorer(population, weights)
    least = math.log(weights.decide["list"] / (1 - weights.decide["list"]))
    only_listed: set[tuple[int, int]] = set()
    scored = []
    for (one, other), (kind, namesakes) in related_clusters(clusters, population).items():
        features = scorer.features(clusters[one], clusters[other], namesakes)
        score = scorer.log_odds(features, kind)
        probability = 1 / (1 + math.exp(-score))
        if probability >= weights.decide["list"]:
            reasons = scorer.reasons(features, kind)
            if scorer.without_source_ids(features, kind) < least:
                only_listed.add((one, other))
            scored.append(VariantLink(one, other, kind, score, probability, reasons))
    scored.sort(key=lambda link: (-link.score, link.first, link.second))
    rivals = _rivals(scored, weights)
    done: list[tuple[VariantLink, Moved]] = []
    for link in scored:
        first, second = clusters[root(link.first)], clusters[root(link.second)]
        if first is second:
            continue
        may = (
            link.relation in ATTACHABLE
            and link.probability >= weights.decide["attach_variant"]
            and (link.first, link.second) not in only_listed
        )
        if not may or are_apart(first, second) or bridges(first, second) or _between_two(link, rivals, clusters, root):
            done.append((link, []))
            continue
        loser = max(first, second, key=lambda side: (side.known is None, -len(side.members), side.number))
        moved = list(loser.new)
        merge([first, second])
        done.append((link, moved))
    return done, scorer.compared


def _rivals(scored: Iterable[VariantLink], weights: Weights) -> Mapping[int, list[tuple[int, float]]]:
    """For each cluster those it might be joined to over an initial."""
    found: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for link in scored:
        if link.relation in _OVER_INITIALS and link.probability >= weights.decide["list"]:
            found[link.first].append((link.second, link.score))
            found[link.second].append((link.first, link.score))
    return found


def _between_two(
    link: VariantLink,
    rivals: Mapping[int, list[tuple[int, float]]],
    clusters: Mapping[int, Cluster],
    root: Callable[[int], int],
) -> bool:
    """Whether an initial stands between two people whose full names contradict each other: then it stays apart."""
    if link.relation not in _OVER_INITIALS:
        return False
    for number, other in ((link.first, link.second), (link.second, link.first)):
        if any(name.is_full for name in clusters[root(number)].names):
            continue
        target = clusters[root(other)]
        for rival, score in rivals.get(number, ()):
            against = clusters[root(rival)]
            if (
                score > link.score - _AS_LIKELY
                and against is not target
                and against is not clusters[root(number)]
                and bridges(target, against)
            ):
                return True
    return False


def related_clusters(
    clusters: Mapping[int, Cluster], population: Population
) -> dict[tuple[int, int], tuple[Relation, float]]:
    """Pairs of clusters of which one has new authorships, with the closest relation of their names and how common
    the commoner name is where one is an initial, the rarer one otherwise."""
    bearers: defaultdict[NameForm, list[int]] = defaultdict(list)
    for number, cluster in clusters.items():
        for name in cluster.names:
            bearers[name].append(number)
    fresh = {name for name, numbers in bearers.items() if any(clusters[number].new for number in numbers)}
    found: dict[tuple[int, int], tuple[Relation, float]] = {}
    co_authors: dict[int, frozenset[str]] = {}
    for one, other, kind in _related_names(bearers, fresh):
        both = population.namesakes(one), population.namesakes(other)
        namesakes = max(both) if one.is_initial or other.is_initial else min(both)
        for first, second in _pairs(bearers[one], bearers[other], clusters, co_authors):
            if first == second or not (clusters[first].new or clusters[second].new):
                continue
            pair = (first, second) if first < second else (second, first)
            before = found.get(pair)
            if before is None or (_CLOSENESS[kind], namesakes) < (_CLOSENESS[before[0]], before[1]):
                found[pair] = (kind, namesakes)
    return {
        (one, other): value
        for (one, other), value in found.items()
        if clusters[one].papers.isdisjoint(clusters[other].papers)
        and not (value[0] is Relation.JOINED and _share_a_name(clusters[one], clusters[other]))
    }


def _pairs(
    ours: list[int], theirs: list[int], clusters: Mapping[int, Cluster], co_authors: dict[int, frozenset[str]]
) -> Iterator[tuple[int, int]]:
    """Pairs of two names' bearers: all of few, of many those that have a co-author's name in common."""
    if len(ours) * len(theirs) <= _FEW_PAIRS:
        yield from itertools.product(ours, theirs)
        return
    bearing: defaultdict[str, list[int]] = defaultdict(list)
    for number in {*ours, *theirs}:
        if number not in co_authors:
            cluster = clusters[number]
            co_authors[number] = frozenset(
                name.key for one in cluster.compared() for name in one.paper.authors[:100] if name not in cluster.names
            )
    for second in theirs:
        for key in co_authors[second]:
            bearing[key].append(second)
    for first in ours:
        for second in sorted({found for key in co_authors[first] for found in bearing.get(key, ())}):
            yield first, second


def _share_a_name(one: Cluster, other: Cluster) -> bool:
    """Whether a name of both was compared already, authorship by authorship."""
    return not {name.key for name in one.names}.isdisjoint(name.key for name in other.names)


def _related_names(
    names: Mapping[NameForm, list[int]], fresh: set[NameForm]
) -> Iterator[tuple[NameForm, NameForm, Relation]]:
    by_key: defaultdict[str, list[NameForm]] = defaultdict(list)
    for name in names:
        for key in keys(name):
            by_key[key].append(name)
    for name in fresh:
        partners = {other for key in partner_keys(name) for other in by_key.get(key, ())}
        for other in partners:
            if other.key == name.key or (other in fresh and (other.words, other.native) < (name.words, name.native)):
                continue
            kind = relation(name, other)
            if kind is not None:
                yield name, other, kind
