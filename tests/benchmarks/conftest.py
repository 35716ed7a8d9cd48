"""One catalogue per run, in a database and an index of its own, and one file of results."""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import setup_databases, teardown_databases
from pytest_django.plugin import DjangoDbBlocker

from tests.benchmarks.building import PAPERS, Build, build, drop_small, index_folder
from tests.benchmarks.measure import Result
from tests.benchmarks.report import RESULTS

Record = Callable[[Result], None]
server_version: list[str] = []
LOAD_AT_THE_START = os.getloadavg()[0]


@pytest.fixture(scope="session")
def results() -> list[Result]:
    """All results of the run so far; written after each test, also when a budget was missed."""
    return []


def write_results(found: list[Result]) -> None:
    """Write the file of results."""
    machine = {
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "postgresql": server_version[0] if server_version else "not asked",
        "tantivy": version("tantivy"),
        "load": LOAD_AT_THE_START,
    }
    said = {
        "measured_at": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "papers": PAPERS,
        "machine": machine,
        "results": [result.as_json() for result in found],
    }
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


@pytest.fixture
def record(results: list[Result]) -> Iterator[Record]:
    """Keep results; the test fails at its end for those that certainly miss their budget."""
    mine: list[Result] = []

    def keep(result: Result) -> None:
        mine.append(result)
        results.append(result)

    yield keep
    write_results(results)
    missed = [
        f"{result.name}: {result.value:.2f} ({result.low:.2f} to {result.high:.2f}), "
        f"budget {result.direction} {result.limit}"
        for result in mine
        if result.certainly_missed
    ]
    assert not missed, "\n".join(missed)


@pytest.fixture(scope="session")
def work_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For files that are passed to other processes, and the small index."""
    return tmp_path_factory.mktemp("benchmarks")


@pytest.fixture(scope="session")
def catalogue(results: list[Result], django_db_blocker: DjangoDbBlocker, work_folder: Path) -> Iterator[Build]:
    """The catalogue, committed; the tests read it or put back what they change."""
    with django_db_blocker.unblock():
        # Not pytest-django's own database: each of its tests would be rolled back.
        databases = setup_databases(verbosity=0, interactive=False, aliases={"default"})
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version")
            server_version.append(cursor.fetchone()[0].split()[0])
        # Whatever another session left would be measured, too.
        assert not index_folder().exists() or not any(index_folder().iterdir())
        try:
            yield build(work_folder)
        finally:
            drop_small()
            teardown_databases(databases, verbosity=0)
