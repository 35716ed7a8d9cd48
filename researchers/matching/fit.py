"""Learning the weights from labelled authorships: logistic regression by Newton's method, balanced over names."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from researchers.matching.clusters import VARIANT_FEATURES, Cluster, VariantScorer
from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.groups import GROUP_FEATURES, GroupScorer
from researchers.matching.linkage import NEAREST
from researchers.matching.names import Relation
from researchers.matching.pairs import FEATURES, PairScorer
from researchers.matching.population import Population
from researchers.matching.resolve import group_namesakes
from researchers.matching.source_ids import GROUP_WEIGHTS, PAIR_WEIGHTS
from researchers.matching.variants import related_clusters
from researchers.matching.weights import Weights

Floats = NDArray[np.float64]
Labels = Sequence[Mapping[int, str]]
"""Sets of labels, the most trusted first: each from authorships to people. Only labels of one set are compared."""

DECIDE = {
    "attach": 0.92,
    "attach_group": 0.6,
    "attach_variant": 0.5,
    "list": 0.4,
    "rare": 0.01,
    "rare_initial": 0.001,
    "nearest": 0.5,
}
_ATTACH_WITHOUT_GROUPS = 0.65
"""Probability to attach from, where nothing is learnt of groups."""

_LEARNT_RELATIONS = tuple(kind for kind in Relation if kind is not Relation.MIDDLE)
"""``MIDDLE`` is what the bias stands for."""
_GRANULARITIES = (0.8, 0.92)
"""Probabilities down to which authorships are joined before groups are compared: groups of all sizes are learnt."""
_MOST_GROUPS = 100
"""Labelled groups of one name that are learnt from."""
_LONGEST_GROUP = 400
"""Labelled authorships of one name that are learnt from."""


def fit_weights(
    *,
    authorships: Sequence[AuthorshipEvidence],
    labels: Labels,
    population: Population,
    version: str,
    provenance: Mapping[str, Any],
) -> Weights:
    """Weights learnt from all labels; ``population`` counts the authorships. Raises ``ValueError`` for too few.

    ``authorships`` are all of the labelled names and of their variants, labelled or not.
    """
    pairs = {"bias": 0.0} | dict.fromkeys(FEATURES, 0.0) | PAIR_WEIGHTS
    variants = {"bias": 0.0} | dict.fromkeys(VARIANT_FEATURES, 0.0)
    weights = Weights(version, dict(provenance), pairs, variants, DECIDE, {"slope": 1.0, "offset": 0.0})
    features, same, balance, calibrating = _labelled_pairs(authorships, labels, population, weights)
    values = fit_logistic(features, same, balance)
    weights = replace(weights, pairs=PAIR_WEIGHTS | dict(zip(("bias", *FEATURES), values, strict=True)))
    weights = replace(weights, calibration=_calibrate(calibrating, values))
    grouped, same_groups, group_balance = _labelled_groups(authorships, labels, population, weights)
    if 0 < sum(same_groups) < len(same_groups):
        values = fit_logistic(grouped, same_groups, group_balance)
        weights = replace(weights, groups=dict(zip(("bias", *GROUP_FEATURES), values, strict=True)) | GROUP_WEIGHTS)
    else:
        weights = replace(weights, decide={**DECIDE, "attach": _ATTACH_WITHOUT_GROUPS})
    rows, same_variants = _labelled_variants(authorships, labels, population, weights)
    learnt = fit_logistic(rows, same_variants, np.ones(len(rows)))
    names = ("bias", *VARIANT_FEATURES, *(f"relation: {kind}" for kind in _LEARNT_RELATIONS))
    counted = {
        "labelled_pairs": len(features),
        "labelled_groups": len(grouped),
        "labelled_variants": len(rows),
    }
    return replace(
        weights,
        variants=dict(zip(names, learnt, strict=True)) | GROUP_WEIGHTS,
        provenance={**provenance, **counted},
    )


def fit_logistic(features: Floats, outcome: NDArray[np.bool_], weight: Floats, *, ridge: float = 1.0) -> list[float]:
    """The bias and the coefficients that are likeliest, under a ridge on the coefficients.

    ``weight`` is scaled to a mean of one. Raises ``ValueError`` where all outcomes are equal.
    """
    if not len(outcome) or outcome.all() or not outcome.any():
        raise ValueError("The labels have no two people of one name, or nobody twice: there is nothing to learn.")
    design = np.column_stack((np.ones(len(features)), features))
    weight = weight / weight.mean()
    penalty = np.full(design.shape[1], ridge)
    penalty[0] = 1e-6
    values = np.zeros(design.shape[1])
    loss = np.inf
    for _ in range(100):
        margin = design @ values
        now = float((weight * (np.logaddexp(0, margin) - outcome * margin)).sum() + (penalty * values**2).sum() / 2)
        if loss - now < 1e-9 * max(1.0, abs(now)):
            break
        loss = now
        expected = 1 / (1 + np.exp(-np.clip(margin, -35, 35)))
        slope = design.T @ (weight * (outcome - expected)) - penalty * values
        curvature = (design.T * (weight * expected * (1 - expected))) @ design + np.diag(penalty)
        values = values + np.linalg.solve(curvature, slope)
    return [round(float(value), 4) for value in values]


def _labelled_pairs(
    authorships: Iterable[AuthorshipEvidence], labels: Labels, population: Population, weights: Weights
) -> tuple[Floats, NDArray[np.bool_], Floats, list[tuple[Floats, list[str], float]]]:
    scorer = PairScorer(population, weights)
    by_key: defaultdict[str, list[AuthorshipEvidence]] = defaultdict(list)
    for authorship in sorted(authorships, key=lambda one: one.id):
        if authorship.name.is_full and population.namesakes(authorship.name) >= weights.decide["rare"]:
            by_key[authorship.name.key].append(authorship)
    tables, outcomes, balance = [], [], []
    calibrating: list[tuple[Floats, list[str], float]] = []
    for key in sorted(by_key):
        for people in labels:
            members = [one for one in by_key[key] if one.id in people][:_LONGEST_GROUP]
            if len(members) < 2:
                continue
            namesakes = min(population.namesakes(one.name) for one in members)
            features = scorer.features(members, members, namesakes).astype(np.float64)
            papers = np.array([one.paper.id for one in members])
            persons = [people[one.id] for one in members]
            same = np.array(persons)[:, None] == np.array(persons)
            rows, columns = np.triu_indices(len(members), 1)
            kept = papers[rows] != papers[columns]
            rows, columns = rows[kept], columns[kept]
            if not len(rows):
                continue
            tables.append(features[:, rows, columns].T)
            outcomes.append(same[rows, columns])
            balance.append(np.full(len(rows), len(rows) ** -0.5))
            calibrating.append((features, persons, len(rows) ** -0.5))
            break
    if not tables:
        raise ValueError("No two labelled authorships have one name: there is nothing to learn.")
    return np.concatenate(tables), np.concatenate(outcomes), np.concatenate(balance), calibrating


def _calibrate(groups: list[tuple[Floats, list[str], float]], values: list[float]) -> dict[str, float]:
    """How likely an authorship is a person's, from its link to the person's other labelled ones."""
    scores, outcomes, balance = [], [], []
    for features, persons, _ in groups:
        table = np.clip(np.tensordot(np.array(values[1:]), features, axes=1) + values[0], -8, 8)
        of = {person: np.array([one == person for one in persons]) for person in sorted(set(persons))}
        found = 0
        for index, person in enumerate(persons):
            for other, belongs in of.items():
                mask = belongs.copy()
                mask[index] = False
                if mask.any():
                    links = table[index][mask]
                    scores.append(0.5 * np.sort(links)[-NEAREST:].mean() + 0.5 * links.mean())
                    outcomes.append(other == person)
                    found += 1
        balance += [max(1, found) ** -0.5] * found
    offset, slope = fit_logistic(np.array(scores)[:, None], np.array(outcomes), np.array(balance))
    return {"slope": slope, "offset": offset}


def _labelled_groups(
    authorships: Sequence[AuthorshipEvidence],
    labels: Labels,
    population: Population,
    weights: Weights,
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.float64]]:
    """Pairs of groups of one name, as the pairs of authorships alone make them, balanced over names."""
    scorer = GroupScorer(population, weights)
    rows, outcomes, balance = [], [], []
    for attach in _GRANULARITIES:
        only_pairs = replace(weights, groups={}, decide={**weights.decide, "attach": attach})
        by_key: defaultdict[str, list[Cluster]] = defaultdict(list)
        for cluster in group_namesakes(authorships, population, only_pairs).values():
            for key in {name.key for name in cluster.names}:
                by_key[key].append(cluster)
        for _, clusters in sorted(by_key.items()):
            namesakes = min(population.namesakes(name) for cluster in clusters for name in cluster.names)
            for one_set in labels:
                people = [(cluster, person) for cluster in clusters if (person := _person(cluster, one_set))]
                people = people[:: math.ceil(len(people) / _MOST_GROUPS) or 1]
                pairs = [
                    (scorer.features(first, second, namesakes), person == other)
                    for (first, person), (second, other) in itertools.combinations(people, 2)
                    if first.papers.isdisjoint(second.papers)
                ]
                if pairs:
                    rows += [features for features, _ in pairs]
                    outcomes += [same for _, same in pairs]
                    balance += [len(pairs) ** -0.5] * len(pairs)
                    break
        scorer.forget()
    return np.array(rows), np.array(outcomes, dtype=bool), np.array(balance)


def _labelled_variants(
    authorships: Sequence[AuthorshipEvidence], labels: Labels, population: Population, weights: Weights
) -> tuple[Floats, NDArray[np.bool_]]:
    clusters = group_namesakes(authorships, population, weights)
    people = {number: [_person(cluster, one) for one in labels] for number, cluster in clusters.items()}
    scorer = VariantScorer(population, weights)
    rows, outcomes = [], []
    for (one, other), (kind, namesakes) in sorted(related_clusters(clusters, population).items()):
        both = [(a, b) for a, b in zip(people[one], people[other], strict=True) if a and b]
        if both:
            relations = [float(kind is relation) for relation in _LEARNT_RELATIONS]
            rows.append([*scorer.features(clusters[one], clusters[other], namesakes), *relations])
            outcomes.append(both[0][0] == both[0][1])
    if not rows:
        raise ValueError("No two labelled authorships have names that are variants: there is nothing to learn.")
    return np.array(rows), np.array(outcomes)


def _person(cluster: Cluster, people: Mapping[int, str]) -> str | None:
    """The person most of a cluster's labels name."""
    found = Counter(people[one.id] for one in cluster.members if one.id in people)
    return min(found, key=lambda person: (-found[person], person)) if found else None
