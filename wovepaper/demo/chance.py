"""Seeded choices that give the same bytes on every machine and every Python.

Only ``Random.random`` is used: the library promises its sequence, not that of ``choice`` or ``shuffle``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
_SHIFT = 6.0
"""How flat the head of the rank distribution is (the q of Mandelbrot's law)."""


class Chance:
    """A stream of choices that depends on nothing but the parts of its seed."""

    __slots__ = ("_random", "fraction")

    def __init__(self, *parts: object) -> None:
        self._random = Random(":".join(map(str, parts)))  # noqa: S311 - invented data, not a secret
        self.fraction = self._random.random
        """A number from 0 to 1, 1 excluded."""

    def happens(self, probability: float) -> bool:
        """True with the given probability."""
        return self.fraction() < probability

    def below(self, limit: int) -> int:
        """A whole number from 0 to ``limit`` - 1, all alike."""
        return int(self.fraction() * limit)

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + int(self.fraction() * (high - low + 1))

    def rank(self, limit: int, shift: float = _SHIFT) -> int:
        """A rank from 0 to ``limit`` - 1, as often as 1 / (rank + shift): the law of Zipf and Mandelbrot."""
        return min(limit - 1, int(shift * (math.exp(self.fraction() * math.log1p(limit / shift)) - 1.0)))

    def one_of(self, items: Sequence[T]) -> T:
        """One item, all alike."""
        return items[int(self.fraction() * len(items))]

    def common(self, items: Sequence[T]) -> T:
        """One item, the earlier ones far more often."""
        return items[self.rank(len(items))]

    def weighted(self, items: Sequence[T], cumulative: Sequence[float]) -> T:
        """One item by its cumulative weight; the last weight is the sum."""
        target = self.fraction() * cumulative[-1]
        low, high = 0, len(items) - 1
        while low < high:
            middle = (low + high) // 2
            if cumulative[middle] > target:
                high = middle
            else:
                low = middle + 1
        return items[low]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in another order."""
        result = list(items)
        for end in range(len(result) - 1, 0, -1):
            other = self.below(end + 1)
            result[end], result[other] = result[other], result[end]
        return result
