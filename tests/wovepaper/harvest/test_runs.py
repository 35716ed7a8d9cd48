"""One run at a time, pauses, what is called at the end, and the overview."""

from __future__ import annotations

import datetime as dt
import os
import signal
import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.upstreams import faults
from tests.upstreams.catalogue import invented_papers
from tests.upstreams.web import Fault
from tests.wovepaper.harvest.conftest import DAY, TODAY
from wovepaper.harvest import hooks
from wovepaper.harvest.errors import SourceBusy, SourcePaused
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import HarvestRun, HarvestWindow, RawPage
from wovepaper.harvest.services import pause_source, purge_raw_pages, resume_source, source_overview
from wovepaper.harvest.services.runs import source_lock


@pytest.fixture
def finished(request):
    told = []
    hooks.on_run_finished(told.append)
    yield told
    hooks.forget(told.append)


@pytest.mark.django_db(transaction=True)
def test_a_second_run_of_a_source_says_that_it_is_busy():
    held, release = threading.Event(), threading.Event()

    def hold():
        with source_lock("fake"):
            held.set()
            release.wait(10)
        connection.close()

    other = threading.Thread(target=hold)
    other.start()
    try:
        assert held.wait(10)
        with pytest.raises(SourceBusy, match="fake is being harvested by another process"), source_lock("fake"):
            pass
        with source_lock("another"):
            pass
    finally:
        release.set()
        other.join()
    with source_lock("fake"):
        pass


def test_a_paused_source_takes_nothing_in(harvest, arxiv_upstream):
    pause_source(name="fake", reason="the feed is odd")
    with pytest.raises(SourcePaused, match=r"fake is paused \(the feed is odd\): resume it"):
        harvest()
    assert arxiv_upstream.requests == []
    resume_source(name="fake")
    assert harvest().ok


def test_a_pause_ends_a_run_at_its_next_page(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(25)

    def pause_after_the_first(page_counts):
        pause_source(name="fake")

    class Pausing:
        begin = working_on = waiting = lambda *_a, **_k: None
        step_done = lambda *_a: None  # noqa: E731
        page = staticmethod(pause_after_the_first)

    summary = harvest(reporter=Pausing())

    assert (summary.outcome, summary.problems) == ("interrupted", ("fake was paused.",))
    assert summary.counts.seen == 10


def test_whoever_registered_is_told_when_a_run_ends(harvest, arxiv_upstream, finished):
    arxiv_upstream.papers = invented_papers(3)
    harvest()
    arxiv_upstream.faults.append(faults.status(404, times=None))
    harvest()

    runs = list(HarvestRun.objects.order_by("pk").values_list("pk", flat=True))
    assert [(each.run_id, each.source, each.outcome, each.counts.new) for each in finished] == [
        (runs[0], "fake", "completed", 3),
        (runs[1], "fake", "failed", 0),
    ]


def test_a_callback_that_fails_does_not_fail_the_harvest(harvest, caplog):
    def fail(_finished):
        raise ValueError("not today")

    hooks.on_run_finished(fail)
    try:
        assert harvest().ok
    finally:
        hooks.forget(fail)
    assert "A callback after the harvest of fake failed." in caplog.text


def test_a_signal_stops_at_the_page_boundary(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(25)
    interruption = Interruption()

    class Interrupting:
        begin = working_on = waiting = step_done = lambda *_a, **_k: None

        def page(self, _counts):
            os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    with interruption.listening():
        summary = harvest(reporter=Interrupting(), interruption=interruption)

    assert signal.getsignal(signal.SIGTERM) == before
    assert summary.outcome == "interrupted"
    assert summary.problems == ("Interrupted; everything up to the last page is kept.",)
    assert summary.counts.seen == 10
    assert HarvestWindow.objects.get().pages == 1


def test_a_signal_ends_a_wait_for_the_network_at_once(harvest, arxiv_upstream):
    def kill(_seen, reply):
        threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGINT]).start()
        return faults.slow_body(pieces=50, delay=0.1).spoil(_seen, reply)

    arxiv_upstream.papers = invented_papers(25)
    arxiv_upstream.faults.append(Fault(kill, faults.continuing))
    interruption = Interruption()

    with interruption.listening():
        summary = harvest(interruption=interruption)

    assert summary.outcome == "interrupted"
    assert summary.counts.seen == 10
    arxiv_upstream.faults.clear()
    assert harvest().counts.new == 15


def test_the_overview_tells_how_a_source_does(harvest, arxiv_upstream, source):
    def quota(_seen, reply):
        answer = reply()
        answer.headers["X-RateLimit-Remaining"] = "41"
        return answer

    arxiv_upstream.papers = invented_papers(3)
    arxiv_upstream.faults += [Fault(quota), faults.damaged_records(1)]
    harvest()

    with CaptureQueriesContext(
        connection,
    ) as queries:
        (overview,) = source_overview(today=TODAY)

    assert (overview.name, overview.registered, overview.paused_at) == ("fake", True, None)
    assert (overview.watermark, overview.lag_days) == (DAY, 7)
    assert (overview.quarantined, overview.stopped_windows) == (1, 0)
    assert dict(overview.quota) == {"x-ratelimit-remaining": "41"}
    assert overview.last_run.outcome == "completed"
    assert overview.last_success_at == overview.last_run.ended_at
    assert overview.warning == ""
    assert len(queries) <= 9


def test_the_overview_warns_of_a_stale_feed(harvest, arxiv_upstream):
    arxiv_upstream.papers = invented_papers(3)
    harvest(DAY, TODAY - dt.timedelta(days=1))

    assert "is its feed stale?" in source_overview(today=TODAY)[0].warning


def test_a_source_never_harvested_is_in_the_overview(source):
    (overview,) = source_overview(today=TODAY)
    assert (overview.watermark, overview.lag_days, overview.last_run) == (None, None, None)


def test_old_raw_pages_go_but_not_those_still_needed(harvest, arxiv_upstream, fast):
    arxiv_upstream.papers = invented_papers(30)
    arxiv_upstream.faults.append(faults.damaged_records(1, on=faults.mentions("skip%3D10")))
    harvest()
    old = dt.datetime.now(dt.UTC) - dt.timedelta(days=91)
    RawPage.objects.filter(number__in=(1, 2)).update(fetched_at=old)

    assert purge_raw_pages(source="another", options=fast) == 0
    assert purge_raw_pages(source="fake", options=fast) == 1
    assert sorted(RawPage.objects.values_list("number", flat=True)) == [2, 3]
