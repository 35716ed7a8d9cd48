"""Records that only say that two names are of one work: of use where one of them is known, and nobody's else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from papers.services.ingest.lock import lock_writers
from papers.sources.records import PaperRecord
from wovepaper.harvest.contracts import IngestCounts, RawRecord, Sink

_KNOWN = """
    SELECT i.scheme, i.value FROM papers_paperidentifier i
    JOIN unnest(%s::text[], %s::text[]) AS given(scheme, value) ON i.scheme = given.scheme AND i.value = given.value
"""


@dataclass(frozen=True, slots=True)
class KnownNamesSink:
    """Hands records on to ``then``, but those that name no paper here and would have to make one of nothing."""

    then: Sink

    @transaction.atomic
    def __call__(self, records: Sequence[tuple[RawRecord, PaperRecord]]) -> IngestCounts:
        """What concerns nobody here counts as unchanged."""
        waiting = [each for each in records if each[1].names_only]
        if not waiting:
            return self.then(records)
        lock_writers()
        known = _known([record for _, record in waiting])
        parts = [[each for each in records if not each[1].names_only]]
        # One name may lead to the next, and what leads there goes in first, in whatever order they stand.
        while found := [each for each in waiting if not known.isdisjoint(each[1].identifiers)]:
            parts.append(found)
            waiting = [each for each in waiting if known.isdisjoint(each[1].identifiers)]
            known.update(*(record.identifiers for _, record in found))
        return _sum([self.then(part) for part in parts if part], idle=len(waiting))


def _sum(parts: Sequence[IngestCounts], *, idle: int) -> IngestCounts:
    return IngestCounts(
        sum(part.new for part in parts),
        sum(part.changed for part in parts),
        sum(part.unchanged for part in parts) + idle,
        tuple(refusal for part in parts for refusal in part.refused),
    )


def _known(records: Sequence[PaperRecord]) -> set[tuple[str, str]]:
    named = {identifier for record in records for identifier in record.identifiers}
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, [[scheme for scheme, _ in named], [value for _, value in named]])
        return set(cursor.fetchall())
