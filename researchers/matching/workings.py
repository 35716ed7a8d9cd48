"""What changes while a batch is resolved: the clusters, and what was decided of whom and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from researchers.matching.clusters import Cluster
from researchers.matching.evidence import AuthorshipEvidence, Decisions, KnownResearcher
from researchers.matching.names import NameForm
from researchers.matching.outcomes import ConflictKind, DecidedBy, Reason
from researchers.matching.population import Population
from researchers.matching.variants import VariantLink
from researchers.matching.weights import Weights


class Workings:
    """The state of one resolution; the order of what is put in makes no difference."""

    def __init__(
        self,
        known: Iterable[KnownResearcher],
        new: Iterable[AuthorshipEvidence],
        population: Population,
        weights: Weights,
        decisions: Decisions | None = None,
        advance: Callable[[int], None] | None = None,
    ) -> None:
        self.known = sorted(known, key=lambda researcher: researcher.id)
        self.new = sorted(new, key=lambda authorship: authorship.id)
        self.population = population
        self.weights = weights
        self.decisions = decisions or Decisions()
        self.advance = advance or (lambda _: None)
        self.clusters: dict[int, Cluster] = {}
        self.decided: dict[int, DecidedBy] = {}
        self.scores: dict[int, tuple[float, float, tuple[Reason, ...]]] = {}
        """By authorship: log-odds, probability and reasons of what joined it to others."""
        self.elsewhere: dict[int, int] = {}
        """Authorships that people gave to researchers who are not known here."""
        self.conflicts: list[tuple[ConflictKind, AuthorshipEvidence, int | None]] = []
        self.listed: list[VariantLink] = []
        self.crowded: dict[str, NameForm] = {}
        self._merged: dict[int, int] = {}
        self._next = 0
        self._barred: defaultdict[int, set[int]] = defaultdict(set)
        for authorship_id, researcher in self.decisions.is_not:
            self._barred[authorship_id].add(researcher)

    def everybody(self) -> list[AuthorshipEvidence]:
        """All authorships, known and new."""
        return [one for researcher in self.known for one in researcher.authorships] + self.new

    def cluster(self, new: list[AuthorshipEvidence], known: int | None = None) -> Cluster:
        """A further cluster of new authorships, or of a known researcher."""
        cluster = Cluster(self._next, known)
        self._next += 1
        self.clusters[cluster.number] = cluster
        for authorship in new:
            self.add(authorship, cluster)
        return cluster

    def add(self, authorship: AuthorshipEvidence, cluster: Cluster) -> None:
        """A new authorship, with the researchers it is not of."""
        cluster.add(authorship, new=True)
        cluster.barred.update(self._barred.get(authorship.id, ()))

    def root(self, number: int) -> int:
        """The cluster that this one was merged into, or itself."""
        while number in self._merged:
            number = self._merged[number]
        return number

    def merge(self, clusters: list[Cluster]) -> Cluster:
        """Join clusters into the known one of them, or the one of the lowest number."""
        survivor = min(clusters, key=lambda cluster: (cluster.known is None, cluster.number))
        for cluster in clusters:
            if cluster is not survivor:
                survivor.absorb(cluster)
                del self.clusters[cluster.number]
                self._merged[cluster.number] = survivor.number
        return survivor
