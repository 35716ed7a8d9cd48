"""How many rows a list has: exactly where that is cheap, else the planner's estimate, so that no page grows dearer
with its table.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

EXACT_COST = 1_000.0
"""Up to this cost, in the planner's units, rows are counted: a few milliseconds at most."""


@dataclass(frozen=True, slots=True)
class RowCount:
    """A number of rows, and whether it was counted or estimated."""

    number: int
    exact: bool

    def __str__(self) -> str:
        return f"{self.number:,}" if self.exact else f"about {self.number:,}"


def count_rows(rows: QuerySet[Any], *, exact_cost: float = EXACT_COST) -> RowCount:
    """Count ``rows``, in one query or two. An estimate is rounded to two significant digits."""
    bare = rows.order_by().values("pk")
    plan = json.loads(bare.explain(format="json"))[0]["Plan"]
    if plan["Total Cost"] <= exact_cost:
        return RowCount(bare.count(), exact=True)
    return RowCount(_round(int(plan["Plan Rows"])), exact=False)


def _round(number: int) -> int:
    digits = len(str(number))
    return round(number, 2 - digits) if digits > 2 else number
