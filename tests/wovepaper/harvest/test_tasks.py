from __future__ import annotations

import datetime as dt

import pytest
from celery.exceptions import Retry
from django.utils import timezone

from tests.upstreams import faults
from tests.upstreams.catalogue import invented_papers
from wovepaper.harvest import tasks
from wovepaper.harvest.errors import SourceBusy
from wovepaper.harvest.models import SourceState, Watermark
from wovepaper.harvest.services import pause_source


@pytest.fixture(autouse=True)
def _nearly_done(source, arxiv_upstream):
    """Harvested up to three days ago."""
    today = timezone.now().date()
    Watermark.objects.create(source="fake", day=today - dt.timedelta(days=3))
    arxiv_upstream.papers = invented_papers(4, first_day=today - dt.timedelta(days=2), days=2)


@pytest.fixture
def queued(monkeypatch):
    names = []
    monkeypatch.setattr(tasks.harvest_source, "delay", names.append)
    return names


def test_the_task_harvests_up_to_yesterday():
    assert tasks.harvest_source("fake") == "fake: seen 4, new 4, changed 0, unchanged 0, quarantined 0"
    assert Watermark.objects.get().day == timezone.now().date() - dt.timedelta(days=1)


def test_a_source_that_may_not_run_now_is_no_error():
    pause_source(name="fake")
    assert tasks.harvest_source("fake") == "fake is paused: resume it in the admin first."


def test_a_source_that_is_busy_is_harvested_a_little_later(monkeypatch):
    def busy(*, name):
        raise SourceBusy(f"{name} is being harvested by another process: wait for it to end.")

    monkeypatch.setattr(tasks.services, "follow_source", busy)
    waits = []

    def retry(*, exc, countdown):
        waits.append(countdown)
        return Retry(exc=exc)

    task = tasks.harvest_source
    monkeypatch.setattr(task, "retry", retry)
    assert task("fake").startswith("fake is being harvested by another process"), "Called by hand it says so."
    assert task.apply(["fake"]).get().startswith("fake is being harvested by another process")
    assert waits == []
    for retries in (0, 59, 60):
        task.push_request(called_directly=False, is_eager=False, retries=retries)
        try:
            task.run("fake")
        except Retry:
            waits.append(retries)
        finally:
            task.pop_request()
    assert waits == [600, 0, 600, 59]


def test_problems_are_logged(arxiv_upstream, caplog):
    arxiv_upstream.faults.append(faults.status(404, times=None))
    tasks.harvest_source("fake")
    assert "answered with status 404 Not Found" in caplog.text


def test_only_sources_that_were_begun_are_followed(queued, source):
    Watermark.objects.create(source="gone", day=timezone.now().date())
    Watermark.objects.create(source="fake", set_spec="cs", day=timezone.now().date())
    tasks.follow_sources()
    assert queued == ["fake"]
    Watermark.objects.filter(source="fake").delete()
    tasks.follow_sources()
    assert queued == ["fake"]


def test_every_set_that_was_begun_is_followed():
    Watermark.objects.create(source="fake", set_spec="cs", day=timezone.now().date() - dt.timedelta(days=2))

    assert tasks.harvest_source("fake") == (
        "fake: seen 4, new 4, changed 0, unchanged 0, quarantined 0; "
        "fake: seen 1, new 0, changed 0, unchanged 1, quarantined 0"
    )
    yesterday = timezone.now().date() - dt.timedelta(days=1)
    assert set(Watermark.objects.values_list("set_spec", "day")) == {("", yesterday), ("cs", yesterday)}


def test_a_source_whose_pause_is_over_is_queued_once(queued):
    tasks.harvest_postponed()
    assert queued == []
    state = SourceState.objects.create(name="fake", not_before=timezone.now() + dt.timedelta(minutes=1))
    tasks.harvest_postponed()
    assert queued == []
    SourceState.objects.filter(pk=state.pk).update(not_before=timezone.now() - dt.timedelta(minutes=1))
    tasks.harvest_postponed()
    assert queued == ["fake"]
    tasks.harvest_source("fake")
    tasks.harvest_postponed()
    assert queued == ["fake"]
