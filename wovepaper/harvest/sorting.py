"""A sink for sources whose documents hold several kinds of records, for example papers and authors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wovepaper.harvest.contracts import IngestCounts, RawRecord, Refusal, Sink


class SortingSink:
    """Hands each record to the sink of its kind: the type that its source's parser makes of it.

    An app adds the sinks of its own kinds, so that no app has to know those above it.
    """

    def __init__(self, sinks: Mapping[type, Sink] | None = None) -> None:
        self._sinks = dict(sinks or {})

    def add(self, kind: type, sink: Sink) -> None:
        """From now on ``sink`` takes the records of ``kind``."""
        self._sinks[kind] = sink

    def __call__(self, records: Sequence[tuple[RawRecord, Any]]) -> IngestCounts:
        """Kind by kind, each in its order. A record of a kind that nobody takes is refused."""
        by_kind: dict[type, list[tuple[RawRecord, Any]]] = {}
        for raw, record in records:
            by_kind.setdefault(type(record), []).append((raw, record))
        new = changed = unchanged = 0
        refused: list[Refusal] = []
        for kind, group in by_kind.items():
            if kind not in self._sinks:
                refused += [
                    Refusal(raw, f"Nobody here takes in a record of the kind {kind.__name__}.") for raw, _ in group
                ]
                continue
            counts = self._sinks[kind](group)
            new, changed, unchanged = new + counts.new, changed + counts.changed, unchanged + counts.unchanged
            refused += counts.refused
        return IngestCounts(new, changed, unchanged, tuple(refused))
