"""Dates as sources write them."""

from __future__ import annotations

import datetime as dt
import re
from email.utils import parsedate_to_datetime
from functools import lru_cache

_RFC_822 = re.compile(
    r"(?:[A-Z][a-z]{2}, *)?([0-9]{1,2}) +(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +([0-9]{4})"
    r" +([0-9]{2}):([0-9]{2}):([0-9]{2}) +(?:GMT|UTC|Z|[+-]0000)",
    re.ASCII,
)
_MONTHS = {
    name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), start=1)
}
_ISO = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?(?:[T ].{0,40})?", re.ASCII)


def parse_rfc_822(text: str) -> dt.datetime:
    """An instant in UTC from ``Mon, 2 Apr 2007 19:18:42 GMT`` (one or two digits of the day; any zone).

    Raises ``ValueError`` for everything else. A time without zone is taken for UTC.
    """
    text = text.strip()
    match = _RFC_822.fullmatch(text)
    if match is not None:  # the form arXiv writes, without the general parser
        day, month, year, hour, minute, second = match.groups()
        return dt.datetime(int(year), _MONTHS[month], int(day), int(hour), int(minute), int(second), tzinfo=dt.UTC)
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, IndexError, OverflowError) as error:  # what the standard library lets through on odd input
        raise ValueError(f"{text[:60]!r} is not a date of RFC 822.") from error
    moment = moment.replace(tzinfo=dt.UTC) if moment.tzinfo is None else moment
    try:
        return moment.astimezone(dt.UTC)
    except OverflowError as error:
        raise ValueError(f"{text[:60]!r} lies outside the calendar.") from error


@lru_cache(maxsize=1024)
def parse_partial(text: str) -> tuple[int, int | None, int | None]:
    """Year, month and day of ``2007``, ``2007-04`` or ``2007-04-02`` (a time after it is ignored).

    What the text does not give is ``None``. Raises ``ValueError`` where the form or the day does not exist.
    """
    match = _ISO.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text[:60]!r} is not a date of ISO 8601.")
    year, month, day = (int(part) if part else None for part in match.groups())
    assert year is not None
    dt.date(year, month or 1, day or 1)
    return year, month, day
