"""Years as strips of bars: numbers for drawings whose attributes need neither styles nor scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Self

SHORTEST = 12
"""Years that a drawing has room for at least: a few years are no blocks."""
LONGEST = 60
"""Years that are drawn; what is earlier is left out."""
STEP = 10
"""Units of a drawing for each year."""
HEIGHT = 40


@dataclass(frozen=True, slots=True)
class Bar:
    """The papers of one year: a rectangle in a drawing of ``Axis.width`` by ``HEIGHT``."""

    year: int
    count: int
    x: int
    y: int
    height: int


@dataclass(frozen=True, slots=True)
class Place:
    """An affiliation as printed, with the years of its papers. ``x`` and ``width`` are its bar on the axis."""

    text: str
    first: int | None
    last: int | None
    papers: int
    shared: bool = False
    x: int = 0
    width: int = 0

    def on(self, axis: Axis | None, *, shared: bool) -> Place:
        """With its bar, and whether another of the compared has it too."""
        if axis is None or self.first is None or self.last is None:
            return replace(self, shared=shared)
        first, last = max(self.first, axis.first), max(self.last, axis.first)
        return replace(self, shared=shared, x=(first - axis.first) * STEP, width=(last - first + 1) * STEP)

    @property
    def years(self) -> str:
        """As people write it."""
        if self.first is None:
            return "year unknown"
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class Axis:
    """The years from the first to the last paper of all that are compared."""

    first: int
    last: int

    @classmethod
    def over(cls, years: Iterable[int]) -> Self | None:
        """The axis that holds these years; ``None`` without any."""
        found = sorted(set(years))
        return cls(max(found[0], found[-1] - LONGEST + 1), found[-1]) if found else None

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"

    @property
    def width(self) -> int:
        """Of a drawing, in its own units."""
        return max(SHORTEST, self.last - self.first + 1) * STEP

    def bars(self, counts: Mapping[int, int], *, most: int) -> list[Bar]:
        """One bar for each year with papers; ``most`` papers are as high as the drawing."""
        bars = []
        for year, count in sorted(counts.items()):
            if year >= self.first:
                height = max(3, round(count / most * HEIGHT))
                bars.append(Bar(year, count, (year - self.first) * STEP, HEIGHT - height, height))
        return bars
