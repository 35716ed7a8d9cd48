"""Each way in which a source is known to fail, and exactly what then happens."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from django.utils import timezone

from tests.upstreams import faults
from tests.upstreams.catalogue import Author, invented_papers
from tests.wovepaper.harvest.conftest import DAY
from tests.wovepaper.harvest.fakes import things
from wovepaper.harvest.models import HarvestRun, HarvestWindow, QuarantinedRecord, RawPage, SourceState, Watermark
from wovepaper.harvest.reporter import SilentReporter

LINE = "fake: seen {}, new {}, changed 0, unchanged {}, quarantined {}"


@pytest.fixture(autouse=True)
def _papers(arxiv_upstream):
    arxiv_upstream.papers = invented_papers(25)


class Waits(SilentReporter):
    """Notes for how many seconds a run means to wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def waiting(self, seconds: float, reason: str) -> None:
        self.seconds.append(seconds)


def window():
    return HarvestWindow.objects.get()


def stopped_with(summary, reason):
    """The run failed, its window says why, and the watermark was left alone."""
    assert summary.outcome == "failed"
    assert summary.problems == (f"fake arXiv {DAY}: {reason}",)
    assert (window().state, window().reason) == ("stopped", reason)
    assert not Watermark.objects.exists()


# --- tokens --------------------------------------------------------------------------------------------------


def test_an_expired_token_begins_the_window_again(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.expired_token(on=faults.mentions("skip%3D20")))

    summary = harvest()

    assert summary.line == LINE.format(45, 25, 20, 0)
    assert summary.ok
    assert (window().state, window().attempt, window().pages, window().seen) == ("done", 2, 3, 25)
    assert Watermark.objects.get().day == DAY


def test_a_cursor_that_always_dies_late_stops_its_window_from_the_start(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(60)
    arxiv_upstream.faults.append(faults.expired_token(on=faults.mentions("skip%3D50"), times=None))

    summary = harvest()

    stopped_with(
        summary,
        "Its token expired 3 times, last after 5 pages: The resumptionToken supplied has expired",
    )
    assert len(things()) == 50
    assert (window().next_token, window().pages) == ("", 0)
    arxiv_upstream.faults.clear()
    assert harvest().line == LINE.format(60, 10, 50, 0)
    assert window().state == "done"


def test_a_classic_token_the_server_forgot_begins_the_window_again(harvest, arxiv_upstream):
    arxiv_upstream.flavour = "classic"
    harvest(limit=10)
    arxiv_upstream._lists.clear()

    summary = harvest()

    assert summary.ok
    assert summary.line == LINE.format(25, 15, 10, 0)


def test_an_old_checkpoint_is_not_trusted(harvest, arxiv_upstream):
    harvest(limit=10)
    HarvestWindow.objects.update(checkpoint_at=timezone.now() - dt.timedelta(hours=21))

    assert harvest().line == LINE.format(25, 15, 10, 0)
    assert window().attempt == 2


def test_the_same_page_for_ever_is_noticed_whatever_its_token(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.same_page_for_ever())

    summary = harvest()

    stopped_with(summary, "Page 3 has the same records as page 2: the source goes round in circles.")
    assert summary.counts.seen == 20
    assert len(arxiv_upstream.requests) == 3
    assert RawPage.objects.exclude(refused_because="").get().number == 3


def test_a_page_that_names_its_own_token_is_taken_in_and_the_window_stops(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.own_token_for_ever())

    summary = harvest()

    stopped_with(summary, "Page 2 names its own token as the next one.")
    assert summary.counts.new == 20
    assert window().next_token == ""


def test_tokens_that_go_round_in_circles_stop_the_window(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(60)
    arxiv_upstream.faults.append(faults.looping_tokens(back_to_after=3))

    summary = harvest()

    stopped_with(summary, "Page 4 names the same next token as page 1: the tokens go round in circles.")
    assert summary.counts.new == 40
    assert len(arxiv_upstream.requests) == 4


# --- what is not XML, or not all of it -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        faults.truncated_xml,
        faults.html_with_200,
        faults.empty_object,
        faults.empty_body,
        faults.broken_off,
        faults.packed_and_cut,
    ],
    ids=lambda fault: fault.__name__,
)
def test_a_spoilt_answer_is_asked_for_again(harvest, arxiv_upstream, fault):
    arxiv_upstream.faults.append(fault(on=faults.continuing))

    summary = harvest()

    assert summary.ok
    assert summary.line == LINE.format(25, 25, 0, 0)
    assert len(arxiv_upstream.requests) == 4
    assert [page.number for page in RawPage.objects.order_by("number")] == [1, 2, 3]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (faults.truncated_xml, "page 2: This is no XML: "),
        (faults.html_with_200, "page 2: This is no XML: "),
        (faults.empty_object, "page 2: This is no XML: "),
        (faults.empty_body, "page 2: This is no XML: "),
        (faults.garbage_after_xml, "page 2: This is no XML: Extra content at the end of the document"),
    ],
)
def test_an_answer_that_stays_spoilt_stops_the_window_at_its_checkpoint(harvest, arxiv_upstream, fault, reason):
    arxiv_upstream.faults.append(fault(on=faults.continuing, times=None))

    summary = harvest()

    stopped_with(summary, window().reason)
    assert window().reason.startswith(reason)
    assert summary.counts.new == 10
    assert len(arxiv_upstream.requests) == 4
    assert window().pages == 1
    evidence = RawPage.objects.exclude(refused_because="").get()
    assert (evidence.number, evidence.record_count) == (2, 0)

    arxiv_upstream.faults.clear()
    assert harvest().line == LINE.format(15, 15, 0, 0)
    assert (window().state, window().attempt, window().reason) == ("done", 1, "")
    assert Watermark.objects.get().day == DAY


# --- status --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_a_passing_error_is_waited_out(harvest, arxiv_upstream, code):
    arxiv_upstream.faults.append(faults.status(code, on=faults.continuing, times=2))

    summary = harvest()

    assert summary.ok
    assert summary.line == LINE.format(25, 25, 0, 0)
    assert len(arxiv_upstream.requests) == 5


@pytest.mark.parametrize("as_date", [False, True])
@pytest.mark.parametrize("code", [429, 503])
def test_a_short_retry_after_is_obeyed(harvest, arxiv_upstream, code, as_date):
    # An HTTP date has whole seconds: two from now are at least one.
    arxiv_upstream.faults.append(
        faults.status(code, on=faults.continuing, retry_after=2 if as_date else 1, as_date=as_date)
    )

    reporter = Waits()

    assert harvest(reporter=reporter).ok
    (asked,) = reporter.seconds
    assert 0 < asked <= 2 if as_date else asked == 1
    refused, again = arxiv_upstream.requests[1:3]
    assert again.at - refused.at >= asked


@pytest.mark.parametrize("as_date", [False, True])
def test_a_long_retry_after_postpones_the_run(harvest, arxiv_upstream, as_date):
    arxiv_upstream.faults.append(
        faults.status(429, on=faults.continuing, retry_after=54_000, as_date=as_date, times=None)
    )
    before = timezone.now()

    summary = harvest()

    until = SourceState.objects.get().not_before
    assert abs((until - before).total_seconds() - 54_000) < 10
    assert summary.outcome == "postponed"
    assert summary.problems[0].startswith("127.0.0.1 answered with status 429 Too Many Requests. It asks for a pause")
    assert f"{until:%Y-%m-%d %H:%M}" in summary.problems[0]
    assert len(arxiv_upstream.requests) == 2
    assert (window().state, window().pages) == ("open", 1)


def test_a_postponed_source_is_not_asked_before_its_time(harvest, arxiv_upstream):
    from wovepaper.harvest.errors import SourcePostponed

    SourceState.objects.create(name="fake", not_before=timezone.now() + dt.timedelta(hours=2))
    with pytest.raises(SourcePostponed, match="is not to be asked again before"):
        harvest()
    assert arxiv_upstream.requests == []
    SourceState.objects.update(not_before=timezone.now() - dt.timedelta(seconds=1))
    assert harvest().ok
    assert SourceState.objects.get().not_before is None


def test_a_host_that_stays_busy_ends_the_run(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.status(503, times=None))

    summary = harvest(last_day=DAY + dt.timedelta(days=3))

    assert summary.outcome == "failed"
    assert summary.problems == (f"fake arXiv {DAY}, page 1: 127.0.0.1 answered with status 503 Service Unavailable.",)
    assert len(arxiv_upstream.requests) == 3


def test_a_host_that_is_not_there_ends_the_run(harvest, arxiv_upstream, source):
    source.url = "http://127.0.0.1:1/oai"

    summary = harvest()

    assert summary.outcome == "failed"
    assert summary.problems[0].startswith(f"fake arXiv {DAY}, page 1: 127.0.0.1:1 cannot be reached")


def test_a_record_the_server_chokes_on_stops_its_window_and_not_the_others(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(60, days=3)
    bad = arxiv_upstream.papers[35]
    arxiv_upstream.faults.append(faults.internal_error_on_record(bad.oai_id))

    summary = harvest(last_day=DAY + dt.timedelta(days=2))

    assert summary.outcome == "failed"
    assert summary.problems == (
        "fake arXiv 2025-06-03: page 2: 127.0.0.1 answered with status 500 Internal Server Error.",
    )
    assert len(things()) == 50
    states = HarvestWindow.objects.order_by("first_day").values_list("state", "pages")
    assert list(states) == [("done", 2), ("stopped", 1), ("done", 2)]
    assert Watermark.objects.get().day == DAY

    arxiv_upstream.faults.clear()
    arxiv_upstream.requests.clear()
    assert harvest(last_day=DAY + dt.timedelta(days=2)).line == LINE.format(10, 10, 0, 0)
    assert len(arxiv_upstream.requests) == 1
    assert Watermark.objects.get().day == DAY + dt.timedelta(days=2)


def test_after_three_windows_in_a_row_the_run_gives_up(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.status(500, times=None))

    summary = harvest(last_day=DAY + dt.timedelta(days=6))

    assert summary.problems[-1] == "3 windows stopped one after another; the run ends."
    assert len(summary.problems) == 4
    assert HarvestWindow.objects.count() == 3


# --- lists ---------------------------------------------------------------------------------------------------


def test_an_empty_page_in_the_middle_is_passed_over(harvest, arxiv_upstream):
    arxiv_upstream.flavour = "classic"
    arxiv_upstream.faults.append(faults.empty_page())

    summary = harvest()

    assert summary.ok
    assert summary.line == LINE.format(15, 15, 0, 0)
    assert summary.warnings == (f"fake arXiv {DAY}: the source announced 25 records and delivered 15.",)


def test_empty_pages_without_end_stop_the_window(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(120)
    arxiv_upstream.faults.append(faults.empty_page(times=None))

    stopped_with(harvest(), "6 empty pages in a row, and no end.")


def test_records_delivered_twice_count_once_as_new(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.delivered_twice())

    assert harvest().line == LINE.format(50, 25, 25, 0)
    assert len(things()) == 25


def test_the_order_of_records_makes_no_difference(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.out_of_order())

    assert harvest().line == LINE.format(25, 25, 0, 0)
    assert things() == [("arXiv", paper.oai_id) for paper in arxiv_upstream.papers]


def test_records_that_shift_while_they_are_read_are_caught_by_the_overlap(harvest, arxiv_upstream):
    """The token is an offset: a record that leaves its day moves the rest up, and one is skipped."""
    harvest(limit=10)
    moved = replace(arxiv_upstream.papers[0], datestamp=DAY + dt.timedelta(days=5))
    arxiv_upstream.papers = [*arxiv_upstream.papers[1:], moved]
    assert harvest().counts.new == 14

    summary = harvest(first_day=None, last_day=None)

    assert summary.counts.new == 1
    assert summary.counts.changed == 1
    assert len(things()) == 25


def test_a_feed_that_goes_stale_is_said_so(harvest, arxiv_upstream):
    summary = harvest(last_day=DAY + dt.timedelta(days=7))

    assert summary.ok
    assert summary.warnings == (
        "fake is harvested up to 2025-06-09, but the last day with anything new is 2025-06-02: is its feed stale?",
    )


def test_a_fresh_feed_gives_no_warning(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(24, days=8)

    assert harvest(last_day=DAY + dt.timedelta(days=7)).warnings == ()


# --- the volume brake ----------------------------------------------------------------------------------------


def test_a_page_of_rubbish_is_taken_back(harvest, arxiv_upstream):
    arxiv_upstream.page_size = 25
    arxiv_upstream.faults.append(faults.damaged_records(13))

    stopped_with(harvest(), "13 of 25 records of the page were refused: the source's format may have changed.")
    assert things() == []
    assert not QuarantinedRecord.objects.exists()
    assert RawPage.objects.get().refused_because == window().reason
    arxiv_upstream.faults.clear()
    assert harvest().line == LINE.format(25, 25, 0, 0)


def test_half_a_page_of_rubbish_goes_into_quarantine(harvest, arxiv_upstream):
    arxiv_upstream.page_size = 24
    arxiv_upstream.papers = invented_papers(24)
    arxiv_upstream.faults.append(faults.damaged_records(12))

    assert harvest().line == LINE.format(24, 12, 0, 12)


def test_small_pages_of_rubbish_add_up(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.damaged_records(8))

    summary = harvest()

    stopped_with(summary, "16 of 20 records of the window were refused: the source's format may have changed.")
    assert summary.line == LINE.format(10, 2, 0, 8)


def test_a_field_that_is_suddenly_null_everywhere_stops_the_window(harvest, arxiv_upstream):
    arxiv_upstream.page_size = 30
    arxiv_upstream.papers = invented_papers(120, days=2)
    assert harvest().ok
    arxiv_upstream.faults.append(faults.field_vanishes("authors"))

    summary = harvest(last_day=DAY + dt.timedelta(days=1), restart=True)

    assert summary.problems == tuple(
        f"fake arXiv {day}: The field 'authors' is empty in all 30 records, and used to be filled."
        for day in ("2025-06-02", "2025-06-03")
    )
    assert len(things()) == 60
    assert Watermark.objects.get().day == DAY


def test_a_title_that_vanishes_refuses_every_record_and_so_stops_the_window(harvest, arxiv_upstream):
    arxiv_upstream.page_size = 25
    arxiv_upstream.faults.append(faults.field_vanishes("title"))

    stopped_with(harvest(), "25 of 25 records of the page were refused: the source's format may have changed.")


# --- addresses -----------------------------------------------------------------------------------------------


def test_a_redirect_on_the_same_host_is_followed(harvest, arxiv_upstream):
    moved = f"/oai?verb=ListRecords&metadataPrefix=arXiv&from={DAY}&until={DAY}"
    arxiv_upstream.faults.append(faults.redirect(moved))

    assert harvest().line == LINE.format(25, 25, 0, 0)
    assert HarvestRun.objects.get().requests == 4


def test_a_redirect_to_a_foreign_host_ends_the_run(harvest, arxiv_upstream, make_arxiv_upstream):
    foreign = make_arxiv_upstream()
    arxiv_upstream.faults.append(faults.redirect(foreign.url, times=None))

    summary = harvest()

    assert summary.outcome == "failed"
    assert "is not a host of this source (allowed: http://127.0.0.1:" in summary.problems[0]
    assert foreign.requests == []


def test_redirects_in_circles_stop_the_window(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.redirect_in_circles())

    stopped_with(harvest(), "page 1: 127.0.0.1 redirected more than 5 times in a row.")
    assert len(arxiv_upstream.requests) == 6


# --- records -------------------------------------------------------------------------------------------------


def test_records_with_three_thousand_authors_and_with_none(harvest, arxiv_upstream):
    crowd = tuple(Author(f"Name{number}", "A.") for number in range(3000))
    arxiv_upstream.papers = [
        replace(paper, authors=crowd if number == 0 else ()) for number, paper in enumerate(invented_papers(2))
    ]

    assert harvest().line == LINE.format(2, 2, 0, 0)


# --- bodies --------------------------------------------------------------------------------------------------


def test_packed_answers_are_unpacked(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.packed())

    assert harvest().line == LINE.format(25, 25, 0, 0)
    run = HarvestRun.objects.get()
    assert 0 < run.bytes_received < sum(RawPage.objects.values_list("size", flat=True)) / 2


def test_a_gzip_bomb_stops_the_window_without_being_unpacked(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.gzip_bomb(40 * 2**20))

    stopped_with(
        harvest(options={"max_unpacked": 2**20}), "page 1: The answer is larger than 1048576 bytes when unpacked."
    )
    assert len(arxiv_upstream.requests) == 1


def test_a_huge_answer_stops_the_window(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.huge_body(64 * 2**20))

    stopped_with(harvest(options={"max_packed": 2**20}), "page 1: The answer is larger than 1048576 bytes.")
    assert HarvestRun.objects.get().bytes_received < 2 * 2**20


def test_a_slow_answer_is_given_up_and_asked_for_again(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.slow_body(pieces=20, delay=0.1))

    assert harvest(options={"answer_timeout": 0.4}).ok
    assert len(arxiv_upstream.requests) == 4


def test_a_silent_answer_is_given_up_and_asked_for_again(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.slow_body(pieces=2, delay=0.8))

    assert harvest(options={"read_timeout": 0.3}).ok
    assert len(arxiv_upstream.requests) == 4


def test_a_packing_that_was_not_asked_for_stops_the_window(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.unknown_packing())

    stopped_with(harvest(), "page 1: The answer is packed with 'br', which was not asked for.")
