"""Dates as they are printed."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

_FORMATS = {"day": "j F Y", "month": "F Y", "year": "Y"}
_PARTS = {"day": 3, "month": 2, "year": 1}


def date_html(day: dt.date, precision: str = "day") -> SafeString:
    """A date with no more precision than its source gave: ``3 May 2024``, ``May 2024`` or ``2024``."""
    return _date_html(day.year, day.month, day.day, precision)


@lru_cache(maxsize=4096)
def _date_html(year: int, month: int, day: int, precision: str) -> SafeString:
    machine = "-".join([f"{year:04}", f"{month:02}", f"{day:02}"][: _PARTS[precision]])
    return format_html(
        '<time datetime="{}">{}</time>', machine, date_format(dt.date(year, month, day), _FORMATS[precision])
    )
