"""Crossref's dates: ``{"date-parts": [[2015, 3, 4]], "date-time": …}``, with parts missing or null."""

from __future__ import annotations

import datetime as dt
from typing import Any, get_args

from papers.sources.records import DateKind, PartialDate

FIRST_YEAR, LAST_YEAR = 1001, 2998

_PUBLISHED = ("published", "issued", "published-online", "published-print", "posted", "published-other")
"""Where the date of publication stands, the first that says something. ``published`` and ``issued`` are the earliest
of print and online."""


def published(said: dict[str, Any]) -> PartialDate | None:
    """The date of publication with the precision that it was given in."""
    for key in _PUBLISHED:
        found = read(said.get(key))
        if found is not None:
            return found
    return None


def by_kind(said: dict[str, Any]) -> tuple[tuple[DateKind, PartialDate], ...]:
    """What happened when, as far as the record tells the kinds of its dates apart."""
    found = ((kind, read(said.get(kind))) for kind in get_args(DateKind))
    return tuple((kind, date) for kind, date in found if date is not None)


def read(said: Any) -> PartialDate | None:
    """A date; ``None`` where there is none. A month or day that does not exist is left out, and so is what follows."""
    parts = said.get("date-parts") if isinstance(said, dict) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    numbers = [_number(part) for part in first[:3]] if isinstance(first, list) else [_number(first)]
    year, month, day = [*numbers, None, None, None][:3]
    if year is None or not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    if month is None or not 1 <= month <= 12:
        return PartialDate(year)
    if day is None:
        return PartialDate(year, month)
    try:
        dt.date(year, month, day)
    except ValueError:
        return PartialDate(year, month)
    return PartialDate(year, month, day)


def stamp(said: dict[str, Any]) -> str:
    """When Crossref last indexed the work (or it was deposited), as text that sorts by time; empty where unknown."""
    for key in ("indexed", "deposited"):
        value = said.get(key)
        moment = value.get("date-time") if isinstance(value, dict) else None
        if isinstance(moment, str) and moment[:4].isdigit():
            return moment[:40]
        day = read(value)
        if day is not None:
            return str(day)
    return ""


def indexed_on(said: dict[str, Any]) -> dt.date | None:
    """The day on which Crossref last indexed the work; ``None`` where it does not say."""
    value = said.get("indexed")
    day = read(value)
    if day is not None and day.precision == "day":
        return day.first_day
    moment = value.get("date-time") if isinstance(value, dict) else None
    try:
        return dt.date.fromisoformat(moment[:10]) if isinstance(moment, str) else None
    except ValueError:
        return None


def _number(part: Any) -> int | None:
    if isinstance(part, bool) or part is None:
        return None
    if isinstance(part, int):
        return part
    return int(part) if isinstance(part, str) and part.isascii() and part.isdigit() and len(part) < 5 else None
