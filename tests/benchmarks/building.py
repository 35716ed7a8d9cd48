"""Builds the catalogue of the benchmarks once per run, and measures ingest on the way."""

from __future__ import annotations

import datetime as dt
import gc
import os
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections, transaction
from psycopg import sql

from tests.benchmarks import tables
from tests.benchmarks.measure import Pair, seconds
from wovepaper.demo.documents import FORMATS, oai_page
from wovepaper.demo.papers import DemoPaper, generate
from wovepaper.demo.source import NAME, PAPERS_A_PAGE
from wovepaper.harvest import registry
from wovepaper.harvest.contracts import RawRecord
from wovepaper.harvest.services import harvest_files
from wovepaper.pipeline.models import WorkItem

PAPERS = int(os.environ.get("WOVEPAPER_BENCH_PAPERS", "100000"))
UNTIL = dt.date(2026, 3, 16)
SEED = 1
CHUNKS = 40
SMALL_SHARE = 10
"""The small catalogue has one tenth of the papers."""
SMALL = "small_catalogue"


@dataclass(slots=True)
class Build:
    """What was measured while the catalogue grew."""

    papers: int = PAPERS
    ingest_and_copy: list[Pair] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    reading_and_ingest: list[Pair] = field(default_factory=list)
    """Seconds of parsing and of ingest, of the same chunks."""
    unchanged_and_first: list[Pair] = field(default_factory=list)
    harvest_records: int = 0
    writes_by_unchanged: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    unchanged_counts: list[tuple[int, int]] = field(default_factory=list)
    """Records seen and records unchanged of each second harvest."""
    seconds: float = 0.0


def build(folder: Path) -> Build:
    """Ingest the catalogue chunk by chunk: by turns through the sink alone, against COPY of the same rows, and
    through the whole harvest, against the same files once more. Leaves a copy of the first tenth as a database."""
    begin = time.perf_counter()
    made = Build()
    tables.make_copies()
    tables.assert_copies_are_alike()
    papers = generate(PAPERS, seed=SEED, until=UNTIL)
    size = PAPERS // CHUNKS
    for number in range(CHUNKS):
        chunk = [next(papers) for _ in range(size)]
        if number % 2 == 0:
            _ingest_against_copy(made, chunk)
        else:
            _harvest_twice(made, chunk, folder)
        if number + 1 == CHUNKS // SMALL_SHARE:
            _finish(made)
            _keep_small(folder)
    tables.drop_copies()
    _finish(made)
    made.seconds = time.perf_counter() - begin
    return made


def _ingest_against_copy(made: Build, chunk: list[DemoPaper]) -> None:
    registration = registry.get(NAME)
    source, sink = registration.source, registration.sink
    pages, parsing = [], 0.0
    for start in range(0, len(chunk), PAPERS_A_PAGE):
        batch = chunk[start : start + PAPERS_A_PAGE]
        bodies = [(form, oai_page(batch, form=form, until=UNTIL)) for form in FORMATS]
        begin = time.perf_counter()
        records: list[RawRecord] = []
        for form, body in bodies:
            records += source.read_page(body, stream=form).records
        pages.append([(record, source.parse(record)) for record in records])
        parsing += time.perf_counter() - begin
    before = tables.highest_ids()

    def ingest() -> None:
        for page in pages:
            with transaction.atomic():
                counts = sink(page)
            assert counts.new == len(page), counts

    gc.collect()
    ingest_seconds = seconds(ingest)
    rows = tables.rows_after(before)
    records_count = sum(len(page) for page in pages)
    pages.clear()

    def copy() -> None:
        with transaction.atomic():
            tables.copy_in(rows)

    gc.collect()
    made.ingest_and_copy.append((ingest_seconds, seconds(copy)))
    made.reading_and_ingest.append((parsing, ingest_seconds))
    made.rows.append(rows.count)
    made.records.append(records_count)


def _harvest_twice(made: Build, chunk: list[DemoPaper], folder: Path) -> None:
    paths = []
    for start in range(0, len(chunk), 1_000):
        batch = chunk[start : start + 1_000]
        for form in FORMATS:
            path = folder / f"{batch[0].number}-{form}.xml"
            path.write_bytes(oai_page(batch, form=form, until=UNTIL))
            paths.append(path)
    gc.collect()
    begin = time.perf_counter()
    first = harvest_files(name=NAME, paths=paths)
    first_seconds = time.perf_counter() - begin
    assert first.ok, first.problems
    assert first.counts.new == 2 * len(chunk), first.counts
    gc.collect()
    before = tables.heap_writes()
    begin = time.perf_counter()
    second = harvest_files(name=NAME, paths=paths)
    second_seconds = time.perf_counter() - begin
    after = tables.heap_writes()
    made.unchanged_and_first.append((second_seconds, first_seconds))
    made.harvest_records += first.counts.seen
    made.unchanged_counts.append((second.counts.seen, second.counts.unchanged))
    for table, figures in after.items():
        written = tuple(now - then for now, then in zip(figures, before.get(table, (0, 0, 0)), strict=True))
        if any(written):
            made.writes_by_unchanged[table] = written
    for path in paths:
        path.unlink()


def _finish(made: Build) -> None:
    """What the pipeline would do: index. Done at once by a rebuild, and the database made ready to be asked."""
    WorkItem.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    call_command("reindex", verbosity=0)


def index_folder() -> Path:
    """Where the search index of this process lies."""
    return Path(settings.SEARCH_URL.removeprefix("tantivy://"))


def small_index_folder(folder: Path) -> Path:
    """Where the index of the small catalogue lies."""
    return folder / "small-index"


def _keep_small(folder: Path) -> None:
    shutil.copytree(index_folder(), small_index_folder(folder), symlinks=True)
    name = connection.settings_dict["NAME"]
    drop_small()
    connections.close_all()
    with _maintenance_cursor() as cursor:
        cursor.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(SMALL), sql.Identifier(name)))


def drop_small() -> None:
    """Remove the database of the small catalogue."""
    with _maintenance_cursor() as cursor:
        cursor.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(SMALL)))


def _maintenance_cursor():
    return connection._nodb_cursor()
