"""What many sources write into the headers of their answers about what is left, in one of a few ways."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping

from wovepaper.harvest.contracts import Quota

_SECONDS_MAX = 366 * 86_400.0
_EPOCH_FROM = 1_000_000_000.0
"""A larger number is a moment (seconds since 1970), a smaller one a distance in seconds."""


def read_usual_headers(headers: Mapping[str, str], *, now: dt.datetime, unit: str = "requests") -> Quota | None:
    """From ``x-ratelimit-remaining``, ``-limit`` and ``-reset``; ``None`` where none of them can be read."""
    remaining = number(headers.get("x-ratelimit-remaining"))
    limit = number(headers.get("x-ratelimit-limit"))
    reset = moment(headers.get("x-ratelimit-reset"), now=now)
    if remaining is None and limit is None:
        return None
    return Quota(remaining, limit, reset, unit)


def number(said: str | None) -> float | None:
    """A number from 0; ``None`` for anything else."""
    try:
        value = float(said or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def moment(said: str | None, *, now: dt.datetime) -> dt.datetime | None:
    """Seconds from now, seconds since 1970, or a date and time (ISO 8601); ``None`` for anything else."""
    seconds = number(said)
    if seconds is None:
        try:
            given = dt.datetime.fromisoformat((said or "").strip().replace("Z", "+00:00"))
        except ValueError:
            return None
        return given if given.tzinfo else given.replace(tzinfo=dt.UTC)
    if seconds >= _EPOCH_FROM:
        try:
            return dt.datetime.fromtimestamp(seconds, dt.UTC)
        except (OverflowError, ValueError, OSError):
            return None
    return now + dt.timedelta(seconds=min(seconds, _SECONDS_MAX))
