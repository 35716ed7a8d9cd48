"""From Crossref's API into the catalogue, with everything real but the network, and each fault that it is known for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from papers.models import Authorship, Paper, SourceRecord
from papers.sources.crossref.source import CrossrefSource
from tests.papers.services.state import fingerprint, row_versions
from tests.papers.sources.arxiv_documents import arxiv, list_records, oai_record
from tests.papers.sources.crossref_documents import person, work
from tests.upstreams import crossref, faults
from tests.upstreams.crossref import CrossrefUpstream
from wovepaper.harvest import hooks
from wovepaper.harvest.errors import BadSet
from wovepaper.harvest.models import HarvestWindow, QuarantinedRecord, RawPage, SourceState, Watermark
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.services import RunSummary, enrich_source, harvest_source, replay_pages

pytestmark = pytest.mark.django_db
DAY = dt.date(2025, 6, 2)
TODAY = dt.date(2025, 6, 10)
FAST = HarvestOptions(attempts=3, wait_initial=0.001, wait_max=0.002, wait_jitter=0.001)
LINE = "crossref: seen {}, new {}, changed 0, unchanged {}, quarantined {}"


@pytest.fixture
def upstream(monkeypatch, settings) -> Iterator[CrossrefUpstream]:
    """25 works of one day, ten to a page; no waiting, and the pipeline stays out of it."""
    monkeypatch.setattr(CrossrefSource, "host_interval", 0.0)
    monkeypatch.setattr(hooks, "_callbacks", [])
    with CrossrefUpstream(works(25)) as upstream:
        upstream.limit = "100000"
        settings.CROSSREF_API_URL = upstream.url
        settings.CONTACT_EMAIL = "loom@example.org"
        yield upstream


def works(number: int, day: dt.date = DAY, first: int = 1) -> list[dict[str, Any]]:
    return [
        work(
            DOI=f"10.5555/woven.{place}",
            title=[f"The woven lattice of order {place}"],
            indexed={"date-parts": [[day.year, day.month, day.day]], "date-time": f"{day}T05:06:07Z"},
        )
        for place in range(first, first + number)
    ]


def harvest(first_day: dt.date | None = DAY, last_day: dt.date | None = DAY, **changes: Any) -> RunSummary:
    options = replace(FAST, **changes.pop("options", {}))
    return harvest_source(
        name="crossref", first_day=first_day, last_day=last_day, options=options, today=TODAY, **changes
    )


def stopped_with(summary: RunSummary, reason: str) -> None:
    assert summary.outcome == "failed"
    assert summary.problems == (f"crossref work {DAY}: {reason}",)
    window = HarvestWindow.objects.get()
    assert (window.state, window.reason) == ("stopped", reason)
    assert not Watermark.objects.exists()


# --- what is asked for ---------------------------------------------------------------------------------------


def test_a_day_is_read_page_by_page_from_the_polite_pool(upstream):
    summary = harvest()

    assert summary.ok, summary.problems
    assert summary.line == LINE.format(25, 25, 0, 0)
    assert Paper.objects.count() == 25
    cursors = [seen.params.pop("cursor") for seen in upstream.requests]
    assert cursors[0] == "*"
    assert len(set(cursors[1:])) == 1  # Crossref's cursor is the same on every page
    assert len(cursors) == 4
    for seen in upstream.requests:
        assert seen.path == "/works"
        assert seen.params == {
            "filter": "from-index-date:2025-06-02,until-index-date:2025-06-02",
            "rows": "500",
            "mailto": "loom@example.org",
        }
        assert "mailto:loom@example.org" in seen.headers["user-agent"]
    assert Watermark.objects.get().day == DAY
    assert SourceState.objects.get(name="crossref").quota["x-rate-limit-interval"] == "1s"


def test_the_pace_that_the_headers_ask_for_is_kept(upstream):
    upstream.limit, upstream.interval = "10", "2s"

    assert harvest().ok
    assert len(upstream.requests) == 4
    # It is known once the first answer is there.
    assert min(later - earlier for earlier, later in pairwise(upstream.arrivals[1:])) >= 0.2


def test_a_list_of_one_page_is_one_request(upstream):
    upstream.works = works(3)

    assert harvest().line == LINE.format(3, 3, 0, 0)
    assert len(upstream.requests) == 1


def test_a_day_on_which_nothing_was_indexed_is_done(upstream):
    upstream.works = []

    assert harvest().line == LINE.format(0, 0, 0, 0)
    assert len(upstream.requests) == 1
    assert Watermark.objects.get().day == DAY


def test_a_set_is_a_filter_with_a_mark_of_its_own(upstream):
    upstream.works[0]["DOI"] = "10.6666/other"

    summary = harvest(set_spec="prefix:10.6666,type:journal-article")

    assert summary.line == LINE.format(1, 1, 0, 0)
    (seen,) = upstream.requests
    assert seen.params["filter"].endswith(",prefix:10.6666,type:journal-article")
    assert Watermark.objects.get().set_spec == "prefix:10.6666,type:journal-article"
    assert SourceRecord.objects.get().external_id == "10.6666/other"


def test_all_of_crossref_is_not_begun_by_accident(upstream):
    with pytest.raises(BadSet, match="170 million works"):
        harvest(None, None)
    with pytest.raises(CommandError, match=r"--set prefix:10\.1145"):
        call_command("harvest", "crossref")
    assert upstream.requests == []
    # Who began is followed.
    assert harvest().ok
    assert harvest(None, None).ok


def test_a_set_that_is_no_filter_is_refused_before_anything_is_asked(upstream):
    with pytest.raises(CommandError, match="'publisher' is not a filter that parts of Crossref can be chosen by"):
        call_command("harvest", "crossref", "--set", "publisher:ACM")
    assert upstream.requests == []


def test_a_filter_that_crossref_refuses_stops_the_window_with_its_words(upstream):
    summary = harvest(set_spec="has-abstract:true")

    (problem,) = summary.problems
    assert problem.endswith("Crossref refuses: Filter 'has-abstract' specified but there is no such filter.")
    assert len(upstream.requests) == 1


def test_what_was_read_is_unchanged_when_it_is_read_again(upstream):
    harvest()
    known, versions = fingerprint(), row_versions()

    assert harvest(restart=True).line == LINE.format(25, 0, 25, 0)
    assert (fingerprint(), row_versions()) == (known, versions)
    assert replay_pages(name="crossref").counts.unchanged == 50


# --- the cursor ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forgets_with", ["text", "exception"])
def test_a_cursor_that_died_begins_the_window_again(upstream, forgets_with):
    upstream.forgets_with = forgets_with
    harvest(limit=10)
    upstream.forget_lists()

    summary = harvest()

    assert summary.ok, summary.problems
    assert summary.line == LINE.format(25, 15, 10, 0)
    window = HarvestWindow.objects.get()
    assert (window.state, window.attempt, window.seen) == ("done", 2, 25)


def test_a_cursor_that_always_dies_late_stops_its_window(upstream):
    not_known = faults.Fault(
        lambda _seen, _reply: crossref.Reply(b"Resource not found.", 404, {}, "text/plain"),
        lambda seen: crossref.continuing(seen) and seen.number % 3 == 0,
    )
    upstream.faults.append(not_known)

    stopped_with(harvest(), "Its token expired 3 times, last after 2 pages: Crossref no longer knows the cursor.")
    assert Paper.objects.count() == 20


def test_a_page_lost_on_its_way_is_noticed_by_the_number_of_results(upstream):
    """Asking again gives the next page, for the list moved on when its answer broke off."""
    upstream.faults.append(faults.broken_off(on=crossref.page(2)))

    summary = harvest()

    assert summary.ok, summary.problems
    assert summary.line == LINE.format(40, 25, 15, 0)
    assert Paper.objects.count() == 25
    assert HarvestWindow.objects.get().attempt == 2


def test_a_list_that_always_ends_early_stops_its_window(upstream):
    upstream.faults.append(crossref.changed(lambda message: message.update({"total-results": 26})))

    stopped_with(harvest(), "It ended 3 times short of the 26 records that were announced, last after 25.")


def test_a_run_that_was_broken_off_between_a_page_and_its_cursor_loses_nothing(upstream, monkeypatch):
    harvest(limit=10)
    (cursor, (found, _)) = upstream._lists.popitem()
    upstream._lists[cursor] = (found, 20)  # the second page was sent, and never taken in

    assert harvest().counts.new == 15
    assert Paper.objects.count() == 25


def test_the_same_page_for_ever_is_noticed(upstream):
    upstream.faults.append(crossref.same_page_for_ever())

    stopped_with(harvest(), "Page 3 has the same records as page 2: the source goes round in circles.")
    assert len(upstream.requests) == 3


def test_an_empty_page_in_the_middle_is_not_taken_for_the_end(upstream):
    upstream.faults.append(crossref.changed(lambda message: message.update(items=[]), crossref.page(2), 1))

    assert harvest().line == LINE.format(35, 25, 10, 0)


# --- what is not an answer -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [crossref.cut, faults.html_with_200, faults.empty_object, faults.empty_body, faults.broken_off,
     faults.packed_and_cut],
    ids=lambda fault: fault.__name__,
)  # fmt: skip
def test_a_spoilt_answer_is_asked_for_again(upstream, fault):
    upstream.faults.append(fault(on=faults.always))

    assert harvest().line == LINE.format(25, 25, 0, 0)
    assert len(upstream.requests) == 5


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (crossref.cut, "page 1: The answer is not JSON ("),
        (faults.garbage_after_xml, "page 1: The answer is not JSON (Extra data"),
        (faults.html_with_200, "page 1: The answer is not JSON ("),
        (faults.empty_object, "page 1: The answer has no message, so it is none of Crossref's API."),
    ],
)
def test_an_answer_that_stays_spoilt_stops_the_window(upstream, fault, reason):
    upstream.faults.append(fault(times=None))

    summary = harvest()

    stopped_with(summary, HarvestWindow.objects.get().reason)
    assert HarvestWindow.objects.get().reason.startswith(reason)
    assert len(upstream.requests) == 3
    assert RawPage.objects.get().refused_because


def test_a_list_without_works_is_no_empty_list(upstream):
    upstream.faults.append(crossref.changed(lambda message: message.pop("items"), times=1))

    assert harvest().line == LINE.format(25, 25, 0, 0)


# --- status --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
@pytest.mark.parametrize("retry_after", [None, 0])
def test_a_passing_error_is_waited_out(upstream, code, retry_after):
    upstream.faults.append(faults.status(code, times=2, retry_after=retry_after))

    assert harvest().line == LINE.format(25, 25, 0, 0)
    assert len(upstream.requests) == 6


def test_an_error_in_the_middle_that_is_none_of_the_cursors_is_waited_out(upstream):
    upstream.faults.append(faults.status(500, on=crossref.continuing, times=2))

    assert harvest().line == LINE.format(25, 25, 0, 0)
    assert HarvestWindow.objects.get().attempt == 1


def test_a_retry_after_of_hours_is_not_slept_out(upstream):
    upstream.faults.append(faults.status(429, retry_after=54_000, times=None))

    summary = harvest()

    assert summary.outcome == "postponed"
    assert len(upstream.requests) == 1


def test_a_host_that_stays_busy_ends_the_run(upstream):
    upstream.faults.append(faults.status(503, times=None))

    summary = harvest()

    assert (summary.outcome, len(upstream.requests)) == ("failed", 3)
    assert summary.problems == (
        f"crossref work {DAY}, page 1: 127.0.0.1 answered with status 503 Service Unavailable.",
    )


def test_a_redirect_to_a_foreign_host_ends_the_run(upstream):
    with CrossrefUpstream() as foreign:
        upstream.faults.append(faults.redirect(foreign.url, times=None))

        assert "is not a host of this source" in harvest().problems[0]
        assert foreign.requests == []


# --- records -------------------------------------------------------------------------------------------------


def test_records_that_come_twice_or_in_another_order(upstream):
    upstream.works = [*reversed(upstream.works), *upstream.works[:5]]

    assert harvest().line == LINE.format(30, 25, 5, 0)
    assert Paper.objects.count() == 25


def test_a_work_with_three_thousand_authors_and_one_with_none(upstream):
    upstream.works = works(2)
    upstream.works[0]["author"] = [person(f"A{number}", "Vek") for number in range(3000)]
    del upstream.works[1]["author"]

    assert harvest().line == LINE.format(2, 2, 0, 0)
    assert Authorship.objects.count() == 3000


def test_a_bad_record_goes_into_quarantine_and_the_rest_is_taken(upstream):
    upstream.works[7]["title"] = []
    del upstream.works[3]["DOI"]
    upstream.works[3]["DOI"] = "not a DOI"

    assert harvest().line == LINE.format(25, 23, 0, 2)
    assert {row.reason for row in QuarantinedRecord.objects.all()} == {
        "The work has no title.",
        "'not a DOI' is not a DOI.",
    }


def test_a_field_that_is_suddenly_null_everywhere_stops_the_window(upstream):
    upstream.page_size = 30
    upstream.works = [*works(60), *works(30, DAY + dt.timedelta(days=1), first=100)]
    assert harvest().ok
    for each in upstream.works[60:]:
        each["author"] = None

    summary = harvest(DAY + dt.timedelta(days=1), DAY + dt.timedelta(days=1))

    assert "is empty in all 30 records, and used to be filled." in summary.problems[0]
    assert Paper.objects.count() == 60


def test_a_feed_that_goes_stale_is_said_so(upstream):
    summary = harvest(last_day=DAY + dt.timedelta(days=7))

    assert summary.ok
    assert "is its feed stale?" in summary.warnings[0]


# --- look-ups ------------------------------------------------------------------------------------------------


def test_papers_that_are_here_are_looked_up_by_their_dois(upstream, tmp_path):
    """In one request; arXiv's own DOIs are not Crossref's, and what is not known is not asked for again at once."""
    records = [
        oai_record(arxiv(identifier=name, title=title, more=f"<doi>{doi}</doi>"), identifier=name)
        for name, title, doi in (
            ("2401.00001", "A preprint", "10.5555/woven.7"),
            ("2401.00002", "Another one", "10.48550/arXiv.2401.00002"),
            ("2401.00003", "A third one", "10.6666/elsewhere"),
        )
    ]
    path = tmp_path / "arxiv.xml"
    path.write_bytes(list_records(*records))
    call_command("harvest", "arxiv", "--file", str(path))

    summary = enrich_source(name="crossref", options=FAST)

    assert summary.ok, summary.problems
    assert (summary.counts.new, summary.counts.changed) == (1, 0)
    (seen,) = upstream.requests
    assert set(seen.params["filter"].split(",")) == {"doi:10.5555/woven.7", "doi:10.6666/elsewhere"}
    paper = Paper.objects.get(doi="10.5555/woven.7")
    assert (paper.arxiv_id, paper.title, paper.venue) == ("2401.00001", "A preprint", "Journal of Invented Research")
    assert enrich_source(name="crossref", options=FAST).ok
    assert len(upstream.requests) == 1
