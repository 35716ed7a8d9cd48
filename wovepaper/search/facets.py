"""Counting: the total and all facets of a query in one pass over its hits; a pass more per query facet."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dateutil.relativedelta import relativedelta
from haystack.constants import ID
from haystack.exceptions import FacetingError, SearchBackendError
from tantivy import Query

from wovepaper.search.queries import QueryBuilder
from wovepaper.search.schema import Field, IndexSchema, microseconds
from wovepaper.search.store import Snapshot
from wovepaper.search.syntax import parse
from wovepaper.search.values import shown_value

DEFAULT_SIZE = 100
_MOST_VALUES = 65_000  # buckets the engine gives at most
_MOST_GAPS = 10_000
_TOTAL = "total"

FieldCounts = list[tuple[Any, int]]


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted."""

    total: int
    facets: dict[str, dict[str, Any]]
    stats: dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to count, in Haystack's shapes."""

    fields: Mapping[str, Mapping[str, Any]]
    dates: Mapping[str, Mapping[str, Any]]
    queries: Sequence[tuple[str, object]]
    stats: Mapping[str, Sequence[str]]

    def __bool__(self) -> bool:
        return bool(self.fields or self.dates or self.queries or self.stats)


def count(snapshot: Snapshot, builder: QueryBuilder, query: Query, wanted: Wanted) -> Counted:
    """Count the hits of a query and its facets.

    Raises ``SearchBackendError`` for a field without a column to facet by, ``FacetingError`` for dates without sense.
    """
    aggregations: dict[str, Any] = {_TOTAL: {"value_count": {"field": ID}}}
    gaps: dict[str, list[dt.datetime]] = {}
    for name, options in wanted.fields.items():
        aggregations[f"field {name}"] = _terms(facet_field(snapshot.schema, name), options)
    for name, options in wanted.dates.items():
        gaps[name] = list(_edges(options))
        field = facet_field(snapshot.schema, name)
        if gaps[name]:  # the engine knows no empty list of spans
            aggregations[f"date {name}"] = _ranges(field, gaps[name])
    for name, by in wanted.stats.items():
        aggregations |= _stats(snapshot.schema, name, by)
    reply = snapshot.searcher.aggregate(query, aggregations)

    facets: dict[str, dict[str, Any]] = {"fields": {}, "dates": {}, "queries": {}}
    for name, options in wanted.fields.items():
        facets["fields"][name] = _field_counts(
            facet_field(snapshot.schema, name), reply[f"field {name}"]["buckets"], options
        )
    for name, edges in gaps.items():
        facets["dates"][name] = _date_counts(edges, reply[f"date {name}"]["buckets"]) if edges else []
    facets["queries"] = _query_counts(snapshot, builder, query, wanted.queries)
    stats = {name: _shown_stats(reply, name, by) for name, by in wanted.stats.items()}
    return Counted(int(reply[_TOTAL]["value"]), facets if wanted else {}, stats)


def count_hits(snapshot: Snapshot, query: Query) -> int:
    """The number of hits of a query."""
    result: Any = snapshot.searcher.search(query, 1, count=True)  # the engine's stubs lack its count
    return int(result.count)


def facet_field(schema: IndexSchema, name: str) -> Field:
    """The field whose column facets ``name``. Raises ``SearchBackendError`` where there is none."""
    field = schema.sortable.get(name)
    if field is None:
        raise SearchBackendError(f"There are no facets by {name!r}; there are by {', '.join(sorted(schema.sortable))}.")
    return field


# --- values of a field ---------------------------------------------------------------------------------------


def _size(options: Mapping[str, Any]) -> int:
    size = int(options.get("size") or options.get("limit") or DEFAULT_SIZE)
    return _MOST_VALUES if size < 0 else max(1, min(size, _MOST_VALUES))


def _terms(field: Field, options: Mapping[str, Any]) -> dict[str, Any]:
    # Each segment gives all its values, up to the engine's bound, so that the counts are exact.
    size = _MOST_VALUES if options.get("order", "count") != "count" else min(2 * _size(options), _MOST_VALUES)
    return {"terms": {"field": field.key, "size": size, "segment_size": _MOST_VALUES}}


def _field_counts(field: Field, buckets: list[dict[str, Any]], options: Mapping[str, Any]) -> FieldCounts:
    least = int(options.get("mincount", 1))
    counts = [
        (shown_value(field, bucket["key"]), int(bucket["doc_count"]))
        for bucket in buckets
        if bucket["doc_count"] >= least
    ]
    counts.sort(key=lambda pair: pair[0])
    match options.get("order", "count"):
        case "count":
            counts.sort(key=lambda pair: pair[1], reverse=True)
        case "reverse_count":
            counts.sort(key=lambda pair: pair[1])
        case "reverse_term":
            counts.reverse()
        case "term" | "index":
            pass
        case other:
            raise FacetingError(f"Facets are ordered by count, reverse_count, term or reverse_term, not {other!r}.")
    return counts[: _size(options)]


# --- spans of a date -----------------------------------------------------------------------------------------


def _day_start(value: dt.date) -> dt.datetime:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).replace(tzinfo=None) if value.tzinfo else value
    return dt.datetime(value.year, value.month, value.day)  # noqa: DTZ001 - UTC, shown naive as Haystack does


def _edges(options: Mapping[str, Any]) -> Iterator[dt.datetime]:
    """The starts of the spans and the end of the last, or nothing; an end without a time includes its day."""
    start, end = options["start_date"], options["end_date"]
    first = _day_start(start)
    last = _day_start(end) + (dt.timedelta(microseconds=1) if isinstance(end, dt.datetime) else dt.timedelta(days=1))
    amount = int(options.get("gap_amount") or 1)
    if amount < 1:
        raise FacetingError("The gap of a date facet must be at least 1.")
    gap = {f"{options['gap_by'].lower()}s": amount}
    if first >= last:
        return
    edge, number = first, 0
    while edge < last:
        yield edge
        number += 1
        if number > _MOST_GAPS:
            raise FacetingError(f"A date facet has at most {_MOST_GAPS} spans; take a larger gap.")
        try:
            # From the start each time: the 31st stays the 31st after a shorter month.
            edge = first + relativedelta(**{unit: count * number for unit, count in gap.items()})  # type: ignore[arg-type]
        except (ValueError, OverflowError):
            break
    yield last


def _ranges(field: Field, edges: list[dt.datetime]) -> dict[str, Any]:
    spans = [
        {"key": str(number), "from": float(microseconds(start)), "to": float(microseconds(end))}
        for number, (start, end) in enumerate(pairwise(edges))
    ]
    return {"range": {"field": field.key, "ranges": spans}}


def _date_counts(edges: list[dt.datetime], buckets: list[dict[str, Any]]) -> FieldCounts:
    counts = {bucket["key"]: int(bucket["doc_count"]) for bucket in buckets}
    return [(edge, counts[str(number)]) for number, edge in enumerate(edges[:-1]) if counts.get(str(number))]


# --- queries and statistics ----------------------------------------------------------------------------------


def _query_counts(
    snapshot: Snapshot, builder: QueryBuilder, query: Query, facets: Sequence[tuple[str, object]]
) -> dict[str, int]:
    """Hits per query facet, by its field, or by ``field:query`` for a field with several."""
    names = [name for name, _ in facets]
    counts: dict[str, int] = {}
    for name, text in facets:
        facet = builder.build(parse(str(text), name))
        label = name if names.count(name) == 1 else f"{name}:{text}"
        counts[label] = count_hits(snapshot, builder.all_of([query, facet]))
    return counts


def _stats(schema: IndexSchema, name: str, by: Sequence[str]) -> dict[str, Any]:
    field = facet_field(schema, name)
    if not field.kind.is_number:
        raise SearchBackendError(f"Statistics are of numbers; {name!r} holds {field.kind}.")
    measures = {"extended_stats": {"field": field.key}}
    wanted: dict[str, Any] = {f"stats {name}": measures}
    for facet in by:
        terms = {"field": facet_field(schema, facet).key, "size": _MOST_VALUES, "segment_size": _MOST_VALUES}
        wanted[f"stats {name} by {facet}"] = {"terms": terms, "aggs": {"stats": measures}}
    return wanted


def _measures(stats: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "min": stats["min"],
        "max": stats["max"],
        "sum": stats["sum"],
        "count": stats["count"],
        "mean": stats["avg"],
        "sumOfSquares": stats["sum_of_squares"],
        "stddev": stats["std_deviation_sampling"],
    }


def _shown_stats(reply: Mapping[str, Any], name: str, by: Sequence[str]) -> dict[str, Any]:
    shown = _measures(reply[f"stats {name}"])
    shown["facets"] = {
        facet: {str(group["key"]): _measures(group["stats"]) for group in reply[f"stats {name} by {facet}"]["buckets"]}
        for facet in by
    }
    return shown
