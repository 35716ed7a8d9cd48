"""Exports of any length, written piece by piece."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from papers.citations.bibtex import to_bibtex
from papers.citations.csl import csl_items
from papers.citations.data import CitationData
from papers.citations.keys import RunningKeys
from papers.citations.ris import to_ris


@dataclass(frozen=True, slots=True)
class _Pieces:
    """How a file is put together: what stands before all, between two pieces and after all."""

    write: Callable[[Sequence[CitationData], Sequence[str]], str]
    between: str = ""
    before: str = ""
    after: str = ""


def _items(papers: Sequence[CitationData], keys: Sequence[str]) -> str:
    items = csl_items(papers, keys)
    return ",\n".join(json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in items)


STREAMED = {
    "bibtex": _Pieces(to_bibtex, between="\n"),
    "ris": _Pieces(to_ris),
    # An item on each line, so that a long list can be read as it comes.
    "csl-json": _Pieces(_items, between=",\n", before="[\n", after="\n]\n"),
}
"""Formats that can be written piece by piece."""


def stream(batches: Iterable[Sequence[CitationData]], name: str) -> Iterator[str]:
    """The file of all the batches, a piece for each; only the keys are kept. Raises ``KeyError`` for other formats."""
    pieces = STREAMED[name]
    keys = RunningKeys()
    begun = False
    if pieces.before:
        yield pieces.before
    for batch in batches:
        if not batch:
            continue
        yield (pieces.between if begun else "") + pieces.write(batch, keys.take(batch))
        begun = True
    if pieces.after:
        yield pieces.after
