"""Children that harvest and may be killed in the middle of it, and what is left in the tables afterwards."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import httpx2
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

# The client loads half of itself only now: in every child again, were it not done here.
httpx2.Client().close()


def fork(work: Callable[[], object]) -> int:
    """Run ``work`` in a child with a database connection of its own; its exit code is 1 where it raised."""
    connections.close_all()
    with warnings.catch_warnings():
        # Python 3.12 warns of threads; the only other one here is the loopback server's, which the child never uses.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(child: int) -> int:
    """Wait for a child. Its exit code, or minus the signal that killed it."""
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


class Executioner:
    """Counts the statements and commits of this process, and kills it at the one asked for, before or after."""

    def __init__(self, at: int | None = None, *, after: bool = False) -> None:
        self.at = at
        self.after = after
        self.count = 0

    def __enter__(self) -> Executioner:
        self._wrapper = connection.execute_wrapper(self._statement)
        self._wrapper.__enter__()
        self._commit = BaseDatabaseWrapper._commit
        executioner = self

        def commit(wrapper: BaseDatabaseWrapper) -> Any:
            return executioner._step(lambda: executioner._commit(wrapper))

        BaseDatabaseWrapper._commit = commit
        return self

    def __exit__(self, *exception: object) -> None:
        BaseDatabaseWrapper._commit = self._commit
        self._wrapper.__exit__(*exception)

    def _statement(self, execute, sql, params, many, context):
        return self._step(lambda: execute(sql, params, many, context))

    def _step(self, work: Callable[[], Any]) -> Any:
        self.count += 1
        last = self.count == self.at
        if last and not self.after:
            os.kill(os.getpid(), signal.SIGKILL)
        result = work()
        if last:
            os.kill(os.getpid(), signal.SIGKILL)
        return result


def digest(table: str, columns: str, joins: str = "") -> str:
    """The content of a table, whatever the order of its rows."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT ROW({columns})::text FROM {table} {joins}")
        rows = sorted(row for (row,) in cursor.fetchall())
    return f"{len(rows)} {hashlib.sha256(chr(10).join(rows).encode()).hexdigest()}"


_COUNTS = "seen, new, changed, unchanged, quarantined"
_OF_WINDOW = (
    "LEFT JOIN harvest_harvestwindow w ON w.id = p.window_id LEFT JOIN harvest_harvestfile f ON f.id = p.file_id"
)


def engine_digests() -> dict[str, str]:
    """Everything the engine keeps, without surrogate keys, times, and the runs, of which a killed one leaves more.

    Answers differ in the time they carry, so they are told apart by their records.
    """
    return {
        "windows": digest(
            "harvest_harvestwindow",
            f"source, stream, set_spec, first_day, last_day, state, reason, attempt, pages, next_token, {_COUNTS}",
        ),
        "files": digest("harvest_harvestfile", f"source, sha256, state, reason, pages, {_COUNTS}"),
        "pages": digest(
            "harvest_rawpage p",
            "p.source, p.stream, w.first_day, f.sha256, p.attempt, p.number, p.kind, p.record_count, p.records_digest,"
            " p.next_token, p.refused_because",
            _OF_WINDOW,
        ),
        "quarantine": digest(
            "harvest_quarantinedrecord q",
            "q.source, format, external_id, q.stamp, damaged, payload_sha256, reason, q.attempts,"
            " q.resolved_at IS NULL, p.number, p.records_digest",
            "LEFT JOIN harvest_rawpage p ON p.id = q.raw_page_id",
        ),
        "watermarks": digest("harvest_watermark", "source, set_spec, day"),
        "profiles": digest("harvest_fieldprofile", "source, stream, records, filled"),
        "state": digest("harvest_sourcestate", "name, last_new_day"),
        "figures": digest(
            "(SELECT source, SUM(seen), SUM(new), SUM(changed), SUM(unchanged), SUM(quarantined)"
            " FROM harvest_harvestrun GROUP BY source) r",
            "r.*",
        ),
    }


def clear_engine() -> None:
    """Empty the engine's tables."""
    connection.check_constraints()  # what is deferred to the end of a test's transaction stands in the way
    with connection.cursor() as cursor:
        cursor.execute(
            "TRUNCATE harvest_quarantinedrecord, harvest_rawpage, harvest_harvestwindow, harvest_harvestfile,"
            " harvest_harvestrun, harvest_watermark, harvest_fieldprofile, harvest_sourcestate, harvest_hostlease"
        )


def die_everywhere(
    work: Callable[[], object],
    *,
    state: Callable[[], object],
    clear: Callable[[], object],
    points: int,
    seed: int,
    finished: Callable[[], bool] = lambda: False,
) -> None:
    """Kill ``work`` at seeded points, each time from an empty database, and compare what the next call makes of it.

    Where ``finished`` says that all was done before the kill, another call would begin anew: there is none then.
    """
    reading, writing = os.pipe()

    def count():
        with Executioner() as executioner:
            work()
        os.write(writing, str(executioner.count).encode())

    assert ended(fork(count)) == 0
    statements = int(os.read(reading, 20))
    expected = state()
    assert statements > 40
    chosen = random.Random(seed)
    for at in sorted(chosen.sample(range(1, statements + 1), points)):
        clear()
        after = chosen.random() < 0.5

        def die(at=at, after=after):
            with Executioner(at, after=after):
                work()

        assert ended(fork(die)) == -signal.SIGKILL
        assert finished() or ended(fork(work)) == 0
        assert state() == expected, f"killed {'after' if after else 'before'} statement {at} of {statements}"
