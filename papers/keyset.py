"""Pages of a list that cost the same however deep they are: each begins where the one before ended.

A cursor is the key of a row, ``2026-11-27_1042`` (the day and the number), so that a link can be read, kept and
shared; lists may also be in the order of a count or of a folded name. Rows that arrive meanwhile are never skipped or
shown twice.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import F, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan

PAGE_SIZE = 24

Key = dt.date | int | str
"""What a list is in the order of, before the number: a day, a count, or a text of lower-case letters and spaces."""

_CURSOR = re.compile(r"(?P<key>[a-z0-9 -]{0,200})_(?P<number>\d{1,18})", re.ASCII)
_COUNT = re.compile(r"-?\d{1,9}", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)

Row = TypeVar("Row")


class BadCursor(ValueError):
    """The address holds a place in the list that cannot be read; the message is for the reader."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The key of one row: its day, count or name, and its number."""

    key: Key
    number: int

    @classmethod
    def parse(cls, text: str, of: type[Key] = dt.date) -> Cursor:
        """Read a cursor whose key is ``of`` this type from an address. Raises ``BadCursor``."""
        match = _CURSOR.fullmatch(text)
        key = _read_key(match["key"], of) if match else None
        if match is None or key is None:
            raise BadCursor("The place in the list could not be read, so it begins at the start.")
        return cls(key, int(match["number"]))

    def __str__(self) -> str:
        return f"{self.key.isoformat() if isinstance(self.key, dt.date) else self.key}_{self.number}"


def _read_key(text: str, of: type[Key]) -> Key | None:
    if of is str:
        return text
    if of is int:
        return int(text) if _COUNT.fullmatch(text) else None
    try:
        return dt.date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


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
    def parse(cls, query: Mapping[str, str], of: type[Key] = dt.date) -> Place:
        """Read ``after`` or ``before``, in a list by keys ``of`` this type. Raises ``BadCursor``."""
        if after := query.get("after"):
            return cls(after=Cursor.parse(after, of))
        if before := query.get("before"):
            return cls(before=Cursor.parse(before, of))
        return cls()


def read_page(
    rows: QuerySet[Any, Any],
    *,
    place: Place,
    key_field: str,
    number_field: str = "id",
    descending: bool = True,
    size: int = PAGE_SIZE,
    make: Callable[[Any], Row] | None = None,
) -> KeysetPage[Row]:
    """One page of ``rows`` in the order of key and number, in one query that an index on both serves.

    ``make`` makes a row of what the query gives, where that is a tuple of values; it has both fields as attributes.

    A page read backwards that comes out empty (its rows have gone meanwhile) is the first page.
    """
    backwards = place.before is not None
    down = descending != backwards
    sign = "-" if down else ""
    # SQL compares (key, number) as one value; Django has that lookup since 5.2, so far only as a class.
    beyond: Callable[..., Any] = TupleLessThan if down else TupleGreaterThan
    ordered = rows.order_by(f"{sign}{key_field}", f"{sign}{number_field}")
    cursor = place.before or place.after
    if cursor is not None:
        ordered = ordered.filter(beyond(Tuple(F(key_field), F(number_field)), (cursor.key, cursor.number)))
    found: list[Row] = list(map(make, ordered[: size + 1]) if make else ordered[: size + 1])
    if backwards and not found:
        return read_page(
            rows,
            place=Place(),
            key_field=key_field,
            number_field=number_field,
            descending=descending,
            size=size,
            make=make,
        )
    return page_of(
        found, place=place, size=size, cursor_of=lambda row: Cursor(getattr(row, key_field), getattr(row, number_field))
    )


def page_of(
    rows: Sequence[Row], *, place: Place, size: int = PAGE_SIZE, cursor_of: Callable[[Row], Cursor]
) -> KeysetPage[Row]:
    """The page of rows that were read away from ``place``, one more than ``size`` where there are more."""
    found = list(rows[:size])
    more = len(rows) > size
    backwards = place.before is not None
    if backwards:
        found.reverse()
    if not found:
        return KeysetPage([])
    has_next = more or backwards
    has_previous = more if backwards else place.after is not None
    return KeysetPage(
        found,
        after=cursor_of(found[-1]) if has_next else None,
        before=cursor_of(found[0]) if has_previous else None,
    )
