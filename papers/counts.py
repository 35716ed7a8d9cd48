"""How many rows a list has: exactly where that is cheap, else the planner's estimate, so that no page grows dearer
with its table.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connections
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
    try:
        statement, parameters = rows.order_by().values("pk").query.sql_with_params()
    except EmptyResultSet:
        return RowCount(0, exact=True)
    # Both queries from one statement: to have Django put each together costs as much as to run it.
    with connections[rows.db].cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}", parameters)
        plan = cursor.fetchone()[0]
        plan = (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]
        if plan["Total Cost"] > exact_cost:
            return RowCount(_round(int(plan["Plan Rows"])), exact=False)
        cursor.execute(f"SELECT count(*) FROM ({statement}) AS counted", parameters)  # noqa: S608 - the ORM's own
        return RowCount(cursor.fetchone()[0], exact=True)


def _round(number: int) -> int:
    digits = len(str(number))
    return round(number, 2 - digits) if digits > 2 else number
