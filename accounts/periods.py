"""When mail is due: the reader's hour, in the reader's time zone, whatever the clocks do there. Pure."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

MONDAY = 0


def last_due(now: dt.datetime, *, time_zone: str, hour: int, weekly: bool = False) -> tuple[dt.date, dt.datetime]:
    """The reader's latest day on which mail was due by ``now``, and the moment, in UTC.

    Weekly mail is due on Mondays. An hour that a change of the clocks skips is taken as that much later, and of one
    that comes twice the first counts, so every day has one moment. ``now`` must be aware.
    """
    zone = ZoneInfo(time_zone)
    day = now.astimezone(zone).date()
    if _moment(day, zone, hour) > now:
        day -= dt.timedelta(days=1)
    if weekly:
        day -= dt.timedelta(days=(day.weekday() - MONDAY) % 7)
    return day, _moment(day, zone, hour)


def _moment(day: dt.date, zone: ZoneInfo, hour: int) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(hour), zone).astimezone(dt.UTC)
