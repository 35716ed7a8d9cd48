"""Authorships of one name: which of them are one person's."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from researchers.matching.clusters import Cluster, are_apart
from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.groups import GroupScorer
from researchers.matching.joining import join_groups
from researchers.matching.linkage import NEAREST, Flags, Floats, agglomerate, links_between
from researchers.matching.listing import CROWD
from researchers.matching.names import NameForm, Relation
from researchers.matching.outcomes import Reason
from researchers.matching.pairs import PairScorer
from researchers.matching.variants import VariantLink
from researchers.matching.workings import Workings

_MOST_AT_ONCE = 1500
"""Authorships of one name that are grouped in one go; further ones join what is there, or are grouped in turn."""
_RARE_NAME_SCORE = 7.0
"""Log-odds that two authorships of a rare name are one person's, whatever else is known: 0.06 % of them were not."""


@dataclass(frozen=True, slots=True)
class _Table:
    """Log-odds of pairs: of new authorships, and groups found before, with everything of their name."""

    values: Floats
    rows: Sequence[AuthorshipEvidence]
    columns: Sequence[AuthorshipEvidence]
    namesakes: float


class Namesakes:
    """Groups the authorships of each name, in the order of the names."""

    def __init__(self, workings: Workings) -> None:
        self._workings = workings
        self._clusters = workings.clusters
        self._weights = workings.weights
        self._scorer = PairScorer(workings.population, workings.weights)
        self._groups = GroupScorer(workings.population, workings.weights)

    @property
    def compared(self) -> int:
        """Pairs scored so far: the measure of work done."""
        return self._scorer.compared + self._groups.compared

    def group(self, waiting: list[AuthorshipEvidence]) -> None:
        """Everything that waits, with what is known of its names."""
        for authorship in self._found_rare(waiting):
            self._workings.cluster([authorship])
        self._group_namesakes()

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
                self._join_rare([self._workings.cluster(authorships)], namesakes)
            else:
                left += authorships
        return left

    def _rarity(self, names: set[NameForm]) -> tuple[float, bool]:
        """Expected namesakes of a name, and whether they are so few that it is one person's.

        Of several ways to split the name the rarest tells most: a double family name, a second given name.
        """
        namesakes = min(map(self._workings.population.namesakes, names))
        limit = "rare" if any(name.is_full for name in names) else "rare_initial"
        return namesakes, namesakes < self._weights.decide[limit]

    def _group_namesakes(self) -> None:
        by_key: defaultdict[str, set[int]] = defaultdict(set)
        for cluster in self._clusters.values():
            for name in cluster.names:
                if name.key:
                    by_key[name.key].add(cluster.number)
        for key in sorted(by_key):
            clusters = [
                self._clusters[number] for number in sorted({self._workings.root(number) for number in by_key[key]})
            ]
            fresh = sum(len(cluster.new) for cluster in clusters)
            done = sum(one.name.key == key for cluster in clusters for one in cluster.new)
            if len(clusters) > 1 and fresh:
                self._group(key, clusters)
            self._workings.advance(done)

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
        if self._weights.groups:
            fixed = join_groups(self._workings, self._groups, fixed, namesakes)
        if len(fixed) >= CROWD:
            self._workings.crowded[key] = min(names, key=lambda form: (form.given, form.family, form.suffix))

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
                self._workings.scores.setdefault(authorship.id, (_RARE_NAME_SCORE, probability, (reason,)))
        self._workings.merge(clusters)

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
        groups, scores = agglomerate(links, self._weights.score_of(self._weights.decide["attach"]))
        group_of_unit = {unit: index for index, group in enumerate(groups) for unit in group}
        group_of = np.array([group_of_unit[unit] for unit in unit_of])
        self._explain(table, group_of)
        joined = [self._workings.merge([compared[unit] for unit in group]) for group in groups]
        if not self._weights.groups:
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
            self._workings.scores[table.rows[index].id] = (
                score,
                self._weights.probability_of(score),
                reasons[index],
            )

    def _list_namesakes(
        self, clusters: list[Cluster], scores: Floats, table: _Table, group_of: NDArray[np.int_]
    ) -> None:
        """Keep the groups that stayed apart and may be one, with what their nearest pair says."""
        of_row = group_of[: len(table.rows)]
        least = self._weights.score_of(self._weights.decide["list"])
        for one, other in np.argwhere(np.triu(scores, 1) > least).tolist():
            if not clusters[one].papers.isdisjoint(clusters[other].papers):
                continue
            across = (of_row[:, None] == one) & (group_of == other) | (of_row[:, None] == other) & (group_of == one)
            row, column = np.unravel_index(np.where(across, table.values, -np.inf).argmax(), across.shape)
            pair = [table.rows[int(row)]], [table.columns[int(column)]]
            reasons = self._scorer.reasons(*pair, {0: 0}, table.namesakes)[0]
            score = float(scores[one, other])
            probability = self._weights.probability_of(score)
            numbers = clusters[one].number, clusters[other].number
            self._workings.listed.append(VariantLink(*numbers, Relation.JOINED, score, probability, reasons))
