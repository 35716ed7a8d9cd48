"""Who wrote what: decides a batch of authorships against the researchers there are, or from nothing.

The rules, in this order: what people decided stands; nobody is twice on a paper; an equal ORCID attaches if a word of
the names is shared; different ORCIDs, and different full given names, keep apart. What remains is scored: first among
authorships of one name, then between groups whose names are variants. Two researchers that exist are never joined.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from researchers.matching.clusters import Cluster, are_apart
from researchers.matching.evidence import AuthorshipEvidence, Decisions, KnownResearcher
from researchers.matching.linkage import NEAREST, Flags, Floats, agglomerate, links_between
from researchers.matching.listing import CROWD, list_people
from researchers.matching.names import NameForm, Relation, share_a_word
from researchers.matching.outcomes import (
    Attribution,
    Conflict,
    ConflictKind,
    DecidedBy,
    Person,
    Reason,
    Resolution,
)
from researchers.matching.pairs import PairScorer
from researchers.matching.population import Population
from researchers.matching.variants import VariantLink, join_variants
from researchers.matching.weights import Weights

_MOST_AT_ONCE = 1500
"""Authorships of one name that are grouped in one go; further ones join what is there, or are grouped in turn."""
_RARE_NAME_SCORE = 7.0
"""Log-odds that two authorships of a rare name are one person's, whatever else is known: 0.06 % of them were not."""


def resolve(
    *,
    known: Iterable[KnownResearcher],
    new: Iterable[AuthorshipEvidence],
    population: Population,
    weights: Weights,
    decisions: Decisions | None = None,
    advance: Callable[[int], None] | None = None,
) -> Resolution:
    """Decide whose the ``new`` authorships are.

    ``known`` are the researchers with a name among the ``partner_keys`` of the new names, or with an ORCID of theirs;
    each authorship is either new or a known researcher's. The population already counts the new ones. The outcome
    does not depend on the order of either. ``advance`` is called with numbers of authorships that are done.
    """
    resolver = _Resolver(known, new, population, weights, decisions or Decisions(), advance)
    return resolver.run()


def group_namesakes(
    authorships: Iterable[AuthorshipEvidence], population: Population, weights: Weights
) -> dict[int, Cluster]:
    """Only the first half of the work, from nothing: clusters of one name each. What variants are learnt from."""
    resolver = _Resolver((), authorships, population, weights, Decisions(), None)
    return resolver.namesakes()


@dataclass(frozen=True, slots=True)
class _Table:
    """Log-odds of pairs: of new authorships, and groups found before, with everything of their name."""

    values: Floats
    rows: Sequence[AuthorshipEvidence]
    columns: Sequence[AuthorshipEvidence]
    namesakes: float


class _Resolver:
    def __init__(
        self,
        known: Iterable[KnownResearcher],
        new: Iterable[AuthorshipEvidence],
        population: Population,
        weights: Weights,
        decisions: Decisions,
        advance: Callable[[int], None] | None,
    ) -> None:
        self._known = sorted(known, key=lambda researcher: researcher.id)
        self._new = sorted(new, key=lambda authorship: authorship.id)
        self._population = population
        self._weights = weights
        self._decisions = decisions
        self._advance = advance or (lambda _: None)
        self._scorer = PairScorer(population, weights)
        self._clusters: dict[int, Cluster] = {}
        self._merged: dict[int, int] = {}
        self._decided: dict[int, DecidedBy] = {}
        self._scores: dict[int, tuple[float, float, tuple[Reason, ...]]] = {}
        self._elsewhere: dict[int, int] = {}
        self._conflicts: list[tuple[ConflictKind, AuthorshipEvidence, int | None]] = []
        self._listed: list[VariantLink] = []
        self._crowded: dict[str, NameForm] = {}
        self._next = 0
        self._barred: defaultdict[int, set[int]] = defaultdict(set)
        for authorship_id, researcher in decisions.is_not:
            self._barred[authorship_id].add(researcher)
        self._variants_compared = 0

    def namesakes(self) -> dict[int, Cluster]:
        for authorship in self._found_rare(self._follow_orcids(self._place_known())):
            self._cluster([authorship])
        self._group_namesakes()
        return self._clusters

    def run(self) -> Resolution:
        self.namesakes()
        self._join_variants()
        return self._outcome()

    # Rules that ask no model.

    def _place_known(self) -> list[AuthorshipEvidence]:
        by_id: dict[int, Cluster] = {}
        for researcher in self._known:
            cluster = self._cluster([], known=researcher.id)
            for authorship in researcher.authorships:
                cluster.add(authorship, new=False)
            cluster.names.update(researcher.names)
            cluster.orcids.update(researcher.orcids)
            by_id[researcher.id] = cluster
        waiting = []
        for authorship in self._new:
            researcher_id = self._decisions.is_of.get(authorship.id)
            if researcher_id is None:
                waiting.append(authorship)
                continue
            self._decided[authorship.id] = DecidedBy.HUMAN
            if researcher_id in by_id:
                by_id[researcher_id].add(authorship, new=True)
            else:
                self._elsewhere[authorship.id] = researcher_id
        return waiting

    def _follow_orcids(self, waiting: list[AuthorshipEvidence]) -> list[AuthorshipEvidence]:
        everything = [one for researcher in self._known for one in researcher.authorships] + self._new
        on_paper = Counter((one.paper.id, one.orcid) for one in everything if one.orcid)
        holders: dict[str, Cluster] = {}
        for cluster in self._clusters.values():
            for orcid in cluster.orcids:
                holders.setdefault(orcid, cluster)
        left, by_orcid = [], defaultdict(list)
        for authorship in waiting:
            if not authorship.orcid:
                left.append(authorship)
            elif on_paper[authorship.paper.id, authorship.orcid] > 1:
                self._conflicts.append((ConflictKind.REPEATED, authorship, None))
                left.append(authorship)
            else:
                by_orcid[authorship.orcid].append(authorship)
        for orcid, authorships in sorted(by_orcid.items()):
            holder = holders.get(orcid)
            if holder is None:
                holder, authorships = self._found_by_orcid(orcid, authorships)
            for authorship in authorships:
                kind = self._objection(authorship, holder)
                if kind is None:
                    holder.add(authorship, new=True)
                    holder.barred.update(self._barred.get(authorship.id, ()))
                    self._decided[authorship.id] = DecidedBy.ORCID
                else:
                    self._conflicts.append((kind, authorship, holder.number))
                    left.append(authorship)
        return sorted(left, key=lambda one: one.id)

    def _found_by_orcid(
        self, orcid: str, authorships: list[AuthorshipEvidence]
    ) -> tuple[Cluster, list[AuthorshipEvidence]]:
        """A cluster for an ORCID nobody holds: of the name that most of its authorships share, the first if equal."""
        alike = [sum(share_a_word(one.name, other.name) for other in authorships) for one in authorships]
        first = authorships[alike.index(max(alike))]
        cluster = self._cluster([first])
        cluster.orcids.add(orcid)
        return cluster, [one for one in authorships if one is not first]

    def _objection(self, authorship: AuthorshipEvidence, holder: Cluster) -> ConflictKind | None:
        if not any(share_a_word(authorship.name, name) for name in holder.names):
            return ConflictKind.OTHER_NAME
        barred = (authorship.id, holder.known) in self._decisions.is_not
        return ConflictKind.HELD_APART if barred or authorship.paper.id in holder.papers else None

    # Authorships of one name.

    def _found_rare(self, waiting: list[AuthorshipEvidence]) -> list[AuthorshipEvidence]:
        """Most names are rare and nobody's yet: one new person each, without a cluster per authorship before."""
        taken = {name.key for cluster in self._clusters.values() for name in cluster.names}
        by_key: defaultdict[str, list[AuthorshipEvidence]] = defaultdict(list)
        for authorship in waiting:
            by_key[authorship.name.key].append(authorship)
        left = []
        for key, authorships in by_key.items():
            names = {authorship.name for authorship in authorships}
            papers = {authorship.paper.id for authorship in authorships}
            if not key or key in taken or len(papers) < max(2, len(authorships)) or len({n.suffix for n in names}) > 1:
                left += authorships
                continue
            namesakes, rare = self._rarity(names)
            if rare:
                self._join_rare([self._cluster(authorships)], namesakes)
            else:
                left += authorships
        return left

    def _rarity(self, names: set[NameForm]) -> tuple[float, bool]:
        """Expected namesakes of a name, and whether they are so few that it is one person's.

        Of several ways to split the name the rarest tells most: a double family name, a second given name.
        """
        namesakes = min(map(self._population.namesakes, names))
        limit = "rare" if any(name.is_full for name in names) else "rare_initial"
        return namesakes, namesakes < self._weights.decide[limit]

    def _group_namesakes(self) -> None:
        by_key: defaultdict[str, set[int]] = defaultdict(set)
        for cluster in self._clusters.values():
            for name in cluster.names:
                if name.key:
                    by_key[name.key].add(cluster.number)
        for key in sorted(by_key):
            clusters = [self._clusters[number] for number in sorted({self._root(number) for number in by_key[key]})]
            fresh = sum(len(cluster.new) for cluster in clusters)
            if len(clusters) > 1 and fresh:
                self._group(key, clusters)
            self._advance(sum(one.name.key == key for cluster in clusters for one in cluster.new))

    def _group(self, key: str, clusters: list[Cluster]) -> None:
        names = {name for cluster in clusters for name in cluster.names if name.key == key}
        namesakes, rare = self._rarity(names)
        if rare and not self._any_apart(clusters):
            self._join_rare(clusters, namesakes)
            return
        fixed = [cluster for cluster in clusters if cluster.known is not None]
        free = [cluster for cluster in clusters if cluster.known is None]
        for start in range(0, len(free), _MOST_AT_ONCE):
            fixed = self._agglomerate(free[start : start + _MOST_AT_ONCE], fixed, namesakes)
        if len(fixed) >= CROWD:
            self._crowded[key] = min(names, key=lambda form: (form.given, form.family, form.suffix))

    def _any_apart(self, clusters: list[Cluster]) -> bool:
        papers: set[int] = set()
        orcids: set[str] = set()
        suffixes: set[str] = set()
        for cluster in clusters:
            if not papers.isdisjoint(cluster.papers):
                return True
            papers |= cluster.papers
            orcids |= cluster.orcids
            suffixes |= {name.suffix for name in cluster.names if name.suffix}
        knowns = {cluster.known for cluster in clusters if cluster.known is not None}
        barred = any(known in cluster.barred for cluster in clusters for known in knowns)
        return len(knowns) > 1 or len(orcids) > 1 or len(suffixes) > 1 or barred

    def _join_rare(self, clusters: list[Cluster], namesakes: float) -> None:
        probability = 1 / (1 + math.exp(-_RARE_NAME_SCORE))
        reason = Reason("rare_name", namesakes, _RARE_NAME_SCORE)
        for cluster in clusters:
            for authorship in cluster.new:
                self._scores.setdefault(authorship.id, (_RARE_NAME_SCORE, probability, (reason,)))
        self._merge(clusters)

    def _agglomerate(self, free: list[Cluster], fixed: list[Cluster], namesakes: float) -> list[Cluster]:
        units = free + fixed
        members = [(unit, one) for unit, cluster in enumerate(units) for one in cluster.compared()]
        number = sum(len(cluster.compared()) for cluster in free)
        # A researcher may be known without any authorship.
        there = sorted({unit for unit, _ in members})
        renumbered = {unit: index for index, unit in enumerate(there)}
        unit_of = [renumbered[unit] for unit, _ in members]
        columns = [one for _, one in members]
        rows = columns if number == len(columns) else columns[:number]
        table = _Table(self._scorer.log_odds(rows, columns, namesakes), rows, columns, namesakes)
        compared = [units[unit] for unit in there]
        apart = self._apart_table(compared)
        links = links_between(table.values, unit_of[:number], unit_of, apart, self._weights.decide["nearest"])
        groups, scores = agglomerate(links, self._score_of(self._weights.decide["attach"]))
        group_of_unit = {unit: index for index, group in enumerate(groups) for unit in group}
        group_of = np.array([group_of_unit[unit] for unit in unit_of])
        self._explain(table, group_of)
        joined = [self._merge([compared[unit] for unit in group]) for group in groups]
        self._list_namesakes(joined, scores, table, group_of)
        return joined + [units[unit] for unit in range(len(units)) if unit not in renumbered]

    def _apart_table(self, clusters: list[Cluster]) -> Flags:
        table = np.zeros((len(clusters), len(clusters)), dtype=bool)
        on_paper: defaultdict[int, list[int]] = defaultdict(list)
        for index, cluster in enumerate(clusters):
            for paper in cluster.papers:
                on_paper[paper].append(index)
        for indices in on_paper.values():
            if len(indices) > 1:
                table[np.ix_(indices, indices)] = True
        known = [index for index, cluster in enumerate(clusters) if cluster.known is not None]
        table[np.ix_(known, known)] = True
        held = [index for index, cluster in enumerate(clusters) if cluster.orcids or cluster.known is not None]
        for one, cluster in enumerate(clusters):
            if cluster.known is None and (cluster.orcids or cluster.barred):
                for other in held:
                    if other != one and are_apart(cluster, clusters[other]):
                        table[one, other] = table[other, one] = True
        return table

    def _explain(self, table: _Table, group_of: NDArray[np.int_]) -> None:
        """Keep, for each row that was joined to others, its link to them and what its nearest pair says."""
        diagonal = np.arange(len(table.rows))
        ours = group_of[: len(table.rows), None] == group_of
        ours[diagonal, diagonal] = False
        within = np.where(ours, np.clip(table.values, -8, 8), -np.inf)
        share = self._weights.decide["nearest"]
        nearest = within.argmax(1).tolist()
        chosen = {index: nearest[index] for index in np.flatnonzero(ours.any(1)).tolist()}
        reasons = self._scorer.reasons(table.rows, table.columns, chosen, table.namesakes)
        for index in chosen:
            values = within[index][ours[index]]
            score = float(share * np.sort(values)[-NEAREST:].mean() + (1 - share) * values.mean())
            self._scores[table.rows[index].id] = (score, self._probability(score), reasons[index])

    def _list_namesakes(
        self, clusters: list[Cluster], scores: Floats, table: _Table, group_of: NDArray[np.int_]
    ) -> None:
        """Keep the groups that stayed apart and may be one, with what their nearest pair says."""
        of_row = group_of[: len(table.rows)]
        least = self._score_of(self._weights.decide["list"])
        for one, other in np.argwhere(np.triu(scores, 1) > least).tolist():
            if not clusters[one].papers.isdisjoint(clusters[other].papers):
                continue
            across = (of_row[:, None] == one) & (group_of == other) | (of_row[:, None] == other) & (group_of == one)
            row, column = np.unravel_index(np.where(across, table.values, -np.inf).argmax(), across.shape)
            pair = [table.rows[int(row)]], [table.columns[int(column)]]
            reasons = self._scorer.reasons(*pair, {0: 0}, table.namesakes)[0]
            score = float(scores[one, other])
            numbers = clusters[one].number, clusters[other].number
            self._listed.append(VariantLink(*numbers, Relation.JOINED, score, self._probability(score), reasons))

    def _probability(self, score: float) -> float:
        calibration = self._weights.calibration
        return 1 / (1 + math.exp(-(calibration["slope"] * score + calibration["offset"])))

    def _score_of(self, probability: float) -> float:
        calibration = self._weights.calibration
        return (math.log(probability / (1 - probability)) - calibration["offset"]) / calibration["slope"]

    # Groups whose names are variants.

    def _join_variants(self) -> None:
        links, compared = join_variants(
            self._clusters, self._root, lambda group: self._merge(group), self._population, self._weights
        )
        self._variants_compared = compared
        for link, moved in links:
            if moved:
                for authorship in moved:
                    if self._decided.get(authorship.id) is None:
                        self._scores[authorship.id] = (link.score, link.probability, link.reasons)
            else:
                self._listed.append(link)

    # Clusters.

    def _cluster(self, new: list[AuthorshipEvidence], known: int | None = None) -> Cluster:
        cluster = Cluster(self._next, known)
        self._next += 1
        self._clusters[cluster.number] = cluster
        for authorship in new:
            cluster.add(authorship, new=True)
            cluster.barred.update(self._barred.get(authorship.id, ()))
        return cluster

    def _root(self, number: int) -> int:
        while number in self._merged:
            number = self._merged[number]
        return number

    def _merge(self, clusters: list[Cluster]) -> Cluster:
        """Join clusters into the known one of them, or the one of the lowest number."""
        survivor = min(clusters, key=lambda cluster: (cluster.known is None, cluster.number))
        for cluster in clusters:
            if cluster is not survivor:
                survivor.absorb(cluster)
                del self._clusters[cluster.number]
                self._merged[cluster.number] = survivor.number
        return survivor

    # The outcome.

    def _outcome(self) -> Resolution:
        fresh = [cluster for cluster in self._clusters.values() if cluster.known is None]
        fresh.sort(key=lambda cluster: min(one.id for one in cluster.new))
        people = {cluster.number: Person(newcomer=index) for index, cluster in enumerate(fresh)}
        people |= {c.number: Person(known=c.known) for c in self._clusters.values() if c.known is not None}
        attributions = [
            Attribution(one, Person(known=researcher), DecidedBy.HUMAN) for one, researcher in self._elsewhere.items()
        ]
        for cluster in self._clusters.values():
            founder = min((one.id for one in cluster.new), default=None) if cluster.known is None else None
            for authorship in cluster.new:
                decided = self._decided.get(authorship.id)
                if decided is None:
                    decided = DecidedBy.NEW if authorship.id == founder else DecidedBy.MODEL
                scored = self._scores.get(authorship.id) if decided in (DecidedBy.MODEL, DecidedBy.NEW) else None
                person = people[cluster.number]
                attributions.append(Attribution(authorship.id, person, decided, *(scored or ())))
        attributions.sort(key=lambda attribution: attribution.authorship)
        refused = {authorship.id for _, authorship, _ in self._conflicts}
        candidates, crowds = list_people(
            self._listed, self._clusters, self._root, self._crowded, people, self._decisions
        )
        return Resolution(
            attributions=tuple(attributions),
            newcomers=tuple(tuple(sorted(one.id for one in cluster.new)) for cluster in fresh),
            trusted_orcids={one.id: one.orcid for one in self._new if one.orcid and one.id not in refused},
            conflicts=tuple(
                Conflict(kind, one.id, one.orcid, None if holder is None else people[self._root(holder)])
                for kind, one, holder in sorted(self._conflicts, key=lambda conflict: conflict[1].id)
            ),
            candidates=candidates,
            crowds=crowds,
            compared=self._scorer.compared + self._variants_compared,
        )
