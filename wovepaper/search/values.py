"""Values between Python, the engine's columns, and the stored source of a document."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.utils.dateparse import parse_date, parse_datetime

from wovepaper.search.analysis import well_formed
from wovepaper.search.schema import Field, IndexSchema, Kind, microseconds, moment

ColumnValue = str | int | float | bool

_LONGEST_KEYWORD = 8_000  # characters; the engine drops terms over 64 kB
_I64 = range(-(2**63), 2**63)
_COMPACT = re.compile(r"\d{8}(?:\d{6})?", re.ASCII)
_TRUE = frozenset({"true", "1", "yes", "on", "t"})
_FALSE = frozenset({"false", "0", "no", "off", "f"})


def column_value(field: Field, value: object) -> ColumnValue | None:
    """What a column of this kind holds for a Python value, or ``None`` where it can hold no such value."""
    if value is None:
        return None
    try:
        return _CONVERTERS.get(field.kind, _keyword)(value)
    except (ValueError, TypeError, ArithmeticError):
        return None


def _keyword(value: object) -> str:
    return well_formed(value if isinstance(value, str) else as_text(value))[:_LONGEST_KEYWORD]


def _float(value: object) -> float | None:
    number = float(value)  # type: ignore[arg-type]
    return number if math.isfinite(number) else None


def _integer(value: object) -> int | None:
    number = int(value)  # type: ignore[call-overload]
    if isinstance(value, float | Decimal) and number != value:
        return None
    return number if number in _I64 else None


def _boolean(value: object) -> bool | None:
    if isinstance(value, str):
        word = value.strip().lower()
        return True if word in _TRUE else False if word in _FALSE else None
    return bool(value)


def _moment(value: object) -> int | None:
    if isinstance(value, dt.date):
        return microseconds(value)
    if isinstance(value, str):
        if _COMPACT.fullmatch(value):
            return microseconds(dt.datetime.strptime(value.ljust(14, "0"), "%Y%m%d%H%M%S").replace(tzinfo=dt.UTC))
        parsed = parse_datetime(value) or parse_date(value)
        return None if parsed is None else microseconds(parsed)
    return None


_CONVERTERS: dict[Kind, Callable[[object], ColumnValue | None]] = {
    Kind.INTEGER: _integer,
    Kind.FLOAT: _float,
    Kind.DECIMAL: _float,
    Kind.BOOLEAN: _boolean,
    Kind.DATE: _moment,
    Kind.DATETIME: _moment,
}


def as_text(value: object) -> str:
    """A value as a person would write it: ISO dates, ``true`` and ``false``."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.date):
        return value.isoformat()
    return str(value)


def shown_value(field: Field, value: Any) -> Any:
    """A column's value as Python shows it: what facets count and statistics range over."""
    match field.kind:
        case Kind.DATE:
            return moment(value).date()
        case Kind.DATETIME:
            return moment(value)
        case Kind.BOOLEAN:
            return bool(value)
        case Kind.INTEGER:
            return int(value)
        case _:
            return value


def values_of(value: object) -> list[object]:
    """The single values of a field that may hold several; reads a generator or queryset once."""
    if value is None:
        return []
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return [value]
    return [item for item in value if item is not None]


# --- the stored source ---------------------------------------------------------------------------------------


def _plain(value: object) -> object:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {well_formed(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [_plain(item) for item in value]
    return well_formed(str(value))


def stored_value(field: Field | None, value: object) -> object:
    """A value as the source keeps it; a date field keeps a date, whatever kind of moment it was given."""
    if field is not None and isinstance(value, dt.date):
        if field.kind is Kind.DATE and isinstance(value, dt.datetime):
            value = value.date()
        elif field.kind is Kind.DATETIME and not isinstance(value, dt.datetime):
            value = dt.datetime(value.year, value.month, value.day)  # noqa: DTZ001 - as naive as it came
    return _plain(value)


def encode_source(source: Mapping[str, object]) -> bytes:
    """The stored fields of a document."""
    return json.dumps(source, separators=(",", ":")).encode()


def decode_source(schema: IndexSchema, encoded: bytes) -> dict[str, Any]:
    """The stored fields of a document, dates as dates."""
    source: dict[str, Any] = json.loads(encoded)
    for name, value in source.items():
        if isinstance(value, str) and (field := schema.fields.get(name)) is not None:
            if field.kind is Kind.DATE:
                source[name] = dt.date.fromisoformat(value)
            elif field.kind is Kind.DATETIME:
                source[name] = dt.datetime.fromisoformat(value)
    return source
