"""Which of several papers records belong to, by what all other records of these papers say."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from papers.models import SourceRecord
from papers.services.ingest.identity import Candidate, choose
from papers.services.ingest.state import parse_stored


def better_places(records: Mapping[int, int], *, among: Collection[int]) -> dict[int, int]:
    """For records, given with their papers, the other paper of ``among`` that their identifiers, or their title,
    authors and year name. Records that fit where they are, or nowhere, are left out.
    """
    candidates = {paper: Candidate(paper) for paper in sorted(among)}
    waiting = []
    for row in SourceRecord.objects.filter(paper__in=among).order_by("pk"):
        record = parse_stored(
            source=row.source,
            format=row.format,
            external_id=row.external_id,
            stamp=row.stamp,
            payload=bytes(row.payload),
        )
        if record is None:
            continue
        if row.pk in records:
            waiting.append((row.pk, record))
        else:
            candidates[row.paper_id].add(record)
    found = {}
    for pk, record in waiting:
        best = choose(record, candidates.values())
        if best is not None and best.ref != records[pk]:
            found[pk] = best.ref
    return found
