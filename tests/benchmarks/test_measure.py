"""The instruments themselves: intervals, verdicts and the page of results."""

from __future__ import annotations

import time

import pytest

from tests.benchmarks.measure import Result, bootstrap, by_turns, compare, percentile, ratio_of_medians, ratio_of_sums
from tests.benchmarks.report import render


def test_ratio_of_medians_and_of_sums() -> None:
    pairs = [(2.0, 1.0), (4.0, 2.0), (60.0, 3.0)]
    assert ratio_of_medians(pairs) == 2.0
    assert ratio_of_sums(pairs) == 11.0


def test_percentile_is_the_nearest_rank() -> None:
    assert percentile(list(range(100)), 0.95) == 95
    assert percentile([3.0], 0.95) == 3.0


def test_the_interval_holds_the_value_and_shrinks_without_noise() -> None:
    noisy = bootstrap([(1.0 + (n % 7) / 10, 1.0) for n in range(50)], ratio_of_medians)
    assert noisy.low <= noisy.value <= noisy.high
    assert noisy.low < noisy.high
    steady = bootstrap([(3.0, 1.0)] * 20, ratio_of_medians)
    assert (steady.low, steady.value, steady.high) == (3.0, 3.0, 3.0)


def test_the_interval_is_the_same_in_every_run() -> None:
    pairs = [(1.0 + n * n % 13, 1.0) for n in range(30)]
    assert bootstrap(pairs, ratio_of_medians) == bootstrap(pairs, ratio_of_medians)


def test_by_turns_measures_both() -> None:
    pairs = by_turns(lambda: time.sleep(0.004), lambda: time.sleep(0.001), repetitions=5, warm_up=0)
    assert len(pairs) == 5
    assert ratio_of_medians(pairs) > 1.5


@pytest.mark.parametrize(
    ("direction", "low", "value", "high", "holds", "missed"),
    [
        ("at most", 1.0, 1.5, 1.9, True, False),
        ("at most", 1.9, 2.1, 2.3, False, False),
        ("at most", 2.1, 2.2, 2.3, False, True),
        ("at least", 2.1, 2.2, 2.3, True, False),
        ("at least", 1.8, 1.9, 2.1, False, False),
        ("at least", 1.0, 1.5, 1.9, False, True),
    ],
)
def test_only_an_interval_wholly_beyond_the_budget_is_certainly_missed(
    direction: str, low: float, value: float, high: float, holds: bool, missed: bool
) -> None:
    result = Result("g", "n", value, low, high, 2.0, direction)
    assert (result.holds, result.certainly_missed) == (holds, missed)


def test_no_budget_no_verdict() -> None:
    result = Result("g", "n", 1.0, 1.0, 1.0)
    assert (result.holds, result.certainly_missed) == (None, False)


def test_the_page_of_results() -> None:
    kept = compare("Ingest", "unchanged", [(1.0, 4.0)] * 5, limit=0.5, records=1_000)
    lost = Result("Memory", "harvest", 400.0, 390.0, 410.0, 300.0, unit="MB", note="Peak.")
    page = render(
        {
            "measured_at": "2026-03-16",
            "papers": 100_000,
            "machine": {"cpus": 2, "python": "3.11.9", "postgresql": "18.1", "tantivy": "0.25", "load": 0.1},
            "results": [kept.as_json(), lost.as_json()],
        }
    )
    assert "| unchanged | 0.25 × | 0.25 × to 0.25 × | at most 0.50 × | yes |" in page
    assert "| harvest | 400 MB | 390 MB to 410 MB | at most 300 MB | **no** |" in page
    assert "records 1,000" in page
    assert page.index("## Ingest") < page.index("## Memory")
