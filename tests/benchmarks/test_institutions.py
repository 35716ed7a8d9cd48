"""Taking the registry of institutions in, and taking it in again."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from tests.benchmarks import tables
from tests.benchmarks.conftest import Record
from tests.benchmarks.databases import own_database
from tests.benchmarks.measure import Result, seconds
from tests.benchmarks.site import work_of
from tests.institutions.organisations import name, organisation, place, relation
from wovepaper.harvest import hooks
from wovepaper.harvest.services import RunSummary, harvest_files

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3_600)]
GROUP = "Institutions"
REAL = Path(
    os.environ.get("WOVEPAPER_SHARED_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")
) / "ror" / "ror_v2_36k.jsonl.gz"  # fmt: skip
SMALL, LARGE = 35_990, 110_000
LONGEST = 30.0
"""Seconds for the small registry."""


@pytest.fixture
def empty(django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A database without institutions. The pipeline stays out of it: there are no papers to match."""
    monkeypatch.setattr(hooks, "_callbacks", [])
    with django_db_blocker.unblock(), own_database("institutions_registry"):
        yield


def generated(count: int) -> Iterator[dict[str, Any]]:
    """Records about as long as the registry's: three names, three identifiers, a parent for half of them."""
    for number in range(1, count + 1):
        random = Random(number)
        city = random.choice(("Threadham", "Loomstadt", "Nadelburg", "Seamouth"))
        yield organisation(
            number,
            name(f"University of Weaving {number} at {city}"),
            name(f"Universität für Weberei {number}, {city}", "label", lang="de"),
            name(f"UW{number}", "acronym", lang=None),
            locations=[place(city, random.choice(("GB", "DE", "US", "JP")))],
            external_ids=[
                {"type": "isni", "preferred": None, "all": [f"0000 0000 {number:08}"]},
                {"type": "fundref", "preferred": str(number), "all": [str(number)]},
                {"type": "wikidata", "preferred": None, "all": [f"Q{number}"]},
            ],
            relationships=[relation("parent", random.randrange(1, number))] if number > 1 and number % 2 else [],
        )


def write_dump(path: Path, count: int) -> Path:
    """A release as the registry makes it: one array of JSON, zipped."""
    records = b",".join(json.dumps(record).encode() for record in generated(count))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("v9.9-ror-data_schema_v2.json", b"[" + records + b"]")
    return path


def timed_import(path: Path) -> tuple[float, float, RunSummary]:
    """Processor seconds of this process and its database session together, which on a machine that has nothing else
    to do is about the time itself; the time itself; and the summary."""
    summaries: list[RunSummary] = []
    passed = [0.0]

    def work() -> None:
        passed[0] = seconds(lambda: summaries.append(harvest_files(name="ror", paths=[path])))

    took = work_of(work, runs=1)
    assert summaries[0].ok, summaries[0].problems
    return took, passed[0], summaries[0]


def row_versions() -> dict[str, int]:
    """A checksum of where each row of the institutions lies and of the transaction that wrote it."""
    found = {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'institutions\\_%%'")
        for (table,) in cursor.fetchall():
            cursor.execute(f"SELECT sum(hashtextextended(ctid::text || xmin::text || xmax::text, 0)) FROM {table}")
            found[table] = cursor.fetchone()[0]
    return found


def test_the_registry_is_imported_and_again_without_a_write(empty: None, record: Record, tmp_path: Path) -> None:
    path = REAL if REAL.exists() else write_dump(tmp_path / "small.zip", SMALL)
    took, passed, first = timed_import(path)
    assert (first.counts.seen, first.counts.quarantined) == (SMALL, 0)
    versions, writes = row_versions(), tables.heap_writes("institutions")
    again, _, second = timed_import(path)
    assert (second.counts.seen, second.counts.unchanged) == (SMALL, SMALL)
    assert row_versions() == versions
    assert tables.heap_writes("institutions") == writes
    whose = "records of the registry" if path == REAL else "invented records"
    record(
        Result(
            GROUP,
            f"import of {SMALL:,} institutions",
            took,
            took,
            took,
            LONGEST,
            unit="s",
            note=f"Of {whose}, from the file through the whole harvest; processor time; once, so without an interval.",
            details={"records_per_second": round(SMALL / took), "seconds_passed": round(passed, 1)},
        )
    )
    record(
        Result(
            GROUP,
            "unchanged import over the first",
            again / took,
            again / took,
            again / took,
            0.5,
            note="No row of the institutions is written: by PostgreSQL's own count, and by the version of every row.",
        )
    )


def test_the_cost_of_an_institution_does_not_grow(empty: None, record: Record, tmp_path: Path) -> None:
    small, large = write_dump(tmp_path / "small.zip", SMALL), write_dump(tmp_path / "large.zip", LARGE)
    took_small, _, first = timed_import(small)
    assert first.counts.new == SMALL
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE institutions_institution CASCADE")
    took_large, _, second = timed_import(large)
    assert second.counts.new == LARGE
    ratio = (took_large / LARGE) / (took_small / SMALL)
    record(
        Result(
            GROUP,
            f"time of one of {LARGE:,} institutions over one of {SMALL:,}",
            ratio,
            ratio,
            ratio,
            1.3,
            note="Invented records, each number once and on its own.",
            details={"first_seconds": round(took_large, 1), "second_seconds": round(took_small, 1)},
        )
    )
