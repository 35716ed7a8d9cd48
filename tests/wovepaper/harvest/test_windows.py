"""Which days a run harvests, and from where it goes on."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from tests.upstreams import faults
from tests.upstreams.catalogue import invented_papers
from tests.wovepaper.harvest.conftest import DAY, TODAY
from tests.wovepaper.harvest.fakes import things
from wovepaper.harvest.errors import BadRange
from wovepaper.harvest.models import HarvestRun, HarvestWindow, Watermark

ONE_DAY = dt.timedelta(days=1)


def asked_days(upstream):
    return [seen.params["from"] for seen in upstream.requests if "from" in seen.params]


def days(first, count):
    return [(first + number * ONE_DAY).isoformat() for number in range(count)]


def test_the_first_run_begins_with_the_earliest_day_and_ends_with_yesterday(harvest, arxiv_upstream, source):
    summary = harvest(None, None)

    assert summary.ok
    assert asked_days(arxiv_upstream) == days(source.earliest, 9)
    assert asked_days(arxiv_upstream)[-1] == (TODAY - ONE_DAY).isoformat()
    assert all(seen.params["from"] == seen.params["until"] for seen in arxiv_upstream.requests)
    assert Watermark.objects.get().day == TODAY - ONE_DAY


def test_the_next_run_harvests_two_days_again(harvest, arxiv_upstream, source):
    Watermark.objects.create(source="fake", day=DAY + 4 * ONE_DAY)

    harvest(None, None)

    assert asked_days(arxiv_upstream) == days(DAY + 3 * ONE_DAY, 5)


def test_an_empty_last_day_is_harvested_again_by_the_next_run(harvest, arxiv_upstream):
    """``noRecordsMatch`` may come from a cache; the overlap brings what it hid."""
    Watermark.objects.create(source="fake", day=TODAY - 2 * ONE_DAY)
    assert harvest(None, None).counts.seen == 0
    arxiv_upstream.papers = invented_papers(3, first_day=TODAY - ONE_DAY)

    assert harvest(None, None).counts.new == 3


def test_streams_follow_one_another_day_by_day(harvest, arxiv_upstream, source):
    source.streams = ("arXiv", "arXivRaw")
    arxiv_upstream.papers = invented_papers(4, days=2)

    assert harvest(DAY, DAY + ONE_DAY).counts.new == 8

    asked = [(seen.params["metadataPrefix"], seen.params["from"]) for seen in arxiv_upstream.requests]
    first, second = days(DAY, 2)
    assert asked == [("arXiv", first), ("arXivRaw", first), ("arXiv", second), ("arXivRaw", second)]


def test_a_limit_is_exact_and_the_rest_follows_with_the_next_run(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(25)

    limited = harvest(limit=13)
    assert (limited.outcome, limited.counts.seen, limited.ok) == ("limited", 13, True)
    assert limited.warnings == ("Stopped at the limit of 13 records.",)
    window = HarvestWindow.objects.get()
    assert (window.state, window.pages, window.seen) == ("open", 1, 10)
    assert not Watermark.objects.exists()

    assert harvest().line == "fake: seen 15, new 12, changed 0, unchanged 3, quarantined 0"
    assert len(things()) == 25


def test_an_unfinished_run_is_gone_on_with_and_a_finished_one_begun_again(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(60, days=3)
    last = DAY + 2 * ONE_DAY
    harvest(DAY, last, limit=35)
    arxiv_upstream.requests.clear()

    assert harvest(DAY, last).counts.new == 25
    assert [seen.params.get("from", "token") for seen in arxiv_upstream.requests] == ["token", days(DAY, 3)[2], "token"]

    assert harvest(DAY, last).line == "fake: seen 60, new 0, changed 0, unchanged 60, quarantined 0"
    first, second = HarvestRun.objects.order_by("pk")[:2]
    assert first.pass_started_at == second.pass_started_at


def test_restart_begins_anew(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(25)
    harvest(limit=10)

    assert harvest(restart=True).line == "fake: seen 25, new 15, changed 0, unchanged 10, quarantined 0"
    assert HarvestWindow.objects.get().attempt == 2


def test_an_interrupted_run_is_told_from_a_killed_one(harvest, arxiv_upstream):
    now = timezone.now()
    killed = HarvestRun.objects.create(source="fake", kind="network", pass_started_at=now, started_at=now)

    harvest()

    killed.refresh_from_db()
    assert (killed.outcome, killed.message) == ("interrupted", "The process ended without a word.")
    assert killed.ended_at is not None


def test_sets_have_watermarks_of_their_own(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(6, categories=("math.CO", "cs.AI"))

    assert harvest(set_spec="cs").counts.new == 3
    assert harvest(set_spec="cs:cs:AI").counts.unchanged == 3
    assert sorted(Watermark.objects.values_list("set_spec", "day")) == [("cs", DAY), ("cs:cs:AI", DAY)]


def test_a_day_beyond_a_gap_leaves_the_watermark_where_it_is(harvest):
    Watermark.objects.create(source="fake", day=DAY)
    later = DAY + 3 * ONE_DAY

    assert harvest(later, later).ok
    assert Watermark.objects.get().day == DAY
    assert harvest(DAY + ONE_DAY, DAY + 2 * ONE_DAY).ok
    assert Watermark.objects.get().day == later


def test_a_stopped_window_holds_the_watermark_until_it_is_done(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(9, days=3)
    arxiv_upstream.faults.append(faults.status(500, on=faults.mentions(str(DAY + ONE_DAY)), times=3))

    assert not harvest(None, None).ok
    assert Watermark.objects.get().day == DAY
    assert harvest(None, None).counts.new == 3
    assert Watermark.objects.get().day == TODAY - ONE_DAY


@pytest.mark.parametrize(
    ("first", "last", "message"),
    [
        (DAY, TODAY, r"2025-06-10 is not over yet: the last day that can be harvested is 2025-06-09 \(UTC\)."),
        (DAY, DAY - ONE_DAY, r"The first day \(2025-06-02\) is after the last \(2025-06-01\)."),
        (dt.date(2024, 1, 1), DAY, "fake begins on 2025-06-01: ask for that day or a later one."),
    ],
)
def test_days_that_make_no_sense_are_refused(harvest, arxiv_upstream, first, last, message):
    with pytest.raises(BadRange, match=message):
        harvest(first, last)
    assert arxiv_upstream.requests == []
    assert not HarvestRun.objects.exists()


def test_a_window_left_behind_the_watermark_is_taken_up_after_the_new_days(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(25)
    assert harvest(None, None).ok
    arxiv_upstream.faults.append(faults.status(500, on=faults.continuing, times=3))
    assert not harvest(restart=True).ok
    assert Watermark.objects.get().day == TODAY - ONE_DAY
    arxiv_upstream.requests.clear()

    assert harvest(None, None).counts.unchanged == 15

    last_two = days(TODAY - 2 * ONE_DAY, 2)
    assert [seen.params.get("from", "token") for seen in arxiv_upstream.requests] == [*last_two, "token", "token"]
    assert set(HarvestWindow.objects.values_list("state", flat=True)) == {"done"}
