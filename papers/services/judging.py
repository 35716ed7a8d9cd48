"""Judges the search by the catalogue: pieces of papers as queries, in an index where the papers lack these pieces.

Three sets of judgements: a title asks for its paper, which has lost it; the first or last sentence of an abstract for
the rest; the title of a citing paper for the papers that it cites. Nothing of what is asked was learnt from
(``papers.services.training``). The index is made aside, with the same fields and read by the same code as the site's.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean

import numpy as np
from django.db import connection
from haystack import connections
from haystack.constants import DEFAULT_ALIAS

from papers.models import Paper
from papers.search_query import parse_query
from papers.services.embedding import text_of
from papers.services.training import papers_to_judge_by
from wovepaper.search.backend import TantivySearchBackend
from wovepaper.search.conditions import Ranked
from wovepaper.search.meaning.encoders import Encoder
from wovepaper.search.meaning.training import split_sentences
from wovepaper.search.meaning.vectors import Vectors
from wovepaper.search.ranking import Nearness
from wovepaper.search.search import Request, run
from wovepaper.search.store import Snapshot

OnStep = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is done, and of how much."""
DEPTH = 100
"""Hits that are looked at."""
_BATCH = 500
_CITED = """
SELECT paper_id, array_agg(cited_id) FROM papers_papercitation
WHERE paper_id = ANY(%s) AND cited_id = ANY(%s) GROUP BY paper_id
"""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A query, and the papers that answer it."""

    kind: str
    query: str
    wanted: frozenset[int]


@dataclass(frozen=True, slots=True)
class Score:
    """How well one mode answers one set: mean reciprocal rank, nDCG of the first ten, and milliseconds a query."""

    kind: str
    mode: str
    queries: int
    mrr: float
    ndcg: float
    milliseconds: float


@dataclass(frozen=True, slots=True)
class _Piece:
    """What a paper of the index has left, and what was taken from it."""

    title: str
    abstract: str
    kind: str
    query: str


def judge_search(
    folder: Path,
    encoder: Encoder | None,
    *,
    queries: int,
    papers: int,
    on_step: OnStep = lambda what, done, total: None,
) -> list[Score]:
    """The scores of all sets by words and, with an encoder, by words and meaning, and by meaning.

    ``folder`` is empty and gets the index; ``queries`` is how many there are of each set at most; ``papers`` how many
    the index holds at most.
    """
    judged = papers_to_judge_by(2 * queries)
    others = list(
        Paper.objects.visible()
        .exclude(pk__in=judged)
        .order_by("id")
        .values_list("id", flat=True)[: papers - len(judged)]
    )
    backend = TantivySearchBackend(DEFAULT_ALIAS, PATH=str(folder))
    judgements, texts = _build(backend, judged, others, on_step)
    judgements += _citing(judged, [*judged, *others], queries)
    vectors = _encode(encoder, texts, on_step) if encoder is not None and texts else None
    return list(_scores(backend.store.ensure(backend.current_schema()), judgements, vectors, on_step))


def _build(
    backend: TantivySearchBackend,
    judged: Sequence[int],
    others: Sequence[int],
    on_step: OnStep,
) -> tuple[list[Judgement], dict[int, str]]:
    index = connections[DEFAULT_ALIAS].get_unified_index().get_index(Paper)
    kinds = {paper_id: number for number, paper_id in enumerate(judged)}
    judgements: list[Judgement] = []
    texts: dict[int, str] = {}
    every = [*judged, *others]
    for start in range(0, len(every), _BATCH):
        with backend.writing() as writing:
            for paper in index.index_queryset().filter(pk__in=every[start : start + _BATCH]):
                document = index.full_prepare(paper)
                title, abstract = document["title"], document["abstract"]
                if paper.pk in kinds and (piece := _take_piece(title, abstract, kinds[paper.pk])):
                    title, abstract = piece.title, piece.abstract
                    document |= {"title": title, "abstract": abstract}
                    document["text"] = "\n".join((title, abstract, *document["authors"]))
                    judgements.append(Judgement(piece.kind, piece.query, frozenset((paper.pk,))))
                texts[paper.pk] = text_of(title, abstract)
                writing.put(document)
        on_step("indexing", min(start + _BATCH, len(every)), len(every))
    return judgements, texts


def _take_piece(title: str, abstract: str, number: int) -> _Piece | None:
    """Every other paper loses its title, the others in turn the first and the last sentence."""
    if number % 2 == 0:
        return _Piece("", abstract, "title", title)
    sentences = split_sentences(abstract)
    if len(sentences) < 2:
        return None
    place = 0 if number % 4 == 1 else len(sentences) - 1
    rest = " ".join(sentences[:place] + sentences[place + 1 :])
    return _Piece(title, rest, "sentence", sentences[place])


def _citing(judged: Sequence[int], known: Sequence[int], most: int) -> list[Judgement]:
    """Papers that cite others of the index; their own documents answer nothing."""
    with connection.cursor() as cursor:
        cursor.execute(_CITED, [list(judged), list(known)])
        cited = {citing: frozenset(found) for citing, found in cursor.fetchall()}
    titles = dict(Paper.objects.filter(pk__in=cited).values_list("pk", "title"))
    return [Judgement("citing", titles[citing], cited[citing]) for citing in list(cited)[:most]]


@dataclass(frozen=True)
class _Vectors:
    """The vectors of all papers of the index, in memory."""

    encoder: Encoder
    numbers: list[int]
    rows: Vectors

    @cached_property
    def place(self) -> dict[str, int]:
        """Where the row of each paper is."""
        return {str(number): place for place, number in enumerate(self.numbers)}

    def nearness(self, text: str) -> Nearness:
        """How near papers are to a text."""
        (sought,) = self.encoder.encode([text])
        return lambda keys: (self.rows[[self.place[key] for key in keys]] @ sought).tolist()

    def nearest(self, text: str) -> list[int]:
        """The papers nearest to a text."""
        (sought,) = self.encoder.encode([text])
        return [self.numbers[place] for place in np.argsort(-(self.rows @ sought))[:DEPTH]]


def _encode(encoder: Encoder, texts: Mapping[int, str], on_step: OnStep) -> _Vectors:
    numbers = list(texts)
    rows = []
    for start in range(0, len(numbers), _BATCH):
        rows.append(encoder.encode([texts[number] for number in numbers[start : start + _BATCH]]))
        on_step("encoding", min(start + _BATCH, len(numbers)), len(numbers))
    return _Vectors(encoder, numbers, np.concatenate(rows))


def _scores(
    snapshot: Snapshot, judgements: Sequence[Judgement], vectors: _Vectors | None, on_step: OnStep
) -> Iterator[Score]:
    modes: dict[str, Callable[[str], list[int]]] = {"lexical": lambda words: _by_words(snapshot, words, None)}
    if vectors is not None:
        modes["hybrid"] = lambda words: _by_words(snapshot, words, vectors.nearness(words))
        modes["meaning"] = vectors.nearest
    found: defaultdict[tuple[str, str], list[tuple[float, float, float]]] = defaultdict(list)
    for number, judgement in enumerate(judgements, start=1):
        words = parse_query(judgement.query).ranked_words
        for mode, ask in modes.items():
            started = time.perf_counter()
            hits = ask(words)
            taken = 1_000 * (time.perf_counter() - started)
            found[judgement.kind, mode].append(
                (_reciprocal(hits, judgement.wanted), _ndcg(hits, judgement.wanted), taken)
            )
        on_step("asking", number, len(judgements))
    for (kind, mode), values in found.items():
        yield Score(kind, mode, len(values), *(fmean(column) for column in zip(*values, strict=True)))


def _by_words(snapshot: Snapshot, words: str, nearness: Nearness | None) -> list[int]:
    request = Request(condition=Ranked(None, words, "title"), end=DEPTH, nearness=nearness)
    return [int(row.pk) for row in run(snapshot, request)["results"]]


def _reciprocal(hits: Sequence[int], wanted: frozenset[int]) -> float:
    return next((1 / rank for rank, hit in enumerate(hits, start=1) if hit in wanted), 0.0)


def _ndcg(hits: Sequence[int], wanted: frozenset[int]) -> float:
    gained = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits[:10], start=1) if hit in wanted)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(10, len(wanted)) + 1))
    return gained / best
