"""Several processes on one index: one writes at a time, all read what is committed, and any of them may die."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from haystack.exceptions import SearchBackendError
from tantivy import Query

from tests.wovepaper.search.worker import BATCH, SCHEMA, document, write_batch
from wovepaper.search.store import IndexStore, store_at

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def store(folder: Path) -> IndexStore:
    store = store_at(folder)
    store.ensure(SCHEMA)
    return store


@contextmanager
def worker(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.wovepaper.search.worker", *map(str, arguments)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _documents(store: IndexStore) -> int:
    snapshot = store.snapshot()
    assert snapshot is not None
    assert snapshot.searcher.num_docs == snapshot.searcher.search(Query.all_query(), 1).count
    return snapshot.searcher.num_docs


def test_two_processes_write_at_once(store, folder):
    batches = 6
    with worker("write", folder, 0, batches) as one, worker("write", folder, 10_000, batches) as other:
        for batch in range(batches):
            write_batch(store, batch, 20_000 + batch * BATCH)
        assert one.wait(60) == 0
        assert other.wait(60) == 0
    assert _documents(store) == 3 * batches * BATCH
    snapshot = store.snapshot()
    for batch in range(batches):
        query = Query.term_query(SCHEMA.engine_schema, "batch", batch)
        assert snapshot.searcher.search(query, 1).count == 3 * BATCH


def test_threads_write_one_after_the_other(store):
    threads = [threading.Thread(target=write_batch, args=(store, 0, first)) for first in (0, 1000, 2000, 3000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert _documents(store) == 4 * BATCH


def test_a_reader_in_another_process_sees_each_commit(store, folder):
    with worker("watch", folder, 60) as reader:
        generation = store.current_generation()
        assert _line(reader) == f"0 {generation}"
        for batch in range(1, 4):
            write_batch(store, batch, batch * BATCH)
            assert _line(reader) == f"{batch * BATCH} {generation}"
        # And a new generation, in use of which it is put in one step.
        with store.lease():
            successor = store.make_generation(SCHEMA)
            with store.writing(successor) as writing:
                writing.add(document(1))
            store.switch_to(successor)
        assert _line(reader) == f"1 {successor}"


def test_the_lease_of_a_killed_writer_is_free_and_its_batch_is_gone(store, folder):
    write_batch(store, 0, 0)
    with worker("hold", folder) as writer:
        assert _line(writer) == "held"
        with (
            pytest.raises(SearchBackendError, match=r"writer\.lock has been held"),
            store.lease(0.2),
        ):
            pass
        assert _documents(store) == BATCH
        writer.send_signal(signal.SIGKILL)
        writer.wait(10)
        write_batch(store, 1, 1000)
    assert _documents(store) == 2 * BATCH


def test_killed_anywhere_a_batch_is_there_whole_or_not_at_all(store, folder):
    rng = random.Random(20)
    first = 0
    for _ in range(6):
        before = _documents(store)
        with worker("write", folder, first, 1000) as writer:
            acknowledged = [int(_line(writer)) for _ in range(rng.randrange(1, 4))][-1] + 1
            time.sleep(rng.random() * 0.06)
            writer.send_signal(signal.SIGKILL)
            writer.wait(10)
        written, rest = divmod(_documents(store) - before, BATCH)
        assert rest == 0
        assert written >= acknowledged
        first += 100_000
    # What is left is an index like any other.
    before = _documents(store)
    write_batch(store, 7, 10_000_000)
    assert _documents(store) == before + BATCH
    store.snapshot()


def test_an_error_in_a_batch_leaves_the_index_as_it_was(store):
    write_batch(store, 0, 0)
    generation = store.current_generation()

    def fail() -> None:
        with store.lease(), store.writing(generation) as writing:
            writing.add(document(99))
            writing.delete_everything()
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        fail()
    assert _documents(store) == BATCH


def test_a_child_of_fork_opens_the_index_itself(store, folder):
    assert store_at(folder) is store
    script = (
        "import os, sys\n"
        "from wovepaper.search.store import store_at\n"
        "parent = store_at(sys.argv[1]); parent.snapshot()\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    own = store_at(sys.argv[1])\n"
        "    os._exit(0 if own is not parent and own.snapshot().searcher.num_docs == 0 else 1)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(folder)], cwd=ROOT, check=False).returncode == 0
