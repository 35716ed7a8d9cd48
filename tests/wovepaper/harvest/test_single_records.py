"""The way round a page that its server cannot serve."""

from __future__ import annotations

import pytest

from tests.upstreams import faults
from tests.upstreams.catalogue import invented_papers
from tests.wovepaper.harvest.conftest import DAY
from tests.wovepaper.harvest.fakes import FakeSink, FakeSourceOfSingles, things
from wovepaper.harvest import registry
from wovepaper.harvest.errors import HarvestInterrupted
from wovepaper.harvest.models import HarvestRun, HarvestWindow, QuarantinedRecord, RawPage, Watermark
from wovepaper.harvest.services import replay_pages

FAILURE = "page 2: 127.0.0.1 answered with status 500 Internal Server Error."


@pytest.fixture
def source(arxiv_upstream, fresh_registry, table):
    source = FakeSourceOfSingles(arxiv_upstream.url)
    registry.register(source, sink=FakeSink())
    return source


@pytest.fixture(autouse=True)
def bad(arxiv_upstream):
    arxiv_upstream.papers = invented_papers(25)
    bad = arxiv_upstream.papers[13].oai_id
    arxiv_upstream.faults.append(faults.internal_error_on_record(bad))
    return bad


def test_all_records_but_the_bad_one_are_taken_in(harvest, arxiv_upstream, bad):
    summary = harvest()

    assert summary.line == "fake: seen 25, new 24, changed 0, unchanged 0, quarantined 1"
    assert summary.ok
    assert summary.warnings == (
        f"fake arXiv {DAY}: {FAILURE} Its last 15 records were asked for one by one; 1 of them failed.",
    )
    row = QuarantinedRecord.objects.get()
    assert (row.external_id, row.damaged, row.payload) == (bad, True, b"")
    assert row.reason == (
        "The source cannot serve this record: 127.0.0.1 answered with status 500 Internal Server Error."
    )
    window = HarvestWindow.objects.get()
    assert (window.state, window.seen, window.quarantined, window.next_token) == ("done", 25, 1, "")
    assert Watermark.objects.get().day == DAY
    # One page, the bad one three times, three pages of ids, 14 records and the bad one three times.
    assert HarvestRun.objects.get().requests == 1 + 3 + 3 + 14 + 3
    assert replay_pages(name="fake").counts.unchanged == 24


def test_the_bad_record_leaves_the_quarantine_when_it_is_served(harvest, arxiv_upstream):
    harvest()
    arxiv_upstream.faults.clear()

    assert harvest().line == "fake: seen 25, new 1, changed 0, unchanged 24, quarantined 0"
    assert QuarantinedRecord.objects.get().resolved_at is not None


def test_an_interrupted_reading_goes_on_where_it_stopped(harvest, arxiv_upstream):
    class Interrupting:
        begin = waiting = step_done = page = lambda *_a, **_k: None

        def working_on(self, label):
            if label.endswith("record 9 of 15"):
                raise HarvestInterrupted("Enough.")

    assert harvest(reporter=Interrupting()).outcome == "interrupted"
    assert len(things()) == 17
    arxiv_upstream.requests.clear()

    assert harvest().line == "fake: seen 7, new 7, changed 0, unchanged 0, quarantined 0"
    singles = [seen for seen in arxiv_upstream.requests if seen.params["verb"] == "GetRecord"]
    assert len(singles) == 7
    window = HarvestWindow.objects.get()
    assert (window.state, window.seen, window.new, window.quarantined) == ("done", 25, 24, 1)
    assert RawPage.objects.taken().count() == 15


def test_a_server_that_fails_on_everything_stops_the_window(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.status(500, on=lambda seen: seen.params["verb"] == "GetRecord", times=None))

    summary = harvest()

    assert summary.outcome == "failed"
    assert summary.problems == (
        f"fake arXiv {DAY}: {FAILURE} Its records fail one by one as well: {FAILURE.removeprefix('page 2: ')}",
    )
    assert len(things()) == 10


def test_a_server_that_cannot_list_its_ids_stops_the_window(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(
        faults.status(502, on=lambda seen: seen.params["verb"] == "ListIdentifiers", times=None)
    )

    assert harvest().problems == (
        f"fake arXiv {DAY}: {FAILURE} Nor can its ids be listed: 127.0.0.1 answered with status 502 Bad Gateway.",
    )


def test_too_many_records_are_not_asked_for_one_by_one(harvest):
    assert harvest(options={"max_single_records": 14}).problems == (
        f"fake arXiv {DAY}: {FAILURE} Its 15 records are too many to be asked for one by one.",
    )


def test_a_merged_id_is_followed_to_where_it_redirects(harvest, arxiv_upstream):
    other = arxiv_upstream.papers[0].oai_id
    target = f"/oai?verb=GetRecord&metadataPrefix=arXiv&identifier={other}"
    arxiv_upstream.merged[arxiv_upstream.papers[20].oai_id] = target

    summary = harvest()

    assert summary.line == "fake: seen 25, new 23, changed 0, unchanged 1, quarantined 1"
    assert ("arXiv", arxiv_upstream.papers[20].oai_id) not in things()
