"""On which day arXiv lists a new paper."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

EASTERN = ZoneInfo("America/New_York")
"""The time zone of arXiv's schedule."""

DEADLINE = dt.time(14)
"""Submissions from this time on, Eastern, wait for the next announcement."""

_ONE_DAY = dt.timedelta(days=1)


def announced_on(submitted_at: dt.datetime) -> dt.date:
    """The day whose listing carries a paper first submitted at an instant.

    The schedule is that of https://info.arxiv.org/help/availability.html: what arrives before 14:00 US Eastern on a
    weekday is announced at 20:00, Sunday to Thursday, in the listing of the next weekday; what arrives from Friday
    14:00 to Monday 14:00 is listed on Tuesday. arXiv's holidays, papers held back for moderation, and the other
    deadlines of former years are not known here, so the day can be early for them. Raises ``ValueError`` for a time
    without zone.
    """
    if submitted_at.tzinfo is None:
        raise ValueError("The instant of submission needs a time zone.")
    local = submitted_at.astimezone(EASTERN)
    deadline_day = local.date() if local.time() < DEADLINE else local.date() + _ONE_DAY
    return _next_weekday(_weekday_from(deadline_day))


def _weekday_from(day: dt.date) -> dt.date:
    """The day, or the Monday after a weekend."""
    return day + _ONE_DAY * max(0, 7 - day.weekday()) if day.weekday() >= 5 else day


def _next_weekday(day: dt.date) -> dt.date:
    return _weekday_from(day + _ONE_DAY)
