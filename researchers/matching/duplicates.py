"""Pairs among researchers that exist: who may be one, looked for anew without deciding anything."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from researchers.matching.clusters import Cluster
from researchers.matching.evidence import Decisions, KnownResearcher
from researchers.matching.groups import GroupScorer
from researchers.matching.joining import log_odds, may_be_one, probability
from researchers.matching.listing import CROWD, list_people
from researchers.matching.names import NameForm, Relation
from researchers.matching.outcomes import Candidate, Crowd, Person
from researchers.matching.population import Population
from researchers.matching.variants import VariantLink, join_variants
from researchers.matching.weights import Weights


def find_pairs(
    researchers: Iterable[KnownResearcher],
    sought: Collection[int],
    *,
    population: Population,
    weights: Weights,
    decisions: Decisions | None = None,
) -> tuple[tuple[Candidate, ...], tuple[Crowd, ...]]:
    """Pairs of which one is among the ids ``sought``, and names that many people bear, one of the sought among them.

    Nobody is joined. Left out are pairs that people called different and those who are authors of one paper.
    """
    clusters: dict[int, Cluster] = {}
    wanted = set(sought)
    for number, one in enumerate(sorted(researchers, key=lambda researcher: researcher.id)):
        cluster = clusters[number] = Cluster(number, one.id)
        for authorship in one.authorships:
            cluster.add(authorship, new=one.id in wanted)
        cluster.names.update(one.names)
        cluster.orcids.update(one.orcids)
    links, crowded = _namesakes(clusters, wanted, population, weights)
    # Known researchers are never joined, so that every link comes back to be listed.
    others, _ = join_variants(clusters, lambda number: number, _refuse, population, weights)
    links += [link for link, _ in others]
    people = {number: Person(known=cluster.known) for number, cluster in clusters.items()}
    decided = decisions or Decisions()
    candidates, _ = list_people(links, clusters, lambda number: number, {}, people, decided)
    crowds = tuple(Crowd(name, tuple(sorted(people[number] for number in numbers)), ()) for name, numbers in crowded)
    inside = [{person.known for person in crowd.people} for crowd in crowds]
    return (
        tuple(one for one in candidates if not any({one.first.known, one.second.known} <= crowd for crowd in inside)),
        crowds,
    )


def _refuse(clusters: list[Cluster]) -> Cluster:
    raise AssertionError("two known researchers are never joined")


def _namesakes(
    clusters: dict[int, Cluster], wanted: set[int], population: Population, weights: Weights
) -> tuple[list[VariantLink], list[tuple[NameForm, list[int]]]]:
    """Links between researchers of one name, and names of crowds with their bearers."""
    by_key: defaultdict[str, set[int]] = defaultdict(set)
    for number, cluster in clusters.items():
        for name in cluster.names:
            if name.key:
                by_key[name.key].add(number)
    scorer = GroupScorer(population, weights)
    links: list[VariantLink] = []
    crowded: list[tuple[NameForm, list[int]]] = []
    for key, numbers in sorted(by_key.items()):
        if len(numbers) < 2 or not any(clusters[number].known in wanted for number in numbers):
            continue
        names = {name for number in numbers for name in clusters[number].names if name.key == key}
        bearers = sorted(numbers)
        if len(bearers) >= CROWD:
            crowded.append((min(names, key=lambda form: (form.given, form.family, form.suffix)), bearers))
            continue
        with_papers = [clusters[number] for number in bearers if clusters[number].members]
        if len(with_papers) > 1:
            links += _compare(with_papers, min(map(population.namesakes, names)), scorer, weights)
    return links, crowded


def _compare(clusters: list[Cluster], namesakes: float, scorer: GroupScorer, weights: Weights) -> Iterator[VariantLink]:
    """Pairs that are likely enough to be listed, by the rule by which a batch joins and lists groups of one name."""
    least = log_odds(weights.decide["list"])
    for one, other in itertools.combinations(clusters, 2):
        if not may_be_one(one, other):
            continue
        features = scorer.features(one, other, namesakes)
        value = scorer.log_odds(features)
        if value >= least:
            reasons = scorer.reasons(features)
            yield VariantLink(one.number, other.number, Relation.JOINED, value, probability(value), reasons)
