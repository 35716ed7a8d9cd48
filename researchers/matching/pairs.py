"""How alike two authorships of one name are: features and their log-odds, for whole tables of pairs at once."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from researchers.matching import source_ids
from researchers.matching.evidence import AuthorshipEvidence, PaperEvidence
from researchers.matching.outcomes import Reason
from researchers.matching.population import Population
from researchers.matching.weights import Weights

Floats = NDArray[np.float32]

FEATURES = (
    "namesakes",
    "namesakes_above_tenth",
    "co_author",
    "co_author_rarity",
    "more_co_authors",
    "affiliation",
    "affiliation_disjoint",
    "affiliation_known",
    "paper_affiliation",
    "title",
    "title_word",
    "title_phrase",
    "years_apart",
    "same_year",
    "alone",
    "team_size",
)
"""Of a pair, in the order of the tables' first axis. What each measures, ``PairScorer.features`` says."""

_DISJOINT = 0.05
_PHRASE = 8.0
"""Two title words in a row count as a phrase from this sum of their weights on."""
_MOST_CO_AUTHORS = 100
"""Co-authors of a paper that are compared, the rarest names first: a paper of 3,000 says little of any of them."""
_CELLS_AT_ONCE = 400_000

Item = Hashable


@dataclass(frozen=True, slots=True)
class _Side:
    """What is compared of one paper: each item with its weight, and the length of the vector."""

    items: tuple[tuple[Item, float], ...]
    norm: float


class PairScorer:
    """Scores pairs of authorships. Keeps what it computed of papers: one scorer for one run over one population."""

    def __init__(self, population: Population, weights: Weights) -> None:
        self._population = population
        self._vector = np.array([weights.pairs[name] for name in FEATURES], dtype=np.float32)
        self._bias = weights.pairs["bias"]
        by_hand = {**source_ids.PAIR_WEIGHTS, **weights.pairs}
        self._source_id, self._source_id_differs = (by_hand[name] for name in source_ids.FEATURES)
        self._titles: dict[int, _Side] = {}
        self._phrases: dict[int, _Side] = {}
        self._co_authors: dict[int, tuple[tuple[str, float], ...]] = {}
        self._affiliations: dict[frozenset[str], _Side] = {}
        self._last: tuple[Sequence[AuthorshipEvidence], Sequence[AuthorshipEvidence], Floats] | None = None
        """The features of the last table, which are asked for again for the reasons."""
        self.compared = 0
        """Pairs scored so far: the measure of work done."""

    def log_odds(
        self, rows: Sequence[AuthorshipEvidence], columns: Sequence[AuthorshipEvidence], namesakes: float
    ) -> Floats:
        """Log-odds that each row and each column are one person's; minus infinity for two on one paper."""
        table = np.empty((len(rows), len(columns)), dtype=np.float32)
        step = max(1, _CELLS_AT_ONCE // max(1, len(columns)))
        if len(rows) <= step:
            features = self.features(rows, columns, namesakes)
            self._last = (rows, columns, features)
            return self.combine(features, rows, columns)
        for start in range(0, len(rows), step):
            part = rows[start : start + step]
            table[start : start + step] = self.combine(self.features(part, columns, namesakes), part, columns)
        return table

    def reasons(
        self,
        rows: Sequence[AuthorshipEvidence],
        columns: Sequence[AuthorshipEvidence],
        chosen: Mapping[int, int],
        namesakes: float,
    ) -> dict[int, tuple[Reason, ...]]:
        """The parts of the log-odds of chosen pairs, from row to column; of each the weightiest part first."""
        found: dict[int, tuple[Reason, ...]] = {}
        step = max(1, _CELLS_AT_ONCE // max(1, len(columns)))
        for start in range(0, len(rows), step):
            indices = [row for row in range(start, min(start + step, len(rows))) if row in chosen]
            if not indices:
                continue
            whole = len(rows) <= step
            if whole and self._last is not None and self._last[0] is rows and self._last[1] is columns:
                table = self._last[2]
            else:
                table = self.features(rows if whole else rows[start : start + step], columns, namesakes)
            values = table[:, [row - start for row in indices], [chosen[row] for row in indices]].T
            parts = values * self._vector
            for row, features, contributions in zip(indices, values.tolist(), parts.tolist(), strict=True):
                pair = [rows[row]], [columns[chosen[row]]]
                found[row] = self._parts(features, contributions, *pair)
        return found

    def _parts(
        self,
        features: list[float],
        contributions: list[float],
        one: list[AuthorshipEvidence],
        other: list[AuthorshipEvidence],
    ) -> tuple[Reason, ...]:
        parts = [
            Reason(name, value, contribution)
            for name, value, contribution in zip(FEATURES, features, contributions, strict=True)
            if contribution
        ]
        for _, _, shared in _source_id_pairs(one, other):
            name, weight = ("source_id", self._source_id) if shared else ("source_id_differs", self._source_id_differs)
            parts.append(Reason(name, 1.0, weight))
        return tuple(sorted(parts, key=lambda part: (-abs(part.contribution), part.evidence)))

    def combine(
        self, features: Floats, rows: Sequence[AuthorshipEvidence], columns: Sequence[AuthorshipEvidence]
    ) -> Floats:
        """The log-odds of a table of features."""
        table: Floats = np.tensordot(self._vector, features, axes=1) + np.float32(self._bias)
        for row, column, shared in _source_id_pairs(rows, columns):
            table[row, column] += self._source_id if shared else self._source_id_differs
        papers = np.array([one.paper.id for one in rows])[:, None] == np.array([one.paper.id for one in columns])
        table[papers] = -np.inf
        if any(one.name.suffix for one in rows):
            for row, one in enumerate(rows):
                for column, other in enumerate(columns):
                    if one.name.suffix and other.name.suffix and one.name.suffix != other.name.suffix:
                        table[row, column] = -np.inf
        return table

    def features(
        self, rows: Sequence[AuthorshipEvidence], columns: Sequence[AuthorshipEvidence], namesakes: float
    ) -> Floats:
        """The features of each row with each column: features × rows × columns.

        Decades of expected namesakes, and of those above 0.1; whether a co-author's name is shared, the rarity of the
        rarest in decades, and how many more, up to 2; cosine of affiliations, whether they have nothing in common,
        whether both are known, and otherwise the cosine of the two papers' affiliations; cosine of titles, weight of
        the rarest shared word by 10 nats, and shared phrases, up to 2; decades of years apart, up to 2, and whether
        it is the same year; whether either has no co-author; logarithm of both numbers of co-authors.
        """
        self.compared += len(rows) * len(columns)
        found = np.zeros((len(FEATURES), len(rows), len(columns)), dtype=np.float32)
        at = {name: found[index] for index, name in enumerate(FEATURES)}
        decades = decades_of(namesakes)
        at["namesakes"][:] = decades
        at["namesakes_above_tenth"][:] = max(0.0, decades + 1)
        self._compare_co_authors(at, rows, columns)
        self._compare_affiliations(at, rows, columns)
        self._compare_titles(at, rows, columns)
        unknown = np.float32(np.nan)
        years = [np.array([one.paper.year or unknown for one in side], dtype=np.float32) for side in (rows, columns)]
        apart = np.abs(years[0][:, None] - years[1])
        at["years_apart"][:] = np.nan_to_num(np.minimum(apart, 20) / 10, nan=0.5)
        at["same_year"][:] = apart == 0
        return found

    def _compare_co_authors(
        self,
        at: dict[str, Floats],
        rows: Sequence[AuthorshipEvidence],
        columns: Sequence[AuthorshipEvidence],
    ) -> None:
        sides = [[self._co_authors_of(one) for one in side] for side in (rows, columns)]
        shared = _postings(sides[0], sides[1], same=rows is columns)
        # The rarest comes last and stays.
        for (_, rarity), ours, theirs in sorted(shared, key=lambda posting: posting[0][1]):
            where = np.ix_(ours, theirs)
            at["more_co_authors"][where] += 1
            at["co_author_rarity"][where] = rarity
        at["co_author"][:] = at["more_co_authors"] > 0
        at["more_co_authors"][:] = np.clip(at["more_co_authors"] - 1, 0, 2)
        numbers = [
            np.array([sum(name != one.name for name in one.paper.authors[:200]) for one in side], dtype=np.float32)
            for side in (rows, columns)
        ]
        at["alone"][:] = (numbers[0][:, None] == 0) | (numbers[1] == 0)
        at["team_size"][:] = np.log1p(numbers[0])[:, None] + np.log1p(numbers[1])

    def _compare_affiliations(
        self,
        at: dict[str, Floats],
        rows: Sequence[AuthorshipEvidence],
        columns: Sequence[AuthorshipEvidence],
    ) -> None:
        same = rows is columns
        known = [np.array([bool(one.affiliation) for one in side]) for side in (rows, columns)]
        both = known[0][:, None] & known[1]
        if both.any():
            sides = [[self._affiliation_of(one.affiliation) for one in side] for side in (rows, columns)]
            at["affiliation"][:] = _cosines(sides[0], sides[1], same=same)
            at["affiliation_disjoint"][:] = both & (at["affiliation"] < _DISJOINT)
        at["affiliation_known"][:] = both
        if not both.all():
            sides = [[self._affiliation_of(one.paper.affiliation) for one in side] for side in (rows, columns)]
            at["paper_affiliation"][:] = np.where(both, 0, _cosines(sides[0], sides[1], same=same))

    def _compare_titles(
        self,
        at: dict[str, Floats],
        rows: Sequence[AuthorshipEvidence],
        columns: Sequence[AuthorshipEvidence],
    ) -> None:
        same = rows is columns
        sides = [[self._title_of(one.paper) for one in side] for side in (rows, columns)]
        shared = _postings([one.items for one in sides[0]], [one.items for one in sides[1]], same=same)
        at["title"][:] = _cosines(sides[0], sides[1], same=same, shared=shared)
        for (_, weight), ours, theirs in sorted(shared, key=lambda posting: posting[0][1]):
            at["title_word"][np.ix_(ours, theirs)] = weight / 10
        phrases = [[self._phrases_of(one.paper).items for one in side] for side in (rows, columns)]
        for _, ours, theirs in _postings(phrases[0], phrases[1], same=same):
            at["title_phrase"][np.ix_(ours, theirs)] += 1
        np.minimum(at["title_phrase"], 2, out=at["title_phrase"])

    def _co_authors_of(self, authorship: AuthorshipEvidence) -> list[tuple[str, float]]:
        paper = authorship.paper
        found = self._co_authors.get(paper.id)
        if found is None:
            rarities = {name.key: self._population.rarity(name) for name in paper.authors}
            ordered = sorted(rarities.items(), key=lambda item: (-item[1], item[0]))[:_MOST_CO_AUTHORS]
            found = self._co_authors[paper.id] = tuple(ordered)
        own = authorship.name.key
        return [item for item in found if item[0] != own]

    def _title_of(self, paper: PaperEvidence) -> _Side:
        found = self._titles.get(paper.id)
        if found is None:
            weigh = self._population.title_weight
            found = self._titles[paper.id] = _side((word, weigh(word)) for word in sorted(set(paper.title)))
        return found

    def _phrases_of(self, paper: PaperEvidence) -> _Side:
        found = self._phrases.get(paper.id)
        if found is None:
            weights = dict(self._title_of(paper).items)
            phrases = {
                (one, other)
                for one, other in zip(paper.title, paper.title[1:], strict=False)
                if weights[one] + weights[other] >= _PHRASE
            }
            found = self._phrases[paper.id] = _Side(tuple((phrase, 1.0) for phrase in sorted(phrases)), 1.0)
        return found

    def _affiliation_of(self, words: frozenset[str]) -> _Side:
        found = self._affiliations.get(words)
        if found is None:
            weigh = self._population.affiliation_weight
            found = self._affiliations[words] = _side((word, weigh(word)) for word in sorted(words))
        return found


def decades_of(namesakes: float) -> float:
    """The logarithm of expected namesakes to base 10, within -4 and 1.5."""
    return max(-4.0, min(1.5, math.log10(max(namesakes, 1e-9))))


def _side(items: Iterable[tuple[Item, float]]) -> _Side:
    kept = tuple(items)
    return _Side(kept, math.sqrt(sum(weight * weight for _, weight in kept)) or 1.0)


Posting = tuple[tuple[Item, float], list[int], list[int]]


def _postings(
    rows: Sequence[Sequence[tuple[Item, float]]], columns: Sequence[Sequence[tuple[Item, float]]], *, same: bool
) -> list[Posting]:
    """Each item that rows and columns share, with the indices that have it, in the order of first appearance."""
    ours: defaultdict[tuple[Item, float], list[int]] = defaultdict(list)
    for index, items in enumerate(rows):
        for item in items:
            ours[item].append(index)
    if same:
        return [(item, indices, indices) for item, indices in ours.items() if len(indices) > 1]
    theirs: defaultdict[tuple[Item, float], list[int]] = defaultdict(list)
    for index, items in enumerate(columns):
        for item in items:
            if item in ours:
                theirs[item].append(index)
    return [(item, ours[item], indices) for item, indices in theirs.items()]


def _cosines(
    rows: Sequence[_Side], columns: Sequence[_Side], *, same: bool, shared: list[Posting] | None = None
) -> Floats:
    if shared is None:
        shared = _postings([one.items for one in rows], [one.items for one in columns], same=same)
    if not shared:
        return np.zeros((len(rows), len(columns)), dtype=np.float32)
    tables = []
    for side, place in ((rows, 1), (columns, 2)):
        table = np.zeros((len(side), len(shared)), dtype=np.float32)
        for index, posting in enumerate(shared):
            table[posting[place], index] = posting[0][1]  # type: ignore[index]
        table /= np.array([one.norm for one in side], dtype=np.float32)[:, None]
        tables.append(table)
        if same:
            tables.append(table)
            break
    return tables[0] @ tables[1].T


def _source_id_pairs(
    rows: Sequence[AuthorshipEvidence], columns: Sequence[AuthorshipEvidence]
) -> Iterable[tuple[int, int, bool]]:
    """Pairs that share an id of a source, and pairs of which one source says that they are two."""
    with_ids = [(index, one) for index, one in enumerate(columns) if one.source_ids]
    for row, one in enumerate(rows):
        if not one.source_ids or not with_ids:
            continue
        for column, other in with_ids:
            if one.source_ids & other.source_ids:
                yield row, column, True
            elif source_ids.share_a_source(one.source_ids, other.source_ids):
                yield row, column, False
