"""Pages of a list that cost the same however deep they are: each begins where the one before ended.

A cursor is the key of a row, ``2026-11-27_1042`` (the day and the number), so that a link can be read, kept and
shared. Rows that arrive meanwhile are never skipped or shown twice.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import F, Model, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan

PAGE_SIZE = 24

_CURSOR = re.compile(r"(\d{4}-\d\d-\d\d)_(\d{1,18})", re.ASCII)

Row = TypeVar("Row", bound=Model)


class BadCursor(ValueError):
    """The address holds a place in the list that cannot be read; the message is for the reader."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The key of one row: its day and its number."""

    day: dt.date
    number: int

    @classmethod
    def parse(cls, text: str) -> Cursor:
        """Read a cursor from an address. Raises ``BadCursor``."""
        match = _CURSOR.fullmatch(text)
        try:
            day = dt.date.fromisoformat(match[1]) if match else None
        except ValueError:
            day = None
        if match is None or day is None:
            raise BadCursor("The place in the list could not be read, so it begins at the start.")
        return cls(day, int(match[2]))

    def __str__(self) -> str:
        return f"{self.day.isoformat()}_{self.number}"


@dataclass(frozen=True, slots=True)
class KeysetPage(Generic[Row]):
    """One page of rows, with the cursors of its neighbours where there are any."""

    rows: list[Row]
    after: Cursor | None = None
    """Where the next page begins; ``None`` on the last page."""
    before: Cursor | None = None
    """Where the previous page ends; ``None`` on the first page."""


@dataclass(frozen=True, slots=True)
class Place:
    """What the address says about the place in the list: nothing, ``after`` a row, or ``before`` one."""

    after: Cursor | None = None
    before: Cursor | None = None

    @classmethod
    def parse(cls, query: Mapping[str, str]) -> Place:
        """Read ``after`` or ``before``. Raises ``BadCursor``."""
        if after := query.get("after"):
            return cls(after=Cursor.parse(after))
        if before := query.get("before"):
            return cls(before=Cursor.parse(before))
        return cls()


def read_page(
    rows: QuerySet[Row],
    *,
    place: Place,
    day_field: str,
    number_field: str = "id",
    descending: bool = True,
    size: int = PAGE_SIZE,
) -> KeysetPage[Row]:
    """One page of ``rows`` in the order of day and number, in one query that an index on both serves.

    A page read backwards that comes out empty (its rows have gone meanwhile) is the first page.
    """
    backwards = place.before is not None
    down = descending != backwards
    sign = "-" if down else ""
    # SQL compares (day, number) as one value; Django has that lookup since 5.2, so far only as a class.
    beyond: Callable[..., Any] = TupleLessThan if down else TupleGreaterThan
    ordered = rows.order_by(f"{sign}{day_field}", f"{sign}{number_field}")
    cursor = place.before or place.after
    if cursor is not None:
        ordered = ordered.filter(beyond(Tuple(F(day_field), F(number_field)), (cursor.day, cursor.number)))
    found = list(ordered[: size + 1])
    more = len(found) > size
    found = found[:size]
    if backwards:
        if not found:
            return read_page(
                rows,
                place=Place(),
                day_field=day_field,
                number_field=number_field,
                descending=descending,
                size=size,
            )
        found.reverse()
    if not found:
        return KeysetPage([])

    def key(row: Row) -> Cursor:
        return Cursor(getattr(row, day_field), getattr(row, number_field))

    has_next = more or backwards
    has_previous = more if backwards else place.after is not None
    return KeysetPage(
        found,
        after=key(found[-1]) if has_next else None,
        before=key(found[0]) if has_previous else None,
    )
