"""What ten times as many papers cost: the same work in the tenth and in the whole, by turns."""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from django.db import connection, transaction

from papers.models import Paper
from papers.sources.records import PaperRecord
from tests.benchmarks.building import PAPERS, SEED, SMALL, SMALL_SHARE, UNTIL, Build, index_folder, small_index_folder
from tests.benchmarks.conftest import Record
from tests.benchmarks.measure import Pair, compare, percentile, seconds
from tests.benchmarks.site import Site, close_wrappers, in_database, work_of
from tests.benchmarks.test_search import through_haystack, typical_queries
from wovepaper.demo.documents import FORMATS, oai_page
from wovepaper.demo.papers import generate
from wovepaper.demo.source import NAME, PAPERS_A_PAGE
from wovepaper.harvest import registry
from wovepaper.harvest.contracts import RawRecord

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7_200)]
GROUP = "Growth"


@pytest.fixture(autouse=True, scope="module")
def _connections() -> Iterator[None]:
    yield
    close_wrappers()


def in_both(work_folder: Path, action: Callable[[], float], *, rounds: int) -> list[Pair]:
    """Seconds in the whole and in the tenth, by turns."""
    small = (SMALL, small_index_folder(work_folder))
    large = (connection.settings_dict["NAME"], index_folder())
    pairs = []
    for number in range(rounds + 1):
        measured = {}
        for name, index in (small, large) if number % 2 else (large, small):
            with in_database(name, index):
                connection.ensure_connection()
                action()  # opens what was left open, and fills the caches that were emptied
                measured[name] = action()
        if number:
            pairs.append((measured[large[0]], measured[small[0]]))
    return pairs


@pytest.mark.parametrize("what", ["paper page", "list page", "category page", "front page"])
def test_page(catalogue: Build, record: Record, work_folder: Path, what: str) -> None:
    site = Site()
    paper = Paper.objects.filter(pk__lt=500, author_count=4).first()
    assert paper is not None
    address = {
        "paper page": paper.get_absolute_url(),
        "list page": "/papers",
        "category page": "/categories/cs.LG",
        "front page": "/",
    }[what]
    pairs = in_both(work_folder, partial(work_of, partial(site.get, address)), rounds=30)
    record(compare(GROUP, f"{what}, ten times the papers", pairs, limit=1.2))


def test_upsert(catalogue: Build, record: Record, work_folder: Path) -> None:
    source, sink = registry.get(NAME).source, registry.get(NAME).sink
    tenth = PAPERS // SMALL_SHARE
    batch = list(generate(tenth, seed=SEED, until=UNTIL, start=max(0, tenth - PAPERS_A_PAGE)))
    given: list[tuple[RawRecord, PaperRecord]] = [
        (raw, source.parse(raw))
        for form in FORMATS
        for raw in source.read_page(oai_page(batch, form=form, until=UNTIL), stream=form).records
    ]
    counter = itertools.count(1)

    def changed(number: int) -> list[tuple[RawRecord, PaperRecord]]:
        stamp = (UNTIL + dt.timedelta(days=number)).isoformat()
        return [
            (
                dataclasses.replace(raw, stamp=stamp),
                dataclasses.replace(
                    parsed,
                    stamp=stamp,
                    content_hash=f"{number:064x}",
                    abstract=f"{parsed.abstract} Revised for the {number}th time.",
                ),
            )
            for raw, parsed in given
        ]

    def upsert() -> float:
        records = changed(next(counter))

        def write() -> None:
            with transaction.atomic():
                counts = sink(records)
            assert counts.changed == len(records), counts

        return seconds(write)

    pairs = in_both(work_folder, upsert, rounds=12)
    record(
        compare(
            GROUP, "upsert, ten times the papers", pairs, limit=1.2,
            note="The same 400 papers in two formats, every abstract changed each time.",
        )
    )  # fmt: skip


def test_search(catalogue: Build, record: Record, work_folder: Path) -> None:
    queries = [through_haystack(text) for text in typical_queries(100)]

    def p95() -> float:
        return percentile([seconds(query) for query in queries], 0.95)

    pairs = in_both(work_folder, p95, rounds=10)
    record(compare(GROUP, "p95 of search with facets, ten times the papers", pairs, limit=4))
