"""Search and the index build, against the engine without us."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest
import tantivy
from django.db import connection
from haystack import connections
from haystack.inputs import Clean
from haystack.query import SearchQuerySet

from papers.models import Paper
from papers.searching import FACETS
from tests.benchmarks.building import Build
from tests.benchmarks.conftest import Record
from tests.benchmarks.measure import Pair, Result, bootstrap, by_turns, compare, fastest, percentile, seconds
from wovepaper.search.backend import TantivySearchBackend
from wovepaper.search.documents import DocumentBuilder
from wovepaper.search.queries import QueryBuilder
from wovepaper.search.rebuild import HEAP_PER_THREAD, in_key_order, rebuild
from wovepaper.search.search import narrowed_query
from wovepaper.search.store import Snapshot, open_engine_index

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7_200)]
GROUP = "Search"
TOP = 24
QUERIES = 200
ALLOWANCE = 0.003
"""Seconds that a search may take beyond twice the engine's time."""
_WORD = re.compile(r"[A-Za-z]{3,}")


def typical_queries(count: int) -> list[str]:
    """One to four words that occur together in a title, from all over the catalogue; common words as well as rare."""
    random = Random(5)
    lowest, highest = Paper.objects.order_by("id")[0].pk, Paper.objects.order_by("-id")[0].pk
    found = []
    while len(found) < count:
        paper = Paper.objects.filter(pk__gte=random.randint(lowest, highest)).order_by("pk")[0]
        words = _WORD.findall(paper.title)
        if words:
            start = random.randrange(len(words))
            found.append(" ".join(words[start : start + random.randint(1, 4)]))
    return found


def backend() -> TantivySearchBackend:
    found = connections["default"].get_backend()
    assert isinstance(found, TantivySearchBackend)
    return found


def through_haystack(text: str) -> Callable[[], object]:
    """The search as the portal does it: first page, with facets."""

    def search() -> object:
        results = SearchQuerySet().models(Paper).filter(content=Clean(text))
        for name in FACETS:
            results = results.facet(name)
        rows = results[:TOP]
        return len(rows), results.count(), results.facet_counts()

    return search


def through_the_engine(text: str) -> Callable[[], object]:
    """The same query, built beforehand: hits with their stored fields, count, and the facets in one aggregation."""
    results = SearchQuerySet().models(Paper).filter(content=Clean(text))
    ours = backend()
    snapshot = ours.store.snapshot()
    assert isinstance(snapshot, Snapshot)
    request = ours.build_search_kwargs(results.query.build_query(), models={Paper})["request"]
    query = narrowed_query(snapshot, QueryBuilder(snapshot.schema, snapshot.index, snapshot.searcher), request)
    searcher = snapshot.searcher
    wanted = {
        name: {"terms": {"field": snapshot.schema.sortable[name].key, "size": 200, "segment_size": 65_000}}
        for name in FACETS
    }

    def search() -> object:
        found = searcher.search(query, TOP, count=True)
        facets = searcher.aggregate(query, wanted)
        return [searcher.doc(address) for _, address in found.hits], found.count, facets  # type: ignore[attr-defined]

    return search


def test_top_hits_with_facets(catalogue: Build, record: Record) -> None:
    pairs: list[Pair] = []
    hits = []
    for text in typical_queries(QUERIES):
        ours, raw = through_haystack(text), through_the_engine(text)
        shown, total, facets = ours()  # type: ignore[misc]
        documents, count, _ = raw()  # type: ignore[misc]
        assert (shown, total) == (len(documents), min(count, 10_000)), text
        assert sum(number for _, number in facets["fields"]["kind"]) == count
        hits.append(count)
        pairs += by_turns(ours, raw, repetitions=1, measure=partial(fastest, runs=5), warm_up=0)

    def p95_beyond_allowance(sample: Sequence[Pair]) -> float:
        ours = percentile([pair[0] for pair in sample], 0.95)
        return max(0.0, ours - ALLOWANCE) / percentile([pair[1] for pair in sample], 0.95)

    interval = bootstrap(pairs, p95_beyond_allowance)
    record(
        Result(
            GROUP,
            "p95 of top 24 with facets, less 3 ms, over p95 of Tantivy",
            interval.value,
            interval.low,
            interval.high,
            2.0,
            note="200 queries of 1 to 4 words from titles; the fastest of five runs each.",
            details={
                "p95_ms": round(percentile([pair[0] for pair in pairs], 0.95) * 1e3, 2),
                "tantivy_p95_ms": round(percentile([pair[1] for pair in pairs], 0.95) * 1e3, 2),
                "median_ms": round(percentile([pair[0] for pair in pairs], 0.5) * 1e3, 2),
                "tantivy_median_ms": round(percentile([pair[1] for pair in pairs], 0.5) * 1e3, 2),
                "median_hits": percentile(hits, 0.5),
            },
        )
    )


def test_index_build(catalogue: Build, record: Record, tmp_path: Path) -> None:
    ours = backend()
    index = connections["default"].get_unified_index().get_index(Paper)
    schema = ours.current_schema()
    builder = DocumentBuilder(schema)
    documents = [
        builder.build(prepared)
        for objects in in_key_order(index, "default", 1_000)
        for prepared in ours.prepare(index, objects)
    ]
    threads = 2
    folders = (tmp_path / f"raw-{number}" for number in itertools.count())

    def raw() -> None:
        folder = next(folders)
        folder.mkdir()
        writer: tantivy.IndexWriter = open_engine_index(folder, schema).writer(HEAP_PER_THREAD * threads, threads)
        for document in documents:
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()

    pairs = by_turns(lambda: rebuild(ours), raw, repetitions=3, warm_up=0)
    record(
        compare(
            GROUP,
            "index build from the database over Tantivy's add_document",
            pairs,
            limit=None,
            note="Whole rebuilds, against adding and committing the same documents, made beforehand; two threads each.",
            documents=len(documents),
            documents_per_second=round(len(documents) / min(pair[0] for pair in pairs)),
        )
    )


def test_reading_the_papers_is_part_of_the_build(catalogue: Build, record: Record) -> None:
    """How much of a rebuild is the database and the preparation: what is left to gain there."""
    ours = backend()
    index = connections["default"].get_unified_index().get_index(Paper)
    connection.ensure_connection()

    def read() -> None:
        for objects in in_key_order(index, "default", 1_000):
            for _ in objects:
                pass

    def read_and_prepare() -> None:
        for objects in in_key_order(index, "default", 1_000):
            for _ in ours.prepare(index, objects):
                pass

    pairs = [(seconds(read), seconds(read_and_prepare))]
    record(
        compare(GROUP, "reading the papers over reading and preparing them", pairs, limit=None, note="Once.")
    )  # fmt: skip
