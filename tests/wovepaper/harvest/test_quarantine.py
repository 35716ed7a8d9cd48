"""Records that cannot be used, and what becomes of them; replays."""

from __future__ import annotations

import datetime as dt

import pytest
import zstandard
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.upstreams import faults
from tests.upstreams.catalogue import invented_papers
from tests.wovepaper.harvest.fakes import FakeSource, things
from wovepaper.harvest.contracts import DamagedRecord, Page, RawRecord, RecordRefused
from wovepaper.harvest.models import HarvestRun, QuarantinedRecord, RawPage
from wovepaper.harvest.services import pause_source, raw, replay_pages, replay_quarantined


@pytest.fixture(autouse=True)
def _papers(arxiv_upstream):
    arxiv_upstream.papers = invented_papers(5)


@pytest.fixture
def picky(monkeypatch):
    """A parser with a fault: it refuses titles that end with 3."""
    good = FakeSource.parse

    def parse(self, record):
        thing = good(self, record)
        if thing.title.endswith("3"):
            raise RecordRefused("I do not like 3.")
        return thing

    monkeypatch.setattr(FakeSource, "parse", parse)
    return lambda: monkeypatch.setattr(FakeSource, "parse", good)


def row():
    return QuarantinedRecord.objects.get()


def test_a_refused_record_keeps_its_content_and_reason(harvest, arxiv_upstream, picky):
    assert harvest().line == "fake: seen 5, new 4, changed 0, unchanged 0, quarantined 1"

    assert (row().external_id, row().format, row().stamp) == ("oai:arXiv.org:2506.00003", "arXiv", "2025-06-02")
    assert (row().reason, row().attempts, row().damaged) == ("I do not like 3.", 1, False)
    assert b"number 3" in row().payload
    assert row().raw_page == RawPage.objects.get()


def test_the_same_refused_record_has_one_row(harvest, picky):
    harvest()
    first = row()
    harvest()

    assert row().pk == first.pk
    assert (row().attempts, row().first_seen_at) == (2, first.first_seen_at)
    assert row().last_seen_at > first.last_seen_at


def test_a_record_that_can_be_used_at_last_leaves_the_quarantine(harvest, picky):
    harvest()
    picky()

    assert harvest().line == "fake: seen 5, new 1, changed 0, unchanged 4, quarantined 0"
    assert row().resolved_at is not None
    assert not QuarantinedRecord.objects.unresolved().exists()


def test_a_record_that_is_refused_again_comes_back(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.damaged_records(1, times=1))
    harvest()
    harvest()
    assert row().resolved_at is not None
    arxiv_upstream.faults[:] = [faults.damaged_records(1)]
    harvest()

    assert (row().resolved_at, row().attempts) == (None, 3)


def test_the_sink_may_refuse_as_well(harvest, sink):
    sink.refuses = {"oai:arXiv.org:2506.00002"}

    assert harvest().line == "fake: seen 5, new 4, changed 0, unchanged 0, quarantined 1"
    assert row().reason == "The sink does not want it."


def test_ids_that_no_database_takes_are_made_harmless(source, harvest, monkeypatch):
    def read_page(self, body, *, stream):
        nasty = DamagedRecord("a\x00" + "b" * 400, "x", b"\x00\xff", "bad\x00")
        return Page((), (nasty, DamagedRecord("", "x", b"1", "r"), DamagedRecord("", "x", b"1", "r")))

    monkeypatch.setattr(FakeSource, "read_page", read_page)

    assert harvest().counts.quarantined == 3
    named, piece = QuarantinedRecord.objects.order_by("-external_id")
    assert named.external_id == "a\ufffd" + "b" * 253
    assert (named.payload, named.reason, piece.payload) == (b"\x00\xff", "bad\ufffd", b"1")


def test_quarantine_costs_the_same_queries_for_one_and_for_many(harvest, arxiv_upstream):
    def queries(damaged):
        arxiv_upstream.papers = invented_papers(9)
        arxiv_upstream.faults[:] = [faults.damaged_records(damaged)]
        QuarantinedRecord.objects.all().delete()
        with CaptureQueriesContext(connection) as captured:
            harvest(restart=True)
        return sum("harvest_quarantinedrecord" in query["sql"] for query in captured)

    harvest()
    assert queries(1) == queries(4) == queries(8)


# --- replay --------------------------------------------------------------------------------------------------


def test_replay_parses_stored_answers_without_the_network(harvest, arxiv_upstream, picky):
    harvest()
    picky()
    asked = len(arxiv_upstream.requests)

    summary = replay_pages(name="fake")

    assert summary.line == "fake: seen 5, new 1, changed 0, unchanged 4, quarantined 0"
    assert summary.ok
    assert len(arxiv_upstream.requests) == asked
    assert row().resolved_at is not None
    assert HarvestRun.objects.latest("pk").kind == "replay"


def test_replay_of_the_quarantine_tries_only_that(harvest, picky):
    harvest()
    assert replay_quarantined(name="fake").line == "fake: seen 1, new 0, changed 0, unchanged 0, quarantined 1"
    assert row().attempts == 2
    picky()

    assert replay_quarantined(name="fake").line == "fake: seen 1, new 1, changed 0, unchanged 0, quarantined 0"
    assert row().resolved_at is not None
    assert len(things()) == 5
    assert replay_quarantined(name="fake").counts.seen == 0


def test_replay_of_chosen_records(harvest, sink):
    sink.refuses = {"oai:arXiv.org:2506.00002", "oai:arXiv.org:2506.00004"}
    harvest()
    sink.refuses.clear()
    chosen = QuarantinedRecord.objects.get(external_id="oai:arXiv.org:2506.00004")

    assert replay_quarantined(name="fake", ids=[chosen.pk]).counts.new == 1
    assert QuarantinedRecord.objects.unresolved().get().external_id == "oai:arXiv.org:2506.00002"


def test_a_damaged_piece_is_let_go_when_its_page_is_read_better(harvest, arxiv_upstream, monkeypatch):
    arxiv_upstream.faults.append(faults.damaged_records(1))
    harvest()
    good = FakeSource.read_page

    def better(self, body, *, stream):
        page = good(self, body, stream=stream)
        saved = tuple(RawRecord(each.external_id, stream, "", each.payload) for each in page.damaged)
        return Page(page.records + saved)

    monkeypatch.setattr(FakeSource, "read_page", better)
    monkeypatch.setattr(FakeSource, "parse", lambda _self, record: record.external_id)

    assert replay_quarantined(name="fake").line == "fake: seen 5, new 1, changed 0, unchanged 4, quarantined 0"
    assert not QuarantinedRecord.objects.unresolved().exists()


def test_a_stored_page_that_can_no_longer_be_read_is_a_problem(harvest):
    harvest()
    page = RawPage.objects.get()
    RawPage.objects.update(body_zstd=zstandard.compress(b"<html>"))

    summary = replay_pages(name="fake")

    assert summary.outcome == "failed"
    assert summary.problems[0].startswith(f"The stored page {page.pk} cannot be read: This is no XML")


def test_replay_runs_while_the_source_is_paused(harvest):
    harvest()
    pause_source(name="fake")

    assert replay_pages(name="fake").counts.unchanged == 5


def test_damaged_pieces_whose_page_is_gone_are_counted(harvest, arxiv_upstream):
    arxiv_upstream.faults.append(faults.damaged_records(2))
    harvest()
    RawPage.objects.all().delete()

    assert replay_quarantined(name="fake").warnings == (
        "2 damaged pieces cannot be tried again: their pages are no longer kept.",
    )


def test_records_of_a_file_survive_packing():
    page = Page(
        (
            RawRecord("a", "line", "2025", '{"a": "é\u2028"}\r\n'.encode()),
            RawRecord("b", "line", "", b"\xff\x00\n"),
        ),
        (DamagedRecord("", "line", b"\n\n", "why\n"),),
    )
    assert raw.unpack(raw.pack(page)) == page
    assert raw.unpack(raw.pack(Page(()))) == Page(())


def test_old_states_do_not_replace_new_ones_in_a_replay(harvest, arxiv_upstream):
    from dataclasses import replace

    harvest()
    first = arxiv_upstream.papers[0]
    later = replace(first, title="A better title", datestamp=first.datestamp + dt.timedelta(days=1))
    arxiv_upstream.papers[0] = later
    assert harvest(later.datestamp, later.datestamp).counts.changed == 1

    assert replay_pages(name="fake").line == "fake: seen 6, new 0, changed 0, unchanged 6, quarantined 0"
