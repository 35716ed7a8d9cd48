"""Pages of what SQL counts: by a number, most first; each page begins where the one before ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from papers.keyset import Cursor, Key, Place

ROWS_A_PAGE = 50

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class RankPage(Generic[Row]):
    """One page of rows, with the cursors of its neighbours where there are any."""

    rows: list[Row]
    after: Cursor | None = None
    before: Cursor | None = None


def beyond(place: Place, amount: str, number: str) -> str:
    """The rows on the far side of the place, as SQL over two columns; takes the parameters of ``cursor_values``."""
    if place.before is not None:
        return f"({amount}, {number}) > (%(amount)s, %(number)s)"
    return f"({amount}, {number}) < (%(amount)s, %(number)s)" if place.after is not None else "true"


def away(place: Place, amount: str, number: str) -> str:
    """The order in which rows are read: away from the place."""
    return f"{amount}, {number}" if place.before is not None else f"{amount} DESC, {number} DESC"


def cursor_values(place: Place) -> dict[str, Key]:
    """The parameters of ``beyond``."""
    cursor = place.before or place.after
    return {} if cursor is None else {"amount": cursor.key, "number": cursor.number}


def page_of(rows: Sequence[tuple[Cursor, Row]], *, place: Place, size: int) -> RankPage[Row]:
    """The page made of rows read in this order, one more than ``size`` where there are more."""
    found = list(rows[:size])
    more = len(rows) > size
    backwards = place.before is not None
    if backwards:
        found.reverse()
    if not found:
        return RankPage([])
    has_previous = more if backwards else place.after is not None
    return RankPage(
        [row for _, row in found],
        after=found[-1][0] if more or backwards else None,
        before=found[0][0] if has_previous else None,
    )
