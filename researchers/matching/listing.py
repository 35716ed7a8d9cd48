"""What is listed for curators: pairs of people who may be one, and names that too many people bear."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from researchers.matching.clusters import Cluster
from researchers.matching.evidence import Decisions
from researchers.matching.names import NameForm
from researchers.matching.outcomes import Candidate, Crowd, Person
from researchers.matching.variants import VariantLink

CROWD = 10
"""People of one name from which on they are listed as one item."""


def list_people(
    links: Iterable[VariantLink],
    clusters: Mapping[int, Cluster],
    root: Callable[[int], int],
    crowded: Mapping[str, NameForm],
    people: Mapping[int, Person],
    decisions: Decisions,
) -> tuple[tuple[Candidate, ...], tuple[Crowd, ...]]:
    """The likeliest link of each two clusters that are still two, and crowds in place of the pairs inside them.

    Left out are pairs that people called different, and those who are authors of one paper. ``crowded`` are names by
    their keys; ``people`` says who each cluster is.
    """
    best = _best_links(links, clusters, root, decisions)
    crowds: list[Crowd] = []
    inside: set[tuple[int, int]] = set()
    bearers: dict[str, set[int]] = {key: set() for key in crowded}
    for number, cluster in clusters.items():
        for name in cluster.names:
            if name.key in bearers:
                bearers[name.key].add(number)
    for key, numbers in sorted(bearers.items()):
        if len(numbers) < CROWD:
            continue
        fresh = sorted(found for number in numbers if (found := people[number].newcomer) is not None)
        pairs = {pair for pair in best if numbers.issuperset(pair)}
        inside |= pairs
        if fresh or pairs:
            ordered = sorted((people[number] for number in numbers), key=_person_order)
            crowds.append(Crowd(crowded[key], tuple(ordered), tuple(fresh)))
    candidates = [_candidate(pair, link, clusters, people) for pair, link in best.items() if pair not in inside]
    candidates.sort(key=lambda one: (-one.probability, _person_order(one.first), _person_order(one.second)))
    return tuple(candidates), tuple(crowds)


def _best_links(
    links: Iterable[VariantLink], clusters: Mapping[int, Cluster], root: Callable[[int], int], decisions: Decisions
) -> dict[tuple[int, int], VariantLink]:
    best: dict[tuple[int, int], VariantLink] = {}
    for link in links:
        one, other = sorted((root(link.first), root(link.second)))
        if one == other or _called_different(clusters[one].known, clusters[other].known, decisions):
            continue
        if not clusters[one].papers.isdisjoint(clusters[other].papers):
            continue
        if (one, other) not in best or link.probability > best[one, other].probability:
            best[one, other] = link
    return best


def _candidate(
    pair: tuple[int, int], link: VariantLink, clusters: Mapping[int, Cluster], people: Mapping[int, Person]
) -> Candidate:
    first, second = sorted((people[number] for number in pair), key=_person_order)
    one, other = (clusters[number].orcids for number in pair)
    different = bool(one and other and not one & other)
    return Candidate(first, second, link.relation, link.score, link.probability, link.reasons, different)


def _called_different(one: int | None, other: int | None, decisions: Decisions) -> bool:
    return one is not None and other is not None and (min(one, other), max(one, other)) in decisions.different


def _person_order(person: Person) -> tuple[bool, int]:
    return person.known is None, (person.newcomer if person.known is None else person.known) or 0
