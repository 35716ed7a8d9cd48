"""Peaks of memory, each in a process of its own. Not ratios: limits that a small machine sets."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from django.db import connection
from psycopg import sql

from tests.benchmarks.building import PAPERS, SEED, UNTIL, Build
from tests.benchmarks.conftest import Record
from tests.benchmarks.measure import Result, percentile
from tests.processes import (
    CHECKOUT,
    clean_environment,
    end_processes_of,
    processes_of,
    throw_away_folder,
    wait_until,
)
from wovepaper.demo.documents import FORMATS, oai_page
from wovepaper.demo.papers import generate

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7_200)]
GROUP = "Memory"
PAGE = 3_500
"""Records of the largest pages that arXiv's server sends."""
EMPTY = "memory_catalogue"


def megabytes(name: str, values: list[float], limit: float, note: str, **details: object) -> Result:
    """The largest of several readings; its interval is their range."""
    return Result(GROUP, name, max(values), min(values), max(values), limit, unit="MB", note=note, details=details)


def database_url(name: str) -> str:
    """The test server's address with another database in it."""
    head, _, tail = os.environ["DATABASE_URL"].partition("?")
    return f"{head.rpartition('/')[0]}/{name}" + (f"?{tail}" if tail else "")


def run_peak(*arguments: str, database: str, var_dir: Path) -> dict[str, list[float]]:
    environment = {**os.environ, "DATABASE_URL": database_url(database), "VAR_DIR": str(var_dir)}
    environment.pop("SEARCH_URL", None)
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.peak", *arguments],
        cwd=CHECKOUT, env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture
def empty_database(catalogue: Build) -> Iterator[str]:
    """A migrated database without papers."""
    with connection._nodb_cursor() as cursor:
        cursor.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(EMPTY)))
        cursor.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(EMPTY)))
    environment = {**os.environ, "DATABASE_URL": database_url(EMPTY)}
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v0"], cwd=CHECKOUT, env=environment, check=True, capture_output=True
    )
    yield EMPTY
    with connection._nodb_cursor() as cursor:
        cursor.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(EMPTY)))


def test_harvest(empty_database: str, record: Record, tmp_path: Path) -> None:
    pages = max(4, min(6, PAPERS // PAGE))
    paths = []
    papers = generate(pages * PAGE, seed=SEED, until=UNTIL)
    for number in range(pages):
        batch = [next(papers) for _ in range(PAGE)]
        for form in FORMATS:
            path = tmp_path / f"{number}-{form}.xml"
            path.write_bytes(oai_page(batch, form=form, until=UNTIL))
            paths.append(str(path))
    said = run_peak("harvest", *paths, database=empty_database, var_dir=tmp_path / "var")
    peaks = said["peaks"]
    assert said["new"] == 2 * pages * PAGE
    half = peaks[len(peaks) // 2]
    record(
        megabytes(
            "harvest, peak", [peaks[-1]], 300,
            f"Pages of {PAGE:,} records, each in one transaction, with author lists of up to 3,000.",
            pages=len(peaks) - 1, after_half_of_the_pages=round(half, 1), at_the_start=round(peaks[0], 1),
        )
    )  # fmt: skip
    # However many pages: the second half of them may not need noticeably more than the first.
    assert peaks[-1] <= 1.15 * half, peaks


def test_index_build(catalogue: Build, record: Record, tmp_path: Path) -> None:
    name = connection.settings_dict["NAME"]
    peaks = run_peak("reindex", database=name, var_dir=tmp_path / "var")["peaks"]
    record(
        megabytes("index build, peak", [peaks[-1]], 1_000, f"{PAPERS:,} papers.", at_the_start=round(peaks[0], 1))
    )  # fmt: skip


def total_pss(folder: Path) -> dict[str, float]:
    """Proportional set sizes in MB by kind of process: shared pages are counted once in all."""
    found = {process.pid: process for process in processes_of(folder)}
    for process in list(found.values()):
        with contextlib.suppress(psutil.Error):
            found |= {child.pid: child for child in process.children(recursive=True)}
    sums: dict[str, float] = {}
    for process in found.values():
        with contextlib.suppress(psutil.Error):
            command = " ".join(process.cmdline()) or process.name()
            kind = next(
                (kind for kind in ("postgres", "valkey", "gunicorn", "celery", "manage.py up") if kind in command),
                "others",
            )
            sums[kind] = sums.get(kind, 0.0) + process.memory_full_info().pss / 1e6
    return sums


def visit(port: int, address: str) -> None:
    """One visitor who reads the page to its end."""
    with contextlib.closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as connection_:
        connection_.sendall(f"GET {address} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        while connection_.recv(65_536):
            pass


def test_idle_portal(record: Record, tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path / "up.log"
    with throw_away_folder() as folder, log.open("wb") as output:
        portal = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=CHECKOUT, env=clean_environment(folder), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
        )  # fmt: skip
        try:
            assert wait_until(lambda: b"Ready" in log.read_bytes() or portal.poll() is not None, 240), log.read_text()
            assert portal.poll() is None, log.read_text()
            for _ in range(5):  # so that what the first requests load is loaded
                for address in ("/", "/papers", "/search?q=models"):
                    visit(port, address)
            readings = []
            for _ in range(5):
                time.sleep(4)
                readings.append(total_pss(folder))
        finally:
            portal.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                portal.wait(60)
            end_processes_of(folder)
            portal.wait()
    totals = [sum(reading.values()) for reading in readings]
    middle = sorted(readings, key=lambda reading: sum(reading.values()))[len(readings) // 2]
    record(
        Result(
            GROUP, "idle portal, all processes", percentile(totals, 0.5), min(totals), max(totals), 700, unit="MB",
            note="Proportional set sizes of `manage.py up` with the demo catalogue, after a few visits; five readings.",
            details={kind: round(size) for kind, size in sorted(middle.items())},
        )
    )  # fmt: skip
