"""Grouping from the best link down, where some may never come together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]

NEAREST = 3
"""Pairs whose mean stands for the best link between two groups."""
_LIMIT = 8.0
"""Log-odds of one pair beyond which it says no more."""


@dataclass
class Links:
    """The pairs between units, summed up: for each two units the sum and number of log-odds and the best of them."""

    total: Floats
    count: Floats
    top: Floats
    apart: Flags
    nearest_share: float
    steps: int = field(default=0, init=False)
    """Rows looked at so far: the measure of work done."""

    def scores(self, row: int | None = None) -> Floats:
        """The links of one unit, or of all: the mean of the best and the mean of all pairs, weighed. May be -inf."""
        index = slice(None) if row is None else row
        top, count = self.top[index], self.count[index]
        there = top > -np.inf
        best = np.where(there, top, 0).sum(-1) / np.maximum(there.sum(-1), 1)
        mean = self.total[index] / np.maximum(count, 1)
        score = self.nearest_share * best + (1 - self.nearest_share) * mean
        return np.where(count > 0, score, -np.inf).astype(np.float32)


def links_between(
    tables: Floats, rows: Sequence[int], units: Sequence[int], apart: Flags, nearest_share: float
) -> Links:
    """Sum up a table of log-odds whose rows belong to the units ``rows`` and whose columns to ``units``.

    The units of rows come first in numbering; units are numbered without gaps and their members stand together. Only
    pairs of a row's unit with another unit count, so units that have no rows have no links among each other.
    """
    size = units[-1] + 1
    starts = [index for index, unit in enumerate(units) if index == 0 or units[index - 1] != unit]
    clipped = np.clip(tables, -_LIMIT, _LIMIT)
    forbidden = np.isneginf(tables)
    usable = np.where(forbidden, 0, clipped)
    total = np.add.reduceat(usable, starts, axis=1)
    count = np.add.reduceat((~forbidden).astype(np.float32), starts, axis=1)
    barred = np.logical_or.reduceat(forbidden, starts, axis=1)
    top = np.full((len(rows), size, NEAREST), -np.inf, dtype=np.float32)
    ranked = np.where(forbidden, -np.inf, clipped)
    for unit, start in enumerate(starts):
        end = starts[unit + 1] if unit + 1 < size else len(units)
        width = min(NEAREST, end - start)
        top[:, unit, :width] = _largest(ranked[:, start:end], width)
    result = Links(
        np.zeros((size, size), np.float32),
        np.zeros((size, size), np.float32),
        np.full((size, size, NEAREST), -np.inf, np.float32),
        apart.copy(),
        nearest_share,
    )
    row_starts = [index for index, unit in enumerate(rows) if index == 0 or rows[index - 1] != unit]
    for unit, start in enumerate(row_starts):
        end = row_starts[unit + 1] if unit + 1 < len(row_starts) else len(rows)
        result.total[unit] = total[start:end].sum(0)
        result.count[unit] = count[start:end].sum(0)
        result.apart[unit] |= barred[start:end].any(0)
        several = top[start:end].transpose(1, 0, 2).reshape(size, -1)
        result.top[unit] = _largest(several, NEAREST)
    with_rows = len(row_starts)
    result.total[with_rows:, :with_rows] = result.total[:with_rows, with_rows:].T
    result.count[with_rows:, :with_rows] = result.count[:with_rows, with_rows:].T
    result.top[with_rows:, :with_rows] = result.top[:with_rows, with_rows:].transpose(1, 0, 2)
    result.apart |= result.apart.T
    return result


def agglomerate(links: Links, threshold: float) -> tuple[list[list[int]], Floats]:
    """Join the two groups of the best link as long as it is above ``threshold``.

    Returns the groups of units, by their first unit, and the links among the groups that were left. Equal links are
    taken in the units' order. Each unit's best neighbour is kept, so that a step costs one row, not the table.
    """
    size = len(links.total)
    groups = {unit: [unit] for unit in range(size)}
    raw = links.scores()
    score = np.where(links.apart, -np.inf, raw)
    np.fill_diagonal(score, -np.inf)
    alive = np.ones(size, dtype=bool)
    best = score.argmax(1)
    best_score = score[np.arange(size), best]
    doubtful = np.zeros(size, dtype=bool)
    while size > 1:
        one = int(best_score.argmax())
        if best_score[one] <= threshold:
            break
        links.steps += 1
        if doubtful[one]:
            # Its best neighbour became a worse one: until now its best link was only known to be no better than this.
            best[one] = score[one].argmax()
            best_score[one] = score[one, best[one]]
            doubtful[one] = False
            continue
        one, other = sorted((one, int(best[one])))
        groups[one] += groups.pop(other)
        alive[other] = False
        _absorb(links, one, other)
        joined = links.scores(one)
        raw[one], raw[:, one] = joined, joined
        joined = np.where(links.apart[one] | ~alive, -np.inf, joined)
        joined[one] = -np.inf
        score[one], score[:, one] = joined, joined
        score[other], score[:, other] = -np.inf, -np.inf
        lost = (best == one) | (best == other)
        better = (joined > best_score) | ((joined == best_score) & (lost | (one < best)))
        doubtful = (doubtful & ~better) | (lost & ~better)
        best[better], best_score[better] = one, joined[better]
        best[one] = joined.argmax()
        best_score[one] = joined[best[one]]
        best_score[other] = -np.inf
        doubtful[[one, other]] = False
    left = sorted(groups)
    return [sorted(groups[unit]) for unit in left], raw[np.ix_(left, left)]


def _absorb(links: Links, one: int, other: int) -> None:
    for table in (links.total, links.count):
        table[one] += table[other]
        table[:, one] = table[one]
    links.apart[one] |= links.apart[other]
    links.apart[:, one] = links.apart[one]
    top = _largest(np.concatenate((links.top[one], links.top[other]), axis=1), NEAREST)
    links.top[one], links.top[:, one] = top, top


def _largest(values: Floats, number: int) -> Floats:
    """The largest of each row, descending, padded with minus infinity."""
    if values.shape[1] > number:
        values = np.partition(values, values.shape[1] - number, axis=1)[:, -number:]
    values = -np.sort(-values, axis=1)
    if values.shape[1] < number:
        padding = np.full((len(values), number - values.shape[1]), -np.inf, dtype=np.float32)
        values = np.concatenate((values, padding), axis=1)
    return values
