from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.sources.arxiv.announcements import EASTERN, announced_on


@pytest.mark.parametrize(
    ("submitted", "listed"),
    [
        ("2024-07-15 13:59", "2024-07-16"),  # Monday before the deadline: that evening, listed on Tuesday
        ("2024-07-15 14:00", "2024-07-17"),
        ("2024-07-17 10:00", "2024-07-18"),
        ("2024-07-18 13:00", "2024-07-19"),  # Thursday
        ("2024-07-18 15:00", "2024-07-22"),  # after Thursday's deadline: Sunday evening, listed on Monday
        ("2024-07-19 13:59", "2024-07-22"),  # Friday
        ("2024-07-19 14:00", "2024-07-23"),  # after Friday's: Monday evening, listed on Tuesday
        ("2024-07-20 12:00", "2024-07-23"),
        ("2024-07-21 23:00", "2024-07-23"),
        ("2024-07-22 13:59", "2024-07-23"),
        ("2024-01-15 13:59", "2024-01-16"),  # the same in winter
    ],
)
def test_the_listing_day_follows_the_deadline(submitted: str, listed: str) -> None:
    local = dt.datetime.fromisoformat(submitted).replace(tzinfo=EASTERN)

    assert announced_on(local.astimezone(dt.UTC)) == dt.date.fromisoformat(listed)


@given(st.datetimes(*map(dt.datetime.fromisoformat, ("1992-01-01", "2100-01-01")), timezones=st.just(dt.UTC)))
def test_the_listing_day_is_a_weekday_soon_after_and_never_goes_back(submitted: dt.datetime) -> None:
    day = announced_on(submitted)

    assert day.weekday() < 5
    assert 1 <= (day - submitted.astimezone(EASTERN).date()).days <= 4
    assert announced_on(submitted + dt.timedelta(hours=1)) >= day


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        announced_on(dt.datetime(2024, 7, 15, 12))  # noqa: DTZ001 - the fault itself
