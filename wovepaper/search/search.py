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
from wovepaper.search.ordering import Finder, Hit, by_score, read_keys
from wovepaper.search.queries import QueryBuilder, Reading
from wovepaper.search.ranking import Nearness, rank, ranked_leaf
from wovepaper.search.store import Snapshot

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
    nearness: Nearness | None = None


def run(snapshot: Snapshot, request: Request) -> dict[str, Any]:
    """Haystack's answer: ``results``, ``hits`` (capped), ``total`` (exact), ``facets`` and ``stats``.

    Of words to be ranked ``total`` and what is counted are the documents that have all of them; ``hits`` may be more.
    """
    builder = QueryBuilder(snapshot.schema, snapshot.index, snapshot.searcher)
    query = narrowed_query(snapshot, builder, request)
    leaf = ranked_leaf(request.condition)
    if leaf is None or not by_score(read_keys(snapshot.schema, request.sort_by)):
        return fetch(snapshot, query, builder, request)

    def read(reading: Reading) -> Query:
        if reading is Reading.ALL:
            return query
        other = QueryBuilder(snapshot.schema, snapshot.index, snapshot.searcher, reading)
        return narrowed_query(snapshot, other, request)

    counted = facets.count(snapshot, builder, query, request.wanted)
    limit = request.max_hits if request.end is None else min(request.end, request.max_hits)
    ranking = rank(snapshot, leaf, read, total=counted.total, limit=limit, nearness=request.nearness)
    return _answer(snapshot, request, counted, ranking.hits[request.start :], pageable=ranking.pageable)


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
    return _answer(snapshot, request, counted, hits, pageable=counted.total)


def _answer(
    snapshot: Snapshot, request: Request, counted: facets.Counted, hits: Sequence[Hit], *, pageable: int
) -> dict[str, Any]:
    return {
        "results": _results(snapshot, hits, request),
        "hits": min(pageable, request.max_hits),
        "total": counted.total,
        "facets": counted.facets,
        "stats": counted.stats,
    }


def _results(snapshot: Snapshot, hits: Sequence[Hit], request: Request) -> list[Any]:
    highlighter = Highlighter(snapshot.schema, request.condition, request.highlight) if request.highlight else None
    results = []
    for hit in hits:
        source = snapshot.source(hit.address)
        if highlighter is not None:
            source["highlighted"] = highlighter.of(source)
        app_label, model_name = source.pop(DJANGO_CT).split(".")
        results.append(request.result_class(app_label, model_name, source.pop(DJANGO_ID), hit.score, **source))
    return results


def find_document(snapshot: Snapshot, identifier: str) -> Mapping[str, Any] | None:
    """The stored fields of the document with this identifier."""
    query = Query.term_query(snapshot.schema.engine_schema, ID, identifier)
    hits = Finder(snapshot).first(query, [], 1)
    return snapshot.source(hits[0].address) if hits else None
