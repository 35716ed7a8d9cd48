"""How alike two groups of one name are, by all of their papers together: what single pairs of papers cannot tell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from researchers.matching import source_ids
from researchers.matching.clusters import Cluster, dot, norm, weigh
from researchers.matching.outcomes import Reason
from researchers.matching.pairs import decades_of
from researchers.matching.population import Population
from researchers.matching.weights import Weights

GROUP_FEATURES = (
    "namesakes",
    "namesakes_above_tenth",
    "co_author",
    "co_author_rarity",
    "co_authors",
    "co_author_share",
    "title",
    "title_word",
    "affiliation",
    "affiliation_disjoint",
    "affiliation_known",
    "venue",
    "years_between",
    "same_years",
    "smaller",
    "larger",
    "alone",
    *source_ids.FEATURES,
)
"""Of two groups of one name. What each measures, ``GroupScorer.features`` says. The last are weighed by hand."""

_DISJOINT = 0.05
_MOST_CO_AUTHORS = 100
"""Authors of one paper that are looked at."""


@dataclass(frozen=True, slots=True)
class _Summary:
    co_authors: dict[str, float]
    """The rarity of each co-author's name, within 0 and 1."""
    title: dict[str, float]
    title_norm: float
    affiliation: dict[str, float]
    affiliation_norm: float
    venues: dict[str, float]
    venues_norm: float
    first_year: int | None
    last_year: int | None
    size: int
    source_ids: Mapping[str, int]


class GroupScorer:
    """Scores groups of one name against each other; looks at a group again only when it has grown."""

    def __init__(self, population: Population, weights: Weights) -> None:
        self._population = population
        self._bias = weights.groups.get("bias", 0.0)
        known = {**source_ids.GROUP_WEIGHTS, **weights.groups}
        self._values = [known.get(name, 0.0) for name in GROUP_FEATURES]
        self._summaries: dict[int, tuple[int, _Summary]] = {}
        self.compared = 0
        """Pairs scored so far: the measure of work done."""

    def forget(self) -> None:
        """Begin with other groups, whose numbers may be the same."""
        self._summaries.clear()

    def log_odds(self, features: Iterable[float]) -> float:
        """The log-odds that two groups are one person's."""
        return self._bias + sum(weight * value for weight, value in zip(self._values, features, strict=True))

    def without_source_ids(self, features: Sequence[float]) -> float:
        """The log-odds without what the ids of sources add in favour."""
        number = len(source_ids.FEATURES)
        ids = zip(self._values[-number:], features[-number:], strict=True)
        return self.log_odds(features) - sum(max(0.0, weight * value) for weight, value in ids)

    def reasons(self, features: Iterable[float]) -> tuple[Reason, ...]:
        """The parts of these log-odds, the weightiest first."""
        parts = [
            Reason(name, round(value, 4), round(weight * value, 4))
            for name, value, weight in zip(GROUP_FEATURES, features, self._values, strict=True)
            if weight * value
        ]
        return tuple(sorted(parts, key=lambda part: (-abs(part.contribution), part.evidence)))

    def features(self, one: Cluster, other: Cluster, namesakes: float) -> list[float]:
        """The features of two groups.

        Decades of expected namesakes, and of those above 0.1; whether a co-author's name is shared, the rarity of the
        rarest and the sum of all, up to 4, and the share of the co-authors of the group with fewer; cosine of titles
        and weight of the rarest shared word by 10 nats; cosine of affiliations, whether they have nothing in common,
        whether both are known; cosine of venues; decades between the years of both, up to 2, and whether the years
        overlap; logarithms of the sizes; whether either has no co-author; cosine of the ids of sources, and whether one
        source gives them only different ones.
        """
        self.compared += 1
        ours, theirs = self.summary(one), self.summary(other)
        few, many = sorted((ours.co_authors, theirs.co_authors), key=len)
        shared = [rarity for key, rarity in few.items() if key in many]
        common = ours.title.keys() & theirs.title.keys()
        known = bool(ours.affiliation) and bool(theirs.affiliation)
        affiliation = dot(ours.affiliation, theirs.affiliation) / (ours.affiliation_norm * theirs.affiliation_norm)
        between, overlap = _years_between(ours, theirs)
        smaller, larger = sorted((ours.size, theirs.size))
        decades = decades_of(namesakes)
        return [
            decades,
            max(0.0, decades + 1),
            1.0 if shared else 0.0,
            max(shared, default=0.0),
            min(4.0, sum(shared)),
            len(shared) / max(1, len(few)),
            dot(ours.title, theirs.title) / (ours.title_norm * theirs.title_norm),
            max(map(self._population.title_weight, common), default=0.0) / 10,
            affiliation,
            1.0 if known and affiliation < _DISJOINT else 0.0,
            1.0 if known else 0.0,
            dot(ours.venues, theirs.venues) / (ours.venues_norm * theirs.venues_norm),
            min(between, 20) / 10,
            1.0 if overlap else 0.0,
            math.log(smaller),
            math.log(larger),
            0.0 if ours.co_authors and theirs.co_authors else 1.0,
            *source_ids.compare_ids(ours.source_ids, theirs.source_ids),
        ]

    def summary(self, cluster: Cluster) -> _Summary:
        """What is compared of a group."""
        kept = self._summaries.get(cluster.number)
        if kept is None or kept[0] != len(cluster.members):
            kept = self._summaries[cluster.number] = (len(cluster.members), self._summarise(cluster))
        return kept[1]

    def _summarise(self, cluster: Cluster) -> _Summary:
        own = {name.key for name in cluster.names}
        names: dict[str, float] = {}
        titles: Counter[str] = Counter()
        affiliations: Counter[str] = Counter()
        venues: Counter[str] = Counter()
        years: list[int] = []
        for member in cluster.compared():
            paper = member.paper
            titles.update(set(paper.title))
            affiliations.update(member.affiliation)
            if paper.venue:
                venues[paper.venue] += 1
            if paper.year:
                years.append(paper.year)
            for name in paper.authors[:_MOST_CO_AUTHORS]:
                if name.key not in own and name.key not in names:
                    decades = decades_of(self._population.namesakes(name))
                    names[name.key] = min(4.0, max(0.0, 0.5 - decades)) / 4
        title = weigh(titles, self._population.title_weight)
        affiliation = weigh(affiliations, self._population.affiliation_weight)
        venue = {text: 1 + math.log(number) for text, number in sorted(venues.items())}
        return _Summary(
            names,
            title,
            norm(title),
            affiliation,
            norm(affiliation),
            venue,
            norm(venue),
            min(years, default=None),
            max(years, default=None),
            max(1, len(cluster.members)),
            source_ids.count_ids(cluster.compared()),
        )


def _years_between(one: _Summary, other: _Summary) -> tuple[int, bool]:
    if not (one.first_year and one.last_year and other.first_year and other.last_year):
        return 0, False
    between = max(0, one.first_year - other.last_year, other.first_year - one.last_year)
    return between, between == 0
