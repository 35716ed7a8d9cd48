"""One search from request to results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from haystack.constants import DJANGO_CT, DJANGO_ID, ID
from haystack.models import SearchResult
from tantivy import Query

from wovepaper.search import facets
from wovepaper.search.conditions import Condition
from wovepaper.search.highlighting import Highlighter
from wovepaper.search.ordering import Finder, Hit, read_keys
from wovepaper.search.queries import QueryBuilder
from wovepaper.search.schema import SOURCE
from wovepaper.search.store import Snapshot
from wovepaper.search.values import decode_source

MAX_HITS = 10_000
"""Hits that can be paged through; Haystack keeps a slot for each. The exact total is given apart."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of the index. ``start`` and ``end`` number the hits from 0; ``models`` of ``None`` are all."""

    condition: Condition
    narrowed: Sequence[Condition] = ()
    models: frozenset[str] | None = None
    start: int = 0
    end: int | None = None
    sort_by: Sequence[str | tuple[str, str]] = ()
    wanted: facets.Wanted = field(default_factory=lambda: facets.Wanted({}, {}, (), {}))
    highlight: object = False
    result_class: type[Any] = SearchResult
    max_hits: int = MAX_HITS


def run(snapshot: Snapshot, request: Request) -> dict[str, Any]:
    """Haystack's answer: ``results``, ``hits`` (capped), ``total`` (exact), ``facets`` and ``stats``."""
    builder = QueryBuilder(snapshot.schema, snapshot.index, snapshot.searcher)
    query = narrowed_query(snapshot, builder, request)
    return fetch(snapshot, query, builder, request)


def narrowed_query(snapshot: Snapshot, builder: QueryBuilder, request: Request) -> Query:
    """The query of a request with its filters, which do not count for the score."""
    filters = [builder.build(condition) for condition in request.narrowed]
    # Mostly the index holds nothing but the models asked for, and needs no filter.
    if request.models is not None and not snapshot.models <= request.models:
        filters.append(builder.keyword(DJANGO_CT, sorted(request.models)) if request.models else Query.empty_query())
    return builder.filtered(builder.build(request.condition), filters)


def fetch(snapshot: Snapshot, query: Query, builder: QueryBuilder, request: Request) -> dict[str, Any]:
    """The hits of a query, as results, and what is to be counted."""
    counted = facets.count(snapshot, builder, query, request.wanted)
    end = request.max_hits if request.end is None else min(request.end, request.max_hits)
    end = min(max(end, 1), max(counted.total, 1))
    hits: list[Hit] = []
    if counted.total and request.start < end:
        keys = read_keys(snapshot.schema, request.sort_by)
        hits = Finder(snapshot).first(query, keys, end)[request.start :]
    return {
        "results": _results(snapshot, hits, request),
        "hits": min(counted.total, request.max_hits),
        "total": counted.total,
        "facets": counted.facets,
        "stats": counted.stats,
    }


def _results(snapshot: Snapshot, hits: Sequence[Hit], request: Request) -> list[Any]:
    highlighter = Highlighter(snapshot.schema, request.condition, request.highlight) if request.highlight else None
    results = []
    for hit in hits:
        source = source_of(snapshot, hit)
        if highlighter is not None:
            source["highlighted"] = highlighter.of(source)
        app_label, model_name = source.pop(DJANGO_CT).split(".")
        results.append(request.result_class(app_label, model_name, source.pop(DJANGO_ID), hit.score, **source))
    return results


def source_of(snapshot: Snapshot, hit: Hit) -> dict[str, Any]:
    """The stored fields of a hit."""
    encoded: Any = snapshot.searcher.doc(hit.address).get_first(SOURCE)
    return decode_source(snapshot.schema, encoded)


def find_document(snapshot: Snapshot, identifier: str) -> Mapping[str, Any] | None:
    """The stored fields of the document with this identifier."""
    query = Query.term_query(snapshot.schema.engine_schema, ID, identifier)
    hits = Finder(snapshot).first(query, [], 1)
    return source_of(snapshot, hits[0]) if hits else None
