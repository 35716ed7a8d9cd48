"""Every reader's hour, whatever their clocks do."""

from __future__ import annotations

import datetime as dt

import pytest

from accounts.periods import last_due


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("zone", "now", "day", "moment"),
    [
        # Kathmandu is 5 hours and 45 minutes ahead, all year round.
        ("Asia/Kathmandu", "2026-03-29T01:14", "2026-03-28", "2026-03-28T01:15"),
        ("Asia/Kathmandu", "2026-03-29T01:15", "2026-03-29", "2026-03-29T01:15"),
        # Los Angeles puts its clocks forward on 8 March 2026: seven o'clock comes an hour earlier by UTC.
        ("America/Los_Angeles", "2026-03-07T15:00", "2026-03-07", "2026-03-07T15:00"),
        ("America/Los_Angeles", "2026-03-08T13:59", "2026-03-07", "2026-03-07T15:00"),
        ("America/Los_Angeles", "2026-03-08T14:00", "2026-03-08", "2026-03-08T14:00"),
        # And back on 1 November.
        ("America/Los_Angeles", "2026-11-01T14:59", "2026-10-31", "2026-10-31T14:00"),
        ("America/Los_Angeles", "2026-11-01T15:00", "2026-11-01", "2026-11-01T15:00"),
    ],
)
def test_seven_in_the_morning(zone: str, now: str, day: str, moment: str) -> None:
    assert last_due(at(now), time_zone=zone, hour=7) == (dt.date.fromisoformat(day), at(moment))


def test_an_hour_that_is_skipped_and_one_that_comes_twice() -> None:
    los_angeles = {"time_zone": "America/Los_Angeles"}
    assert last_due(at("2026-03-08T12:00"), hour=2, **los_angeles) == (dt.date(2026, 3, 8), at("2026-03-08T10:00"))
    # One o'clock, an hour after the first.
    assert last_due(at("2026-11-01T09:30"), hour=1, **los_angeles) == (dt.date(2026, 11, 1), at("2026-11-01T08:00"))


def test_a_year_of_minutes_has_every_day_once() -> None:
    for zone in ("Asia/Kathmandu", "America/Los_Angeles", "Australia/Lord_Howe", "Pacific/Apia"):
        for hour in (0, 2, 23):
            moment, days = at("2026-01-02T00:00"), []
            while moment < at("2027-01-01T00:00"):
                day, due = last_due(moment, time_zone=zone, hour=hour)
                assert due <= moment < due + dt.timedelta(hours=25, minutes=1)
                if not days or days[-1] != day:
                    days.append(day)
                moment += dt.timedelta(minutes=30)
            assert days == [days[0] + dt.timedelta(days=number) for number in range(len(days))]
            assert len(days) in (364, 365)


def test_weekly_means_mondays() -> None:
    weekly = {"time_zone": "Asia/Kathmandu", "hour": 7, "weekly": True}
    monday = dt.date(2026, 11, 30)
    assert last_due(at("2026-11-30T01:14"), **weekly) == (monday - dt.timedelta(days=7), at("2026-11-23T01:15"))
    for now in ("2026-11-30T01:15", "2026-12-03T12:00", "2026-12-07T01:14"):
        assert last_due(at(now), **weekly) == (monday, at("2026-11-30T01:15"))
