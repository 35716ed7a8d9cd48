"""Several workers over one queue, each with a connection of its own."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from django.db import OperationalError, connection, connections, transaction

from tests.wovepaper.harvest.processes import ended, fork
from tests.wovepaper.pipeline.conftest import KIND, Line
from wovepaper.pipeline import handover
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import drain, enqueue
from wovepaper.pipeline.single_flight import is_draining, single_flight
from wovepaper.pipeline.tasks import drain_single_flight

pytestmark = pytest.mark.django_db(transaction=True)


def in_threads(*functions: Callable[[], object]) -> None:
    """Run all at once and re-raise what any of them raised."""
    errors: list[BaseException] = []

    def run(function: Callable[[], object]) -> None:
        try:
            function()
        except BaseException as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if errors:
        raise errors[0]


def test_four_workers_share_the_work_and_none_does_another_s(line: Line) -> None:
    lock, worked = threading.Lock(), Counter[int]()

    def handle(ids: Sequence[int]) -> None:
        time.sleep(0.002)
        with lock:
            worked.update(ids)

    line.add("index", batch_size=10, then=handle)
    for _ in range(2):
        enqueue(kind=KIND, ids=range(300))
    in_threads(*[drain] * 4)
    if WorkItem.objects.exists():  # objects that two of them wanted at the same moment
        drain()
    assert worked == Counter(range(300))
    assert not WorkItem.objects.exists()


def test_an_object_somebody_works_on_is_left_alone_until_he_is_done(line: Line) -> None:
    """Else the one who read it earlier could write it later."""
    started, go_on = threading.Event(), threading.Event()

    def handle(ids: Sequence[int]) -> None:
        if threading.current_thread() is not threading.main_thread():
            started.set()
            assert go_on.wait(30)

    line.add("index", then=handle)
    enqueue(kind=KIND, ids=[1])
    slow = threading.Thread(target=lambda: in_threads(drain))
    slow.start()
    assert started.wait(30)
    enqueue(kind=KIND, ids=[1, 2])
    assert drain().total == 1
    assert line.batches[-1] == ("index", [2])
    assert list(WorkItem.objects.values_list("object_id", flat=True)) == [1, 1]
    go_on.set()
    slow.join(30)
    # The slow one went on with what came meanwhile.
    assert line.batches[-1] == ("index", [1])
    assert not WorkItem.objects.exists()


def test_what_is_enqueued_while_a_stage_works_is_not_lost(line: Line) -> None:
    def handle(ids: Sequence[int]) -> None:
        if len(line.batches) == 1:
            in_threads(lambda: enqueue(kind=KIND, ids=[1]))

    line.add("index", then=handle)
    enqueue(kind=KIND, ids=[1])
    drain()
    assert line.batches == [("index", [1]), ("index", [1])]


def test_a_writer_never_waits_for_a_worker(line: Line) -> None:
    def handle(ids: Sequence[int]) -> None:
        def write() -> None:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '1s'")
                enqueue(kind=KIND, ids=[1, 2])

        if len(line.batches) == 1:
            in_threads(write)

    line.add("index", then=handle)
    enqueue(kind=KIND, ids=[1])
    assert drain().failed == {}


def test_a_lost_connection_is_raised_and_costs_no_attempt(line: Line) -> None:
    def handle(ids: Sequence[int]) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (pid,) = cursor.fetchone()

        def kill() -> None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(%s)", [pid])

        in_threads(kill)
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")

    line.add("index", then=handle)
    enqueue(kind=KIND, ids=[1])
    with pytest.raises(OperationalError):
        drain()
    assert list(WorkItem.objects.values_list("attempts", "error")) == [(0, "")]


def test_killed_at_any_point_the_rest_is_done_by_the_next(line: Line, tmp_path: Path) -> None:
    done = (tmp_path / "done").open("a", buffering=1)

    def handle(ids: Sequence[int]) -> None:
        for number in ids:
            print(number, file=done)
            time.sleep(0.002)

    line.add("embed", batch_size=5, then=handle)
    line.add("index", batch_size=5, then=handle)
    enqueue(kind=KIND, ids=range(100))
    kills = 0
    while WorkItem.objects.exists():
        before = WorkItem.objects.filter(stage="embed").count(), WorkItem.objects.count()
        child = fork(drain)
        deadline = time.monotonic() + 30
        while kills < 12 and time.monotonic() < deadline:
            if (WorkItem.objects.filter(stage="embed").count(), WorkItem.objects.count()) != before:
                time.sleep(0.0015 * kills)
                os.kill(child, signal.SIGKILL)
                kills += 1
                break
            time.sleep(0.001)
        assert ended(child) in (0, -signal.SIGKILL)
    done.close()
    assert kills == 12
    counted = Counter(int(number) for number in (tmp_path / "done").read_text().split())
    assert set(counted) == set(range(100))
    # Each at both stages; again only what was in hand when the worker was killed: a batch of five at a time.
    assert min(counted.values()) == 2
    assert sum(counted.values()) <= 200 + 5 * kills


class TestSingleFlight:
    def test_the_second_does_nothing(self, line: Line) -> None:
        line.add("index")
        enqueue(kind=KIND, ids=[1])

        def other() -> None:
            assert is_draining() is True
            assert drain_single_flight() == 0

        with single_flight() as mine:
            assert mine is True
            in_threads(other)
        assert is_draining() is False
        assert drain_single_flight() == 1

    def test_what_comes_after_the_last_look_is_found_after_letting_go(
        self, line: Line, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        line.add("index")
        enqueue(kind=KIND, ids=[1])
        real, calls = drain, []

        def drain_and_then_something_comes() -> object:
            report = real()
            if not calls:
                enqueue(kind=KIND, ids=[2])
            calls.append(report)
            return report

        monkeypatch.setattr("wovepaper.pipeline.tasks.drain", drain_and_then_something_comes)
        assert drain_single_flight() == 2

    def test_what_another_process_holds_is_not_waited_for(self, line: Line) -> None:
        line.add("index")
        enqueue(kind=KIND, ids=[1])
        with transaction.atomic():
            list(WorkItem.objects.select_for_update())
            in_threads(drain_single_flight)
        assert WorkItem.objects.count() == 1


class TestHandOver:
    @pytest.fixture
    def sent(self, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
        messages: list[dict[str, object]] = []
        monkeypatch.setattr(handover, "_sender", handover._Sender())
        monkeypatch.setattr(
            handover.current_app, "send_task", lambda name, **options: messages.append({"name": name, **options})
        )
        return messages

    def test_without_a_broker_nothing_is_sent(self, line: Line, sent: list[object]) -> None:
        line.add("index")
        enqueue(kind=KIND, ids=[1])
        assert sent == []

    def test_after_the_commit_one_message_for_many_pages(
        self, line: Line, sent: list[dict[str, object]], settings: object
    ) -> None:
        settings.BROKER_URL = "redis://127.0.0.1:1/0"  # type: ignore[attr-defined]
        line.add("index")
        with transaction.atomic():
            enqueue(kind=KIND, ids=[1])
            assert sent == []
        assert [(m["name"], m["countdown"], m["expires"], m["retry"]) for m in sent] == [
            ("wovepaper.pipeline.drain", None, 60, False)
        ]
        for _ in range(20):
            enqueue(kind=KIND, ids=[1])
        # One more, which is worked on after all these commits.
        assert len(sent) == 2
        assert 0 < float(str(sent[1]["countdown"])) <= 2

    def test_a_transaction_that_is_rolled_back_sends_nothing(
        self, line: Line, sent: list[object], settings: object
    ) -> None:
        settings.BROKER_URL = "redis://127.0.0.1:1/0"  # type: ignore[attr-defined]
        line.add("index")
        with transaction.atomic():
            enqueue(kind=KIND, ids=[1])
            transaction.set_rollback(True)
        assert sent == []

    def test_nothing_is_sent_while_a_drain_goes_on(self, line: Line, sent: list[object], settings: object) -> None:
        settings.BROKER_URL = "redis://127.0.0.1:1/0"  # type: ignore[attr-defined]
        line.add("index")
        with single_flight():
            in_threads(lambda: enqueue(kind=KIND, ids=[1]))
        assert sent == []

    def test_a_dead_broker_loses_nothing_and_is_not_asked_again_at_once(
        self, line: Line, monkeypatch: pytest.MonkeyPatch, settings: object, caplog: pytest.LogCaptureFixture
    ) -> None:
        settings.BROKER_URL = "redis://127.0.0.1:1/0"  # type: ignore[attr-defined]
        tries: list[str] = []

        def refuse(name: str, **options: object) -> None:
            tries.append(name)
            raise ConnectionRefusedError("nobody there")

        monkeypatch.setattr(handover, "_sender", handover._Sender())
        monkeypatch.setattr(handover.current_app, "send_task", refuse)
        line.add("index")
        for number in range(5):
            enqueue(kind=KIND, ids=[number])
        assert len(tries) == 1
        assert "The broker did not take a message; the sweep will do the work: nobody there" in caplog.text
        assert drain().total == 5
