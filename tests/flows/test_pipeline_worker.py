"""A real Celery worker on the embedded Valkey works off what ingest enqueued; without them nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from celery import current_app
from django.db import connection, transaction
from haystack import connections as search_connections
from haystack.query import SearchQuerySet

from papers.models import Paper
from papers.services.ingest import ingest_records
from tests.papers.services.invented import arxiv_record, pairs
from tests.processes import wait_until
from wovepaper.embedded.paths import EmbeddedPaths
from wovepaper.embedded.valkey import answers, prepare_valkey
from wovepaper.pipeline import handover
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.single_flight import is_draining
from wovepaper.pipeline.tasks import sweep_pipeline
from wovepaper.search.backend import TantivySearchBackend

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 60.0


def wait_for(condition: Callable[[], bool], what: str) -> None:
    assert wait_until(condition, PATIENCE), f"Waited {PATIENCE:.0f} s in vain until {what}."


@contextmanager
def running(command: list[str], **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of its own group; whatever of it is left at the end is killed."""
    process = subprocess.Popen(command, env=os.environ | environment, start_new_session=True)
    try:
        yield process
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait(10)


@pytest.fixture
def paths(tmp_path: Path) -> EmbeddedPaths:
    return EmbeddedPaths(tmp_path / "var")


@pytest.fixture
def broker(paths: EmbeddedPaths, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[bytes]]:
    """Valkey, known to this process as the broker."""
    settings.BROKER_URL = paths.broker_url()
    monkeypatch.setattr(handover, "_sender", handover._Sender())
    monkeypatch.setitem(current_app.conf, "broker_url", settings.BROKER_URL)
    monkeypatch.setitem(current_app.conf, "task_always_eager", False)
    monkeypatch.setattr(current_app.amqp, "_producer_pool", None)
    monkeypatch.setattr(current_app, "_pool", None)
    with running(prepare_valkey(paths)) as server:
        wait_for(lambda: answers(paths.valkey_socket), "Valkey answers")
        yield server
    current_app.amqp.producer_pool.force_close_all()


@pytest.fixture
def index(paths: EmbeddedPaths, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index of its own, known to this process and the worker."""
    folder = paths.var_dir / "search"
    options = search_connections["default"].options | {"PATH": str(folder)}
    monkeypatch.setattr(search_connections["default"], "_backend", TantivySearchBackend("default", **options))
    return folder


@contextmanager
def worker(paths: EmbeddedPaths) -> Iterator[subprocess.Popen[bytes]]:
    url = urlsplit(os.environ["DATABASE_URL"])
    options = ("--pool=solo", "--loglevel=WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat")
    with running(
        [sys.executable, "-m", "celery", "--app=wovepaper", "worker", *options],
        DATABASE_URL=urlunsplit(url._replace(path=f"/{connection.settings_dict['NAME']}")),
        DJANGO_SETTINGS_MODULE="wovepaper.settings",
        BROKER_URL=paths.broker_url(),
        VAR_DIR=str(paths.var_dir),
    ) as process:
        yield process


def take_in(numbers: range) -> None:
    with transaction.atomic():
        counts = ingest_records(pairs(*(arxiv_record(f"2001.{number:05}") for number in numbers)))
        assert (counts.new, counts.refused) == (len(numbers), ())


def found() -> list[str]:
    hits = SearchQuerySet().models(Paper).order_by("arxiv_id")
    return [hit.arxiv_id for hit in hits[:1000]]


def drained() -> bool:
    return not WorkItem.objects.exists() and not is_draining()


def test_a_worker_drains_and_with_the_broker_killed_the_sweep_finishes(
    paths: EmbeddedPaths, broker: subprocess.Popen[bytes], index: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with worker(paths) as process:
        # The message waits in the broker until the worker is there.
        take_in(range(1, 31))
        take_in(range(31, 61))
        assert WorkItem.objects.count() == 60
        wait_for(drained, "the worker has drained the pipeline")
        assert found() == [f"2001.{number:05}" for number in range(1, 61)]

        # One who is there already hears of it at once, without the sweep.
        take_in(range(61, 91))
        wait_for(drained, "the worker has heard of the next page")

        # Held still: a late hint that it has already would let it take what comes now.
        process.send_signal(signal.SIGSTOP)
        broker.kill()
        broker.wait(10)
        for first in range(91, 151, 20):
            take_in(range(first, first + 20))
        assert "The broker did not take a message; the sweep will do the work" in caplog.text
        assert WorkItem.objects.count() == 60
        process.send_signal(signal.SIGKILL)
        process.wait(10)

    sweep_pipeline()
    assert drained()
    assert found() == [f"2001.{number:05}" for number in range(1, 151)]


def test_beat_sends_the_sweep_every_minute() -> None:
    from wovepaper.celery import app

    (entry,) = [entry for entry in app.conf.beat_schedule.values() if entry["task"] == "wovepaper.pipeline.sweep"]
    assert entry["schedule"] == 60.0
    app.loader.import_default_modules()
    assert {"wovepaper.pipeline.sweep", "wovepaper.pipeline.drain"} <= app.tasks.keys()
