"""Ratios with their confidence intervals, from measurements taken by turns in one run."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Literal

RESAMPLES = 2_000
Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with the bounds of its 95 % confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the report. ``limit`` is ``None`` where there is no budget."""

    group: str
    name: str
    value: float
    low: float
    high: float
    limit: float | None = None
    direction: Literal["at most", "at least"] = "at most"
    unit: str = "×"
    note: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool | None:
        """Whether the estimate keeps the budget."""
        if self.limit is None:
            return None
        return self.value <= self.limit if self.direction == "at most" else self.value >= self.limit

    @property
    def certainly_missed(self) -> bool:
        """Whether the whole interval lies beyond the budget: only then does a benchmark fail."""
        if self.limit is None:
            return False
        return self.low > self.limit if self.direction == "at most" else self.high < self.limit

    def as_json(self) -> dict[str, Any]:
        """For the file of results."""
        return {**asdict(self), "holds": self.holds, "certainly_missed": self.certainly_missed}


def seconds(action: Callable[[], object]) -> float:
    """How long ``action`` takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def fastest(action: Callable[[], object], runs: int) -> float:
    """Seconds of the fastest of several runs."""
    return min(seconds(action) for _ in range(runs))


Measure = Callable[[Callable[[], object]], float]


def by_turns(
    first: Callable[[], object],
    second: Callable[[], object],
    *,
    repetitions: int,
    measure: Measure = seconds,
    warm_up: int = 3,
) -> list[Pair]:
    """What ``measure`` says of the two actions, alternately; the one that goes first alternates, too."""
    for _ in range(warm_up):
        first()
        second()
    pairs = []
    gc.collect()
    gc.freeze()
    try:
        for repetition in range(repetitions):
            if repetition % 2:
                later = measure(second)
                pairs.append((measure(first), later))
            else:
                pairs.append((measure(first), measure(second)))
    finally:
        gc.unfreeze()
    return pairs


def bootstrap(samples: Sequence[Any], statistic: Callable[[Sequence[Any]], float], *, seed: int = 1) -> Interval:
    """The statistic with its 95 % percentile interval over resampled repetitions."""
    random = Random(seed)
    size = len(samples)
    values = sorted(statistic(random.choices(samples, k=size)) for _ in range(RESAMPLES))
    return Interval(statistic(samples), values[int(0.025 * RESAMPLES)], values[int(0.975 * RESAMPLES)])


def ratio_of_medians(pairs: Sequence[Pair]) -> float:
    """Median of the first over median of the second."""
    return statistics.median(pair[0] for pair in pairs) / statistics.median(pair[1] for pair in pairs)


def ratio_of_sums(pairs: Sequence[Pair]) -> float:
    """Total of the first over total of the second: for pieces of work that add up."""
    return sum(pair[0] for pair in pairs) / sum(pair[1] for pair in pairs)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the values lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def compare(
    group: str,
    name: str,
    pairs: Sequence[Pair],
    *,
    limit: float | None,
    direction: Literal["at most", "at least"] = "at most",
    statistic: Callable[[Sequence[Pair]], float] = ratio_of_medians,
    note: str = "",
    **details: Any,
) -> Result:
    """A result from pairs of seconds."""
    interval = bootstrap(pairs, statistic)
    details = {
        "repetitions": len(pairs),
        "first_ms": round(statistics.median(pair[0] for pair in pairs) * 1_000, 3),
        "second_ms": round(statistics.median(pair[1] for pair in pairs) * 1_000, 3),
        **details,
    }
    return Result(
        group, name, interval.value, interval.low, interval.high, limit, direction, note=note, details=details
    )
