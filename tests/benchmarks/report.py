"""Render the measured ratios as a page: ``uv run python -m tests.benchmarks.report``."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(os.environ.get("WOVEPAPER_BENCH_RESULTS", ROOT / "var" / "benchmarks.json"))
PAGE = ROOT / "wovepaper" / "docs" / "benchmarks.md"

HEAD = """# Benchmarks

What wovepaper's budgets are and whether it keeps them. Every figure is a ratio of two things measured by turns in one
run on one machine, with its 95 % confidence interval (percentile bootstrap over the repetitions); none is an absolute
promise. The catalogue is the invented one of `manage.py demo`, brought in through the pipeline like any other.

    uv run pytest -m benchmark -n0        # 100,000 papers; WOVEPAPER_BENCH_PAPERS sets another number
    uv run python -m tests.benchmarks.report

The first command writes `var/benchmarks.json` and fails only where the whole interval of a ratio lies beyond its
budget; the second writes this page. Run them on a machine that has nothing else to do. Pages are measured by the
processor time of the web process and of its database session together, which on such a machine is the time itself.
"""


def render(results: dict[str, Any]) -> str:
    """The page, from the file of results."""
    lines = [HEAD, _conditions(results), ""]
    for group in dict.fromkeys(result["group"] for result in results["results"]):
        lines += [
            f"## {group}",
            "",
            "| measured | ratio | 95 % interval | budget | kept |",
            "| --- | --- | --- | --- | --- |",
        ]
        rows = [result for result in results["results"] if result["group"] == group]
        lines += [_row(result) for result in rows]
        notes = [_note(result) for result in rows if result["note"] or result["details"]]
        lines += ["", *notes, ""] if notes else [""]
    return "\n".join(lines).rstrip() + "\n"


def _conditions(results: dict[str, Any]) -> str:
    machine = results["machine"]
    return (
        f"Last run: {results['measured_at']}, {results['papers']:,} papers, {machine['cpus']} cores, "
        f"Python {machine['python']}, PostgreSQL {machine['postgresql']}, Tantivy {machine['tantivy']}; "
        f"load at the start {machine['load']:.1f}."
    )


def _number(value: float, unit: str) -> str:
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"
    return f"{text} {unit}" if unit != "×" else f"{text} ×"


def _row(result: dict[str, Any]) -> str:
    unit = result["unit"]
    budget = "–" if result["limit"] is None else f"{result['direction']} {_number(result['limit'], unit)}"
    kept = {None: "–", True: "yes", False: "**no**"}[result["holds"]]
    if result["holds"] is False and not result["certainly_missed"]:
        kept = "no, within the interval"
    interval = f"{_number(result['low'], unit)} to {_number(result['high'], unit)}"
    return f"| {result['name']} | {_number(result['value'], unit)} | {interval} | {budget} | {kept} |"


def _note(result: dict[str, Any]) -> str:
    details = ", ".join(f"{key.replace('_', ' ')} {_plain(value)}" for key, value in result["details"].items())
    text = " ".join(part for part in (result["note"], f"({details})" if details else "") if part)
    return f"- {result['name']}: {text}"


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def main() -> None:
    """Read the results, write the page."""
    if not RESULTS.exists():
        sys.exit(f"{RESULTS} is not there: run `uv run pytest -m benchmark -n0` first.")
    PAGE.write_text(render(json.loads(RESULTS.read_text(encoding="utf-8"))), encoding="utf-8")
    sys.stdout.write(f"Wrote {PAGE.relative_to(ROOT)}.\n")


if __name__ == "__main__":
    main()
