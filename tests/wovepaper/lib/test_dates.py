from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wovepaper.lib import dates


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Mon, 2 Apr 2007 19:18:42 GMT", dt.datetime(2007, 4, 2, 19, 18, 42, tzinfo=dt.UTC)),
        ("Mon, 02 Apr 2007 19:18:42 GMT", dt.datetime(2007, 4, 2, 19, 18, 42, tzinfo=dt.UTC)),
        ("2 Apr 2007 19:18:42 -0400", dt.datetime(2007, 4, 2, 23, 18, 42, tzinfo=dt.UTC)),
        ("Mon, 2 Apr 2007 19:18:42", dt.datetime(2007, 4, 2, 19, 18, 42, tzinfo=dt.UTC)),
    ],
)
def test_instants_of_rfc_822_become_utc(written: str, meant: dt.datetime) -> None:
    assert dates.parse_rfc_822(written) == meant


@pytest.mark.parametrize("written", ["", "yesterday", "Mon, 31 Feb 2007 19:18:42 GMT", "Mon, 2 Apr 2007 25:00:00 GMT"])
def test_other_text_is_no_instant(written: str) -> None:
    with pytest.raises(ValueError):
        dates.parse_rfc_822(written)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2007", (2007, None, None)),
        ("2007-04", (2007, 4, None)),
        ("2007-04-02", (2007, 4, 2)),
        (" 2007-04-02T10:00:00Z ", (2007, 4, 2)),
    ],
)
def test_partial_dates_keep_their_precision(written: str, meant: tuple[int, int | None, int | None]) -> None:
    assert dates.parse_partial(written) == meant


@pytest.mark.parametrize("written", ["", "07", "2007-13", "2007-02-30", "0000", "2007/04/02"])
def test_other_text_is_no_date(written: str) -> None:
    with pytest.raises(ValueError):
        dates.parse_partial(written)


@given(st.text(max_size=40))
def test_only_value_errors_are_raised(written: str) -> None:
    for parse in (dates.parse_rfc_822, dates.parse_partial):
        try:
            parse(written)
        except ValueError:
            pass
