"""Learns a table of tokens from texts themselves: what belongs together shall lie together.

A pair is a title and its abstract, or one sentence of an abstract and all the rest of the text, half each. Of the pairs
of a batch every other one's second half is a wrong answer for the first, and the reverse (symmetric InfoNCE). Learnt
are the vectors of the tokens and a weight for each, by Adam with a rate that falls to nothing; a share of the tokens is
left out at each step, so that none is relied on.

Sums and their gradients are products with a sparse matrix of which token stands in which text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from threadpoolctl import threadpool_limits

from wovepaper.search.meaning.tables import TableEncoder, token_ids
from wovepaper.search.meaning.vectors import Vectors, normalised

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z$])")
_TINY = np.float32(1e-8)
FEWEST_TEXTS = 200
"""Fewer say nothing of which words belong together."""


class TooFewTexts(ValueError):
    """There is not enough to learn from; the message says how much there is."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to learn. ``rate`` is Adam's, ``weight_rate`` that of the tokens' weights as a multiple of it."""

    epochs: int = 30
    batch: int = 2_048
    rate: float = 3e-3
    weight_rate: float = 5.0
    scale: float = 20.0
    dropped: float = 0.15
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _Text:
    title: list[int]
    sentences: list[list[int]]

    def whole(self) -> list[int]:
        return list(chain.from_iterable(self.sentences))

    def without(self, number: int) -> list[int]:
        return [*self.title, *chain.from_iterable(self.sentences[:number] + self.sentences[number + 1 :])]


def split_sentences(text: str) -> list[str]:
    """The sentences of an abstract, roughly: after a full stop, before a capital letter or a formula."""
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]


def train_table(
    texts: Sequence[tuple[str, str]],
    base: TableEncoder,
    options: Options | None = None,
    *,
    on_step: Callable[[int, int, float], None] = lambda step, steps, loss: None,
) -> Vectors:
    """A table learnt from titles and abstracts, beginning with ``base``; rows of tokens that do not occur stay.

    ``on_step`` is told the number of the step, of how many, and the loss. Raises ``TooFewTexts``.
    """
    options = options or Options()
    read, used = _read(texts)
    if len(read) < FEWEST_TEXTS:
        raise TooFewTexts(
            f"Only {len(read)} papers have a title and an abstract: at least {FEWEST_TEXTS} are needed to learn from."
        )
    learner = _Learner(base.table[used], options)
    random = np.random.default_rng(options.seed)
    size = min(options.batch, len(read))
    steps = options.epochs * (len(read) // size)
    # More threads than cores of a small machine only wait for each other.
    with threadpool_limits(limits=2):
        for step, batch in enumerate(_batches(read, size, options, random), start=1):
            on_step(step, steps, learner.step(*batch, progress=(step - 1) / steps))
    table = base.table.copy()
    table[used] = learner.table()
    return table


def _read(texts: Sequence[tuple[str, str]]) -> tuple[list[_Text], NDArray[np.int32]]:
    """The texts as numbers of the tokens that occur, and which these are."""
    split = [(title, split_sentences(abstract)) for title, abstract in texts if title.strip() and abstract.strip()]
    titles = token_ids([title for title, _ in split])
    flat = iter(token_ids([sentence for _, sentences in split for sentence in sentences]))
    read = [_Text(title, [next(flat) for _ in sentences]) for title, (_, sentences) in zip(titles, split, strict=True)]
    read = [text for text in read if text.title and any(text.sentences)]
    used = np.unique(np.fromiter((token for text in read for token in (*text.title, *text.whole())), dtype=np.int32))
    number = {int(token): index for index, token in enumerate(used)}
    for text in read:
        text.title[:] = [number[token] for token in text.title]
        for sentence in text.sentences:
            sentence[:] = [number[token] for token in sentence]
    return read, used


def _batches(
    texts: Sequence[_Text], size: int, options: Options, random: np.random.Generator
) -> Iterator[tuple[list[list[int]], list[list[int]], np.random.Generator]]:
    for _ in range(options.epochs):
        order = random.permutation(len(texts))
        for start in range(0, len(texts) - size + 1, size):
            pairs = [_pair(texts[index], random) for index in order[start : start + size]]
            yield [first for first, _ in pairs], [second for _, second in pairs], random


def _pair(text: _Text, random: np.random.Generator) -> tuple[list[int], list[int]]:
    if len(text.sentences) < 2 or random.random() < 0.5:
        return text.title, text.whole()
    number = int(random.integers(len(text.sentences)))
    return text.sentences[number], text.without(number)


class _Adam:
    """Adam's running means of one array of parameters."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._mean = np.zeros(shape, dtype=np.float32)
        self._square = np.zeros(shape, dtype=np.float32)
        self._steps = 0

    def change(self, gradient: NDArray[np.float32], rate: float) -> NDArray[np.float32]:
        """What to take away from the parameters."""
        self._steps += 1
        self._mean *= 0.9
        self._mean += 0.1 * gradient
        self._square *= 0.999
        self._square += 0.001 * gradient * gradient
        spread = np.sqrt(self._square / (1 - 0.999**self._steps)) + _TINY
        return np.asarray(rate / (1 - 0.9**self._steps) * self._mean / spread, dtype=np.float32)


class _Learner:
    """The parameters, and one step."""

    def __init__(self, rows: Vectors, options: Options) -> None:
        self._rows = rows.copy()
        self._weights = np.zeros(len(rows), dtype=np.float32)  # logarithms
        self._options = options
        self._adam_rows, self._adam_weights = _Adam(self._rows.shape), _Adam(self._weights.shape)

    def table(self) -> Vectors:
        """What was learnt."""
        return np.asarray(self._rows * np.exp(self._weights)[:, None], dtype=np.float32)

    def step(
        self,
        firsts: list[list[int]],
        seconds: list[list[int]],
        random: np.random.Generator,
        *,
        progress: float,
    ) -> float:
        """Learn from one batch of pairs; returns the loss before."""
        weights = np.exp(self._weights)
        table = self._rows * weights[:, None]
        first, second = self._counts(firsts, random), self._counts(seconds, random)
        sums_a, sums_b = first @ table, second @ table
        a, b = normalised(sums_a), normalised(sums_b)
        loss, slope = _contrast(a, b, self._options.scale)
        gradient = first.T @ _through_length(slope @ b, a, sums_a) + second.T @ _through_length(slope.T @ a, b, sums_b)
        rate = self._options.rate * (1.0 - progress)
        by_weight = weights * np.einsum("ij,ij->i", self._rows, gradient)
        gradient *= weights[:, None]
        self._rows -= self._adam_rows.change(gradient, rate)
        self._weights -= self._adam_weights.change(by_weight, rate * self._options.weight_rate)
        return loss

    def _counts(self, texts: list[list[int]], random: np.random.Generator) -> sparse.csr_matrix:
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        ends = np.concatenate(([0], np.cumsum(lengths)))
        tokens = np.fromiter(chain.from_iterable(texts), dtype=np.int32, count=int(ends[-1]))
        kept = (random.random(len(tokens)) >= self._options.dropped).astype(np.float32)
        return sparse.csr_matrix((kept, tokens, ends), shape=(len(texts), len(self._rows)))


def _contrast(a: Vectors, b: Vectors, scale: float) -> tuple[float, NDArray[np.float32]]:
    """Symmetric InfoNCE of rows that belong together, and its derivative by their products."""
    likeness = scale * (a @ b.T)
    by_row = np.exp(likeness - likeness.max(axis=1, keepdims=True))
    by_row /= by_row.sum(axis=1, keepdims=True)
    by_column = np.exp(likeness - likeness.max(axis=0, keepdims=True))
    by_column /= by_column.sum(axis=0, keepdims=True)
    loss = -0.5 * float(np.log(by_row.diagonal() + 1e-9).mean() + np.log(by_column.diagonal() + 1e-9).mean())
    slope = by_row + by_column
    slope[np.diag_indices_from(slope)] -= 2.0
    slope *= scale / (2 * len(a))
    return loss, np.asarray(slope, dtype=np.float32)


def _through_length(slope: NDArray[np.float32], rows: Vectors, sums: Vectors) -> NDArray[np.float32]:
    """The derivative by the sums, from that by the rows, which are the sums at length 1."""
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    along = np.einsum("ij,ij->i", rows, slope)[:, None]
    return np.asarray((slope - rows * along) / lengths, dtype=np.float32)
