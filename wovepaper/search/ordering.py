"""The best hits of a query, by score or by any fields, with ties broken by the next field.

The engine orders by one column. Further keys are settled here: hits that tie on one key are ordered by the next; only
the group that the page's end cuts through is asked for again, by the next key, within that group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import tantivy
from haystack.constants import DJANGO_ID
from haystack.exceptions import SearchBackendError
from tantivy import Occur, Order, Query

from wovepaper.search.schema import BOOST, IndexSchema
from wovepaper.search.store import Snapshot

SCORE = "score"
_MAX_TIED = 10_000
"""Hits of one score among which further keys decide; beyond, the order of the index does."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the order; ``column`` is the engine's, or ``SCORE``."""

    column: str
    descending: bool = False
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A document found, with its score (0 where the order is not by score)."""

    score: float
    address: tantivy.DocAddress


def read_keys(schema: IndexSchema, sort_by: Sequence[str | tuple[str, str]]) -> list[Key]:
    """The keys of Haystack's order: ``name``, ``-name`` or ``(name, "asc" | "desc")``; ``score`` by relevance.

    Raises ``SearchBackendError`` for a field without a column to order by.
    """
    keys: list[Key] = []
    for item in sort_by:
        name, direction = (item, "asc") if isinstance(item, str) else item
        descending = direction == "desc"
        if name.startswith("-"):
            name, descending = name[1:], not descending
        if name in {SCORE, "_score"}:
            keys.append(Key(SCORE, descending=descending))
            continue
        field = schema.sortable.get(DJANGO_ID if name == "pk" else name)
        if field is None:
            known = ", ".join(sorted(schema.sortable))
            raise SearchBackendError(f"Results cannot be ordered by {name!r}; they can by score and by {known}.")
        keys.append(Key(field.key, descending=descending, is_number=field.kind.is_number))
    return keys


def by_score(keys: Sequence[Key]) -> bool:
    """Whether the order is by relevance alone, the best first."""
    return not keys or list(keys) == [Key(SCORE, descending=True)]


class Finder:
    """Finds the first hits of a query in an order."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._searcher = snapshot.searcher
        self._schema = snapshot.schema.engine_schema
        self._weight = BOOST if snapshot.has_boosts else None

    def first(self, query: Query, keys: list[Key], limit: int) -> list[Hit]:
        """The first ``limit`` hits; without keys, by score. Hits equal in all come in the order of the index.

        Documents without a value come last, whatever the direction.
        """
        if by_score(keys):
            return self._by_score(query, limit)
        if keys[0].column == SCORE:
            return self._by_score_and(query, keys, limit)
        found = self._by_column(query, keys[0], limit)
        if len(keys) == 1:
            return [hit for _, hit in found]
        settled: list[Hit] = []
        for value, group in groupby(found, key=lambda pair: pair[0]):
            hits = [hit for _, hit in group]
            cut = len(found) == limit and len(settled) + len(hits) == limit
            settled.extend(self._settle(query, keys, value, hits, cut=cut))
        return settled

    def _settle(self, query: Query, keys: list[Key], value: object, hits: list[Hit], *, cut: bool) -> list[Hit]:
        """Order hits that tie on the first key by the others; ``cut`` where the group may go on beyond them."""
        if len(hits) == 1 and not cut:
            return hits
        if not cut and all(key.is_number for key in keys[1:]):
            for key in reversed(keys[1:]):
                hits = self._sorted(hits, key)
            return hits
        return self.first(self._where(query, keys[0].column, value), keys[1:], len(hits))

    def _sorted(self, hits: list[Hit], key: Key) -> list[Hit]:
        values = self._searcher.fast_field_values(key.column, [hit.address for hit in hits])
        valued = [(value, hit) for value, hit in zip(values, hits, strict=True) if value is not None]
        valued.sort(key=lambda pair: pair[0], reverse=key.descending)
        return [hit for _, hit in valued] + [hit for value, hit in zip(values, hits, strict=True) if value is None]

    def _by_column(self, query: Query, key: Key, limit: int) -> list[tuple[object, Hit]]:
        order = Order.Desc if key.descending else Order.Asc
        result = self._searcher.search(query, limit, count=False, order_by_field=key.column, order=order)
        return [(value, Hit(0.0, address)) for value, address in result.hits]

    def _where(self, query: Query, column: str, value: object) -> Query:
        if value is None:
            same = Query.boolean_query([(Occur.Must, Query.all_query()), (Occur.MustNot, Query.exists_query(column))])
        else:
            same = Query.term_query(self._schema, column, value)
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, Query.const_score_query(same, 0.0))])

    def _by_score(self, query: Query, limit: int, *, descending: bool = True) -> list[Hit]:
        if descending:
            result = self._searcher.search(query, limit, count=False, weight_by_field=self._weight)
            return [Hit(float(score), address) for score, address in result.hits]
        # The engine only finds the highest; counting as well keeps it from skipping what could not be among them.
        worst = Query.boost_query(query, -1.0)
        result = self._searcher.search(worst, limit, count=True, weight_by_field=self._weight)
        return [Hit(-float(score), address) for score, address in result.hits]

    def _by_score_and(self, query: Query, keys: list[Key], limit: int) -> list[Hit]:
        found = self._by_score(query, limit, descending=keys[0].descending)
        # Hits that tie with the last one may lie beyond the limit.
        while len(found) >= limit and found[-1].score == found[limit - 1].score and len(found) < _MAX_TIED:
            wider = self._by_score(query, 4 * len(found), descending=keys[0].descending)
            if len(wider) == len(found):
                break
            found = wider
        settled: list[Hit] = []
        for _, group in groupby(found, key=lambda hit: hit.score):
            hits = list(group)
            for key in reversed(keys[1:]):
                if key.is_number:
                    hits = self._sorted(hits, key)
            settled.extend(hits)
        return settled[:limit]
