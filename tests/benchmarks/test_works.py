"""Taking in the works of Crossref and OpenAlex, against the least a database can do."""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from tests.benchmarks import tables
from tests.benchmarks.building import CHUNKS, PAPERS
from tests.benchmarks.conftest import Record
from tests.benchmarks.databases import own_database
from tests.benchmarks.measure import Pair, compare, ratio_of_sums, seconds
from tests.benchmarks.works import body, crossref_works, openalex_works
from wovepaper.harvest import registry

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7_200)]
GROUP = "Ingest"
A_PAGE = 500
"""Works in one transaction, as on a page of Crossref's API."""


@pytest.fixture
def empty(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A catalogue without papers, beside the one of the run."""
    with django_db_blocker.unblock(), own_database("works_catalogue"):
        tables.make_copies()
        tables.assert_copies_are_alike()
        yield


@pytest.mark.parametrize(("name", "generate"), [("crossref", crossref_works), ("openalex", openalex_works)])
def test_new_works_against_copy(
    empty: None, record: Record, name: str, generate: Callable[..., Iterator[dict[str, Any]]]
) -> None:
    registration = registry.get(name)
    source, sink = registration.source, registration.sink
    stream = source.streams[0] if source.streams else "any"
    works = generate(PAPERS, seed=1)
    written = tables.heap_writes()
    copied: list[Pair] = []
    parsed: list[Pair] = []
    rows = 0
    while chunk := list(itertools.islice(works, max(1, PAPERS // CHUNKS))):
        bodies = [body(chunk[start : start + A_PAGE], source=name) for start in range(0, len(chunk), A_PAGE)]
        begin = time.perf_counter()
        pages = [[(raw, source.parse(raw)) for raw in source.read_page(each, stream=stream).records] for each in bodies]
        reading = time.perf_counter() - begin
        before = tables.highest_ids()

        def ingest(pages: list[list[Any]] = pages) -> None:
            for page in pages:
                with transaction.atomic():
                    counts = sink(page)
                assert counts.new == len(page), counts

        gc.collect()
        ingesting = seconds(ingest)
        added = tables.rows_after(before)
        pages.clear()

        def copy(added: tables.Rows = added) -> None:
            with transaction.atomic():
                tables.copy_in(added)

        gc.collect()
        copying = seconds(copy)
        rows += added.count
        copied.append((copying, ingesting))
        parsed.append((copying, reading + ingesting))
    grown = {table for table, figures in tables.heap_writes().items() if figures[0] > written.get(table, (0, 0, 0))[0]}
    assert grown <= set(tables.TABLES), f"Rows of {grown - set(tables.TABLES)} were not copied."
    total = sum(ingesting for _, ingesting in copied)
    record(
        compare(
            GROUP,
            f"rows/s of ingest over rows/s of COPY, works of {name}",
            copied,
            limit=0.25,
            direction="at least",
            statistic=ratio_of_sums,
            note=(
                f"Parsed works, {A_PAGE} per transaction through the sink, against COPY of exactly the rows it wrote, "
                "from memory, into copies of the same tables with the same indexes and constraints."
            ),
            rows=rows,
            rows_per_second=round(rows / total),
            works_per_second=round(PAPERS / total),
        )
    )
    record(
        compare(
            GROUP,
            f"the same with reading and parsing the JSON of {name}",
            parsed,
            limit=None,
            statistic=ratio_of_sums,
            works_per_second=round(PAPERS / sum(both for _, both in parsed)),
        )
    )
