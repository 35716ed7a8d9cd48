"""Authorships taken for one person's, and how alike two such groups are whose names differ."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from researchers.matching import source_ids
from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.names import NameForm, Relation, attachable
from researchers.matching.outcomes import Reason
from researchers.matching.pairs import decades_of
from researchers.matching.population import Population
from researchers.matching.weights import Weights

VARIANT_FEATURES = (
    "namesakes",
    "co_author",
    "co_author_rarity",
    "co_authors",
    "affiliation",
    "affiliation_disjoint",
    "affiliation_known",
    "title",
    "years_between",
    "venue",
    "smaller",
    "larger",
    "alone",
    *source_ids.FEATURES,
)
"""Of two groups. What each measures, ``VariantScorer.features`` says. The last are weighed by hand."""

_DISJOINT = 0.05
_MOST_COMPARED = 300
"""Authorships of one group that are compared, spread over its years."""
_MOST_CO_AUTHORS = 100


@dataclass
class Cluster:
    """A group of authorships that changes while a batch is resolved."""

    number: int
    known: int | None = None
    members: list[AuthorshipEvidence] = field(default_factory=list)
    new: list[AuthorshipEvidence] = field(default_factory=list)
    names: set[NameForm] = field(default_factory=set)
    orcids: set[str] = field(default_factory=set)
    papers: set[int] = field(default_factory=set)
    barred: set[int] = field(default_factory=set)
    """Researchers of the catalogue that people said these authorships are not of."""

    def add(self, authorship: AuthorshipEvidence, *, new: bool) -> None:
        """Count an authorship in."""
        self.members.append(authorship)
        self.names.add(authorship.name)
        self.papers.add(authorship.paper.id)
        if new:
            self.new.append(authorship)

    def absorb(self, other: Cluster) -> None:
        """Take everything of the other."""
        self.known = other.known if self.known is None else self.known
        self.members += other.members
        self.new += other.new
        self.names |= other.names
        self.orcids |= other.orcids
        self.papers |= other.papers
        self.barred |= other.barred

    def compared(self, most: int = _MOST_COMPARED) -> list[AuthorshipEvidence]:
        """Its authorships in order; of more than ``most``, some that are spread evenly over the years."""
        members = sorted(self.members, key=lambda one: (one.paper.year or 0, one.id))
        if len(members) <= most:
            return members
        return [members[index * len(members) // most] for index in range(most)]


def are_apart(one: Cluster, other: Cluster) -> bool:
    """Whether the two may never be joined without a human, whatever the evidence says."""
    return (
        (one.known is not None and other.known is not None)
        or one.known in other.barred
        or other.known in one.barred
        or bool(one.orcids and other.orcids and not one.orcids & other.orcids)
        or not one.papers.isdisjoint(other.papers)
    )


def bridges(one: Cluster, other: Cluster) -> bool:
    """Whether joining them would put two names together that are not of one person.

    A name split differently into given and family name is one name. A researcher whose names contradict each other
    already (a changed name, a human's decision) needs to agree in one.
    """
    ours, theirs = _full_names(one), _full_names(other)
    if not ours or not theirs:
        return False
    agree = any if _contradict(ours) or _contradict(theirs) else all
    return not agree(_agree(first, second) for first in ours for second in theirs)


def _full_names(cluster: Cluster) -> list[list[NameForm]]:
    """Its full names, those of the same letters together."""
    by_key: defaultdict[str, list[NameForm]] = defaultdict(list)
    for name in cluster.names:
        if name.is_full and name.family:
            by_key[name.key].append(name)
    return list(by_key.values())


def _agree(one: list[NameForm], other: list[NameForm]) -> bool:
    return any(attachable(first, second) for first in one for second in other)


def _contradict(names: list[list[NameForm]]) -> bool:
    return any(not _agree(one, other) for at, one in enumerate(names) for other in names[at + 1 :])


@dataclass(frozen=True, slots=True)
class _Summary:
    co_authors: dict[str, float]
    affiliation: dict[str, float]
    affiliation_norm: float
    title: dict[str, float]
    title_norm: float
    first_year: int | None
    last_year: int | None
    venues: frozenset[str]
    size: int
    source_ids: Mapping[str, int]


class VariantScorer:
    """Scores groups against each other. Keeps the summaries of groups, which must not change meanwhile."""

    def __init__(self, population: Population, weights: Weights) -> None:
        self._population = population
        self._weights = {**source_ids.GROUP_WEIGHTS, **weights.variants}
        self._values = [self._weights[name] for name in VARIANT_FEATURES]
        self._summaries: dict[int, _Summary] = {}
        self.compared = 0
        """Pairs scored so far: the measure of work done."""

    def log_odds(self, features: Iterable[float], relation: Relation) -> float:
        """The log-odds that two groups are one person's."""
        total = self._weights["bias"] + self._weights.get(f"relation: {relation}", 0.0)
        return total + sum(weight * value for weight, value in zip(self._values, features, strict=True))

    def without_source_ids(self, features: Sequence[float], relation: Relation) -> float:
        """The log-odds without what the ids of sources add in favour."""
        number = len(source_ids.FEATURES)
        ids = zip(self._values[-number:], features[-number:], strict=True)
        return self.log_odds(features, relation) - sum(max(0.0, weight * value) for weight, value in ids)

    def reasons(self, features: Sequence[float], relation: Relation) -> tuple[Reason, ...]:
        """The parts of these log-odds, the weightiest first."""
        parts = [
            Reason(name, value, value * weight)
            for name, value, weight in zip(VARIANT_FEATURES, features, self._values, strict=True)
            if value and weight
        ]
        parts.append(Reason(f"relation: {relation}", 1.0, self._weights.get(f"relation: {relation}", 0.0)))
        return tuple(sorted(parts, key=lambda part: (-abs(part.contribution), part.evidence)))

    def features(self, one: Cluster, other: Cluster, namesakes: float) -> list[float]:
        """The features of two groups.

        Decades of expected namesakes; whether a co-author's name is shared, the rarity of the rarest and the
        logarithm of all rarities; cosine of affiliations, whether they have nothing in common, whether both are
        known; cosine of titles; decades between the years of both; whether a venue is shared; logarithms of the
        sizes; whether either has no co-author; cosine of the ids of sources, and whether one source gives them only
        different ones.
        """
        self.compared += 1
        ours, theirs = self._summary(one), self._summary(other)
        few, many = sorted((ours.co_authors, theirs.co_authors), key=len)
        shared = [rarity for key, rarity in few.items() if key in many]
        known = bool(ours.affiliation) and bool(theirs.affiliation)
        affiliation = 0.0
        if known:
            affiliation = dot(ours.affiliation, theirs.affiliation) / (ours.affiliation_norm * theirs.affiliation_norm)
        title = dot(ours.title, theirs.title) / (ours.title_norm * theirs.title_norm)
        between = 0
        if ours.first_year and ours.last_year and theirs.first_year and theirs.last_year:
            between = max(0, ours.first_year - theirs.last_year, theirs.first_year - ours.last_year)
        smaller, larger = sorted((ours.size, theirs.size))
        return [
            decades_of(namesakes),
            1.0 if shared else 0.0,
            max(shared, default=0.0),
            math.log1p(sum(min(1.0, rarity) for rarity in shared)),
            affiliation,
            1.0 if known and affiliation < _DISJOINT else 0.0,
            1.0 if known else 0.0,
            title,
            min(between, 20) / 10,
            0.0 if ours.venues.isdisjoint(theirs.venues) else 1.0,
            math.log1p(smaller),
            math.log1p(larger),
            0.0 if ours.co_authors and theirs.co_authors else 1.0,
            *source_ids.compare_ids(ours.source_ids, theirs.source_ids),
        ]

    def _summary(self, cluster: Cluster) -> _Summary:
        found = self._summaries.get(cluster.number)
        if found is None:
            found = self._summaries[cluster.number] = self._summarise(cluster)
        return found

    def _summarise(self, cluster: Cluster) -> _Summary:
        population = self._population
        co_authors: dict[str, float] = {}
        affiliations: Counter[str] = Counter()
        titles: Counter[str] = Counter()
        years: list[int] = []
        venues: set[str] = set()
        for member in cluster.compared():
            paper = member.paper
            affiliations.update(member.affiliation)
            titles.update(paper.title)
            if paper.year:
                years.append(paper.year)
            if paper.venue:
                venues.add(paper.venue)
            for name in paper.authors[:_MOST_CO_AUTHORS]:
                if name not in cluster.names:
                    # From half a decade below one namesake on, a name counts for something.
                    co_authors[name.key] = min(4.0, max(0.0, 0.5 - decades_of(population.namesakes(name))))
        affiliation = weigh(affiliations, population.affiliation_weight)
        title = weigh(titles, population.title_weight)
        return _Summary(
            co_authors,
            affiliation,
            norm(affiliation),
            title,
            norm(title),
            min(years, default=None),
            max(years, default=None),
            frozenset(venues),
            len(cluster.members),
            source_ids.count_ids(cluster.compared()),
        )


def weigh(counts: Mapping[str, int], weight: Callable[[str], float]) -> dict[str, float]:
    """The words of several texts as a vector: how often, by how telling."""
    return {word: (1 + math.log(number)) * weight(word) for word, number in sorted(counts.items())}


def norm(vector: Mapping[str, float]) -> float:
    """The length of a vector; 1 for an empty one."""
    return math.sqrt(sum(value * value for value in vector.values())) or 1.0


def dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The product of two vectors."""
    few, many = sorted((one, other), key=len)
    return sum(value * many[word] for word, value in few.items() if word in many)
