"""Records of sources whose answers hold only some fields: joined with what is stored, then taken in as all others.

Of two states of such a record neither stands as a whole: how they are joined is the source's to say (``Join``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from papers.models import PaperIdentifier
from papers.services.ingest.lock import lock_writers
from papers.sources.records import PaperRecord
from wovepaper.harvest.contracts import IngestCounts, RawRecord, RecordRefused, Refusal, Sink

Join = Callable[[bytes | None, str, bytes, str], tuple[bytes, str]]
"""Stored payload and stamp, those that came in: payload and stamp of both together, the stored ones if nothing is new.

Raises ``RecordRefused``.
"""

OWN_SCHEMES = frozenset({"s2", "openalex"})
"""Identifiers that indexes give themselves: they tell nothing of a paper but to who knows it already."""
_ASK = "ask for title, authors, date and external ids as well"

_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class JoiningSink:
    """Joins the records of a page with the stored ones, and hands them on to ``then``."""

    parse: Callable[[RawRecord], PaperRecord]
    join: Join
    then: Sink

    @transaction.atomic
    def __call__(self, records: Sequence[tuple[RawRecord, PaperRecord]]) -> IngestCounts:
        """A record without a title, after joining, is refused; so is a new one that nothing but a title describes."""
        stored = _stored(records)
        joined, refused = self._join(records, stored)
        if any(stored.get(key) != state[1:] for key, state in joined.items()):
            lock_writers()
            # Another process may have been faster while this one waited for the lock.
            stored = _stored(records)
            joined, refused = self._join(records, stored)
        accepted: list[tuple[RawRecord, PaperRecord]] = []
        for key, (raw, payload, stamp) in joined.items():
            try:
                record = self.parse(RawRecord(raw.external_id, raw.format, stamp, payload))
            except RecordRefused as error:
                refused.append(Refusal(raw, str(error)))
                continue
            if not record.title:
                refused.append(Refusal(raw, f"The answer holds no title, and no earlier one did: {_ASK}."))
            elif key in stored or _is_described(record):
                accepted.append((raw, record))
            else:
                refused.append(Refusal(raw, f"Nothing but a title tells which paper this is: {_ASK}."))
        counts = self.then(accepted)
        refused += counts.refused
        unchanged = len(records) - counts.new - counts.changed - len(refused)
        return IngestCounts(counts.new, counts.changed, unchanged, tuple(refused))

    def _join(
        self, records: Sequence[tuple[RawRecord, PaperRecord]], stored: Mapping[_Key, tuple[bytes, str]]
    ) -> tuple[dict[_Key, tuple[RawRecord, bytes, str]], list[Refusal]]:
        """One state of each record: several of a page go in one after the other."""
        joined: dict[_Key, tuple[RawRecord, bytes, str]] = {}
        refused = []
        for raw, record in records:
            key = _key(record)
            _, payload, stamp = joined.get(key, (raw, *stored.get(key, (None, ""))))
            try:
                joined[key] = (raw, *self.join(payload, stamp, raw.payload, raw.stamp))
            except RecordRefused as error:
                refused.append(Refusal(raw, str(error)))
        return joined, refused


def _key(record: PaperRecord) -> _Key:
    return (record.source, record.format, record.external_id)


def _is_described(record: PaperRecord) -> bool:
    """Whether a record that was never seen says which paper it is."""
    if record.authors or record.published or any(scheme not in OWN_SCHEMES for scheme, _ in record.identifiers):
        return True
    return any(
        PaperIdentifier.objects.filter(scheme=scheme, value=value).exists() for scheme, value in record.identifiers
    )


def _stored(records: Collection[tuple[RawRecord, PaperRecord]]) -> dict[_Key, tuple[bytes, str]]:
    keys = {_key(record) for _, record in records}
    if not keys:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT r.source, r.format, r.external_id, r.payload, r.stamp FROM papers_sourcerecord r"
            " JOIN unnest(%s::text[], %s::text[], %s::text[]) AS given(source, format, external_id)"
            " ON r.source = given.source AND r.format = given.format AND r.external_id = given.external_id",
            [list(column) for column in zip(*keys, strict=True)],
        )
        return {(source, format_, name): (bytes(payload), stamp) for source, format_, name, payload, stamp in cursor}
