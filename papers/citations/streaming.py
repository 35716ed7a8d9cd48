"""Exports of any length, written piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from papers.citations.bibtex import to_bibtex
from papers.citations.data import CitationData
from papers.citations.keys import RunningKeys
from papers.citations.ris import to_ris

STREAMED: dict[str, Callable[[Sequence[CitationData], Sequence[str]], str]] = {"bibtex": to_bibtex, "ris": to_ris}
"""Formats whose files are one record after another."""


def stream(batches: Iterable[Sequence[CitationData]], name: str) -> Iterator[str]:
    """The file of all the batches, a piece for each; only the keys are kept. Raises ``KeyError`` for other formats."""
    write = STREAMED[name]
    keys = RunningKeys()
    begun = False
    for batch in batches:
        if not batch:
            continue
        between = "\n" if begun and name == "bibtex" else ""
        yield between + write(batch, keys.take(batch))
        begun = True
