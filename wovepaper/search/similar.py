"""Documents like one: those that share its telling words (the rules of Lucene's MoreLikeThis and Elasticsearch's)."""

from __future__ import annotations

import math
from collections import Counter

from tantivy import Occur, Query

from wovepaper.search import analysis
from wovepaper.search.schema import Kind
from wovepaper.search.store import Snapshot

MOST_TERMS = 25
LEAST_DOCUMENTS = 5
"""A word in fewer documents tells nothing about the others."""
LEAST_TIMES = 2
"""A word must come this often in the document, unless too few do."""
ENOUGH_TERMS = 5
LEAST_SHARED = 0.3
"""Of the telling words, a similar document has at least this part."""
_LONGEST_TEXT = 100_000


def similar_query(snapshot: Snapshot, text: str) -> Query:
    """A query for documents like one with this text; finds nothing for a text without telling words."""
    field = snapshot.schema.get(None)
    if field is None:
        return Query.empty_query()
    analyzer = analysis.STEMMED if field.kind is Kind.TEXT else analysis.EXACT
    terms = _telling(snapshot, field.name, Counter(analysis.tokens(text[:_LONGEST_TEXT], analyzer)))
    if not terms:
        return Query.empty_query()
    schema = snapshot.schema.engine_schema
    clauses = [(Occur.Should, Query.term_query(schema, field.name, term)) for term in terms]
    return Query.boolean_query(clauses, minimum_number_should_match=max(1, math.ceil(LEAST_SHARED * len(terms))))


def _telling(snapshot: Snapshot, field: str, counts: Counter[str]) -> list[str]:
    often = {term: times for term, times in counts.items() if times >= LEAST_TIMES}
    found = _weighted(snapshot, field, often)
    if len(found) < ENOUGH_TERMS:
        found = _weighted(snapshot, field, counts)
    return [term for _, term in sorted(found, reverse=True)[:MOST_TERMS]]


def _weighted(snapshot: Snapshot, field: str, counts: dict[str, int]) -> list[tuple[float, str]]:
    searcher = snapshot.searcher
    documents = max(searcher.num_docs, 1)
    weighted = []
    for term, times in counts.items():
        frequency = searcher.doc_freq(field, term)
        if frequency >= LEAST_DOCUMENTS:
            weighted.append((times * (1.0 + math.log(documents / (frequency + 1))), term))
    return weighted
