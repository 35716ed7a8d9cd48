"""The order of hits for words as a reader types them.

What is titled just so comes first, then what has all the words. Of four words and more, and where nothing has all of
fewer, the best of what has only some of them follows: one word too many shall not hide what is sought. Each group is
in the order of BM25 (``QueryBuilder.ranked``). Where the caller can tell how near in meaning documents are, the first
``DEPTH`` hits are ordered by both together instead, each group by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from haystack.constants import DJANGO_ID
from tantivy import Query

from wovepaper.search import analysis
from wovepaper.search.conditions import Condition, Ranked, positive_leaves
from wovepaper.search.ordering import Finder, Hit
from wovepaper.search.queries import Reading
from wovepaper.search.schema import NUMBER
from wovepaper.search.store import Snapshot
from wovepaper.search.values import as_text

DEPTH = 200
"""Hits that are ordered by meaning too; and where fewer have all the words, others are added up to this number."""
MEANING = 0.5
"""What one standard deviation of nearness in meaning weighs against one of BM25."""
FORGIVEN_FROM = 4
"""Words from which on one may be missing; where nothing has them all, it may of fewer too."""
_TITLES = 24
"""Documents with the words in their title, the shortest first, of which one may be titled just so."""

Nearness = Callable[[Sequence[str]], Sequence[float | None]]
"""For documents by their primary keys, how near in meaning each is to what is sought; ``None`` where nobody knows."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The first hits in order, and how many there are to page through: at least all those with all the words."""

    hits: list[Hit]
    pageable: int


def ranked_leaf(condition: Condition) -> Ranked | None:
    """The words of a condition that are to be ranked, if there are any."""
    return next((leaf for leaf in positive_leaves(condition) if isinstance(leaf, Ranked)), None)


def rank(
    snapshot: Snapshot,
    leaf: Ranked,
    query: Callable[[Reading], Query],
    *,
    total: int,
    limit: int,
    nearness: Nearness | None = None,
) -> Ranking:
    """The first ``limit`` hits. ``query`` is the whole question by how it takes ``leaf``; ``total`` have all words."""
    finder = Finder(snapshot)
    depth = max(DEPTH, limit) if nearness is None else DEPTH
    hits = finder.first(query(Reading.ALL), [], min(total, depth)) if total else []
    complete = len(hits)
    if len(hits) < DEPTH and (not total or len(leaf.text.split()) >= FORGIVEN_FROM):
        hits = _merged(hits, finder.first(query(Reading.SOME), [], DEPTH))[:DEPTH]
    pageable = max(total, len(hits))
    if nearness is not None:
        hits = _by_meaning(snapshot, hits, nearness, complete)
    if total and leaf.title:
        hits = _merged(_titled(snapshot, finder.first(query(Reading.TITLED), [], _TITLES), leaf), hits)
    if len(hits) < min(limit, total):
        hits = _merged(hits, finder.first(query(Reading.ALL), [], limit))
    return Ranking(hits[:limit], pageable)


def fuse(scores: Sequence[float], nearness: Sequence[float | None]) -> list[float]:
    """BM25 and nearness in one figure: each in standard deviations from its mean, the second times ``MEANING``.

    A document of whose meaning nothing is known is as near as the mean.
    """
    by_words, by_meaning = _spread(scores), _spread([value for value in nearness if value is not None])
    return [
        by_words(score) + (0.0 if near is None else MEANING * by_meaning(near))
        for score, near in zip(scores, nearness, strict=True)
    ]


def _spread(values: Sequence[float]) -> Callable[[float], float]:
    mean = fmean(values) if values else 0.0
    deviation = pstdev(values, mean) if values else 0.0
    return lambda value: (value - mean) / deviation if deviation else 0.0


def _by_meaning(snapshot: Snapshot, hits: Sequence[Hit], nearness: Nearness, complete: int) -> list[Hit]:
    """In the order of both, but the first ``complete`` hits, which have all the words, stay before the others."""
    if not hits:
        return []
    fused = fuse([hit.score for hit in hits], nearness(_keys(snapshot, hits)))
    return [hits[index] for index in sorted(range(len(hits)), key=lambda index: (index >= complete, -fused[index]))]


def _keys(snapshot: Snapshot, hits: Sequence[Hit]) -> list[str]:
    """The primary keys of hits: from their column where there is one, which is ten times quicker."""
    numbers: Sequence[object] = [None] * len(hits)
    if snapshot.schema.has_numbers:
        numbers = snapshot.searcher.fast_field_values(NUMBER, [hit.address for hit in hits])
    return [
        str(snapshot.source(hit.address)[DJANGO_ID] if number is None else number)
        for number, hit in zip(numbers, hits, strict=True)
    ]


def _titled(snapshot: Snapshot, hits: Iterable[Hit], leaf: Ranked) -> list[Hit]:
    """Of hits with the words in their title those that have nothing else in it."""
    words = analysis.tokens(leaf.text, analysis.EXACT)
    return [
        hit
        for hit in hits
        if analysis.tokens(as_text(snapshot.source(hit.address).get(leaf.title) or ""), analysis.EXACT) == words
    ]


def _merged(first: Iterable[Hit], second: Iterable[Hit]) -> list[Hit]:
    """The hits of both, each where it stands first."""
    found: dict[tuple[int, int], Hit] = {}
    for hit in (*first, *second):
        found.setdefault((hit.address.segment_ord, hit.address.doc), hit)
    return list(found.values())
