"""When the invented papers are submitted, revised and announced, and the identifiers they get from it."""

from __future__ import annotations

import datetime as dt
import math
from typing import ClassVar

from wovepaper.demo.chance import Chance

FIRST_NUMBER = 40_000
"""arXiv has never given out so high a number in a month, so no invented identifier is a real one."""
LAST_NUMBER = 99_999
OLD_FIRST_NUMBER = 900
"""The same for identifiers before April 2007, in the archives marked ``old_style``."""


class Calendar:
    """Days on which things happen, none after ``until``."""

    EARLIEST_END: ClassVar[dt.date] = dt.date(2017, 1, 1)
    START: ClassVar[dt.date] = dt.date(2015, 1, 1)
    OLD_START: ClassVar[dt.date] = dt.date(1995, 1, 1)
    OLD_END: ClassVar[dt.date] = dt.date(2007, 3, 31)

    def __init__(self, until: dt.date) -> None:
        if until < self.EARLIEST_END:
            raise ValueError(f"The last day of a demo catalogue cannot lie before {self.EARLIEST_END}, not {until}.")
        self.until = until
        self._days = (until - self.START).days
        self._recent = self._recent_days(until)

    @staticmethod
    def _recent_days(until: dt.date, count: int = 10) -> tuple[dt.date, ...]:
        """The latest weekdays whose submissions are announced, on the next weekday, by ``until``; latest first."""
        days: list[dt.date] = []
        day = until
        while len(days) < count:
            day -= dt.timedelta(days=1)
            if day.weekday() < 5 and day + dt.timedelta(days=3 if day.weekday() == 4 else 1) <= until:
                days.append(day)
        return tuple(days)

    def first_submission(self, number: int, chance: Chance, *, old_style: bool) -> dt.datetime:
        """When version 1 of a paper comes: more and more over the years, with a share in the last two weeks."""
        share = 0.08 * min(1.0, math.sqrt(2_000 / (number + 1)))
        if number in (0, 2, 4, 6, 8) or chance.happens(share):
            # Before 14:00 in New York at any time of the year, so the next mailing carries it.
            return self._at(chance.common(self._recent), chance, latest_hour=17)
        if old_style and number >= 10 and chance.happens(0.06):
            days = (self.OLD_END - self.OLD_START).days
            return self._at(self.OLD_START + dt.timedelta(days=chance.below(days)), chance)
        age = int((1 - math.sqrt(chance.fraction())) * self._days)
        day = self.until - dt.timedelta(days=max(age, 4))
        if day.weekday() >= 5 and chance.happens(0.7):
            day -= dt.timedelta(days=2)
        return self._at(max(day, self.START), chance)

    def revision_after(self, earlier: dt.datetime, chance: Chance) -> dt.datetime | None:
        """When the next version comes, or ``None`` where that lies too late to be announced by the last day."""
        wait = 1 + int(20 / max(chance.fraction(), 0.02))
        day = earlier.date() + dt.timedelta(days=wait)
        if day > self._recent[0]:
            # Some of those that would come after the end come just before it instead: news for the front page.
            if not chance.happens(0.15):
                return None
            day = chance.one_of(self._recent)
            if day <= earlier.date():
                return None
        return self._at(day, chance, latest_hour=17)

    def datestamp(self, number: int, last_submission: dt.datetime, chance: Chance) -> dt.date:
        """When the record changed last: at the announcement, or later when a curator touched it.

        The first paper carries ``until`` itself, so that the end of a catalogue can be told from its records.
        """
        if number == 0:
            return self.until
        day = min(last_submission.date() + dt.timedelta(days=1), self.until)
        if chance.happens(0.1):
            day += dt.timedelta(days=chance.below((self.until - day).days + 1))
        # arXiv's own records begin on this day, whatever their age.
        return max(day, dt.date(2007, 5, 23))

    @staticmethod
    def _at(day: dt.date, chance: Chance, latest_hour: int = 23) -> dt.datetime:
        second = chance.below((latest_hour + 1) * 3_600)
        return dt.datetime.combine(day, dt.time(), dt.UTC) + dt.timedelta(seconds=second)


class Numbering:
    """Gives out identifiers in the order of the papers: a counter per month."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def next_id(self, submitted_at: dt.datetime, category: str) -> str:
        """An identifier of the form that was in use at the time. Raises ``ValueError`` for a month that is full."""
        month = f"{submitted_at:%y%m}"
        if submitted_at.date() <= Calendar.OLD_END:
            count = self._count(f"{category}/{month}")
            if OLD_FIRST_NUMBER + count <= 999:
                return f"{category}/{month}{OLD_FIRST_NUMBER + count:03d}"
            month = "1501"  # the wrong form is better than an identifier that somebody else may have
        number = FIRST_NUMBER + self._count(month)
        if number > LAST_NUMBER:
            raise ValueError(f"The month {month} has no identifiers left.")
        return f"{month}.{number}"

    def _count(self, key: str) -> int:
        count = self._given.get(key, 0)
        self._given[key] = count + 1
        return count


def is_invented(arxiv_id: str) -> bool:
    """Whether an identifier is one that only a demo catalogue gives out."""
    if "/" in arxiv_id:
        digits = arxiv_id.rpartition("/")[2]
        return len(digits) == 7 and digits.isdigit() and int(digits[4:]) >= OLD_FIRST_NUMBER
    digits = arxiv_id.partition(".")[2]
    return len(digits) == 5 and digits.isdigit() and int(digits) >= FIRST_NUMBER
