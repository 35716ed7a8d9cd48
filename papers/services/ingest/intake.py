"""The sink of all paper sources: what to do with each record of a page, and what became of it.

A record is known by source, format and external id. Of two states of it the one with the later stamp stands, whichever
came in first; between equal stamps the one with more versions. Between states that neither tells apart, the one that
comes in later is a correction and stands; a state that was replaced in this way is remembered by its hash and does not
return when an old page is read again. A state that says nothing new (equal hash) is unchanged: with an equal stamp not
a row is written, with a later one only the stamp and the envelope, so that the later stamp stands against older states
that arrive after it. A state that is older than the stored one counts as unchanged too.

How often others cite a paper belongs to the envelope too. A state that says nothing new but another count is changed:
the count is written and shown, and nothing else happens to the paper.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from django.db import (
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    transaction,
)
from django.utils import timezone

from papers.services.ingest.citations import settle_counts
from papers.services.ingest.lock import lock_writers
from papers.services.ingest.state import parse_stored
from papers.services.ingest.validation import check
from papers.services.ingest.writing import Incoming, rewrite_papers, write_records
from papers.sources.records import PaperRecord
from wovepaper.harvest.contracts import IngestCounts, RawRecord, RecordRefused, Refusal

logger = logging.getLogger(__name__)

Key = tuple[str, str, str]

SUPERSEDED_KEPT = 20
"""Replaced states of one stamp that are remembered."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """A row of SourceRecord, without its payload."""

    row: int
    paper: int
    stamp: str
    hash: str
    superseded: list[str]
    """Hashes of states under this stamp that another replaced."""
    cited_by: int | None
    counted_on: dt.date | None

    def counted_after(self, record: PaperRecord, today: dt.date) -> tuple[int | None, dt.date | None]:
        """Count and day once ``record`` has come in. A count without a day is of the day it was first given."""
        said = record.citations
        if said is None:
            return None, None
        if said.as_of is None and said.count == self.cited_by:
            return self.cited_by, self.counted_on
        return said.count, said.as_of or today

    def is_counted_as(self, record: PaperRecord) -> bool:
        """Whether ``record`` says nothing new of citations."""
        # The day it came in can only matter where the count is another one.
        return self.counted_after(record, dt.date.min) == (self.cited_by, self.counted_on)


@dataclass(slots=True)
class _Given:
    raw: RawRecord
    record: PaperRecord
    superseded: list[str] = field(default_factory=list)
    """Hashes of states of the same age that stood before it in the page."""

    @property
    def key(self) -> Key:
        return (self.record.source, self.record.format, self.record.external_id)


@dataclass(slots=True)
class _Decision:
    """What is to be written of a page."""

    fresh: list[tuple[_Given, _Stored | None]]
    restamped: list[tuple[_Given, _Stored]]


@dataclass(slots=True)
class _Taken:
    """What became of a page."""

    new: list[_Given] = field(default_factory=list)
    changed: list[_Given] = field(default_factory=list)
    unchanged: list[_Given] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)

    def counts(self, seen: int) -> IngestCounts:
        """Of two states of a record in one page the one that does not stand is unchanged."""
        new, changed, refused = len(self.new), len(self.changed), len(self.refused)
        return IngestCounts(new, changed, seen - new - changed - refused, tuple(self.refused))


@transaction.atomic
def ingest_records(records: Sequence[tuple[RawRecord, PaperRecord]]) -> IngestCounts:
    """Take in the parsed records of one page. Idempotent; batching does not matter, nor does order but for
    corrections under one stamp.

    Part of the caller's transaction where there is one. The papers that came to show something else wait for the
    pipeline afterwards. A record that the database does not take is refused with the reason, by itself; only errors
    that no record is to blame for (a lost connection) are raised.
    """
    return _take_in(records).counts(len(records))


@transaction.atomic
def ingest_again(records: Sequence[tuple[RawRecord, PaperRecord]]) -> IngestCounts:
    """The same for records that came before and were parsed once more, by a parser that may understand more now.

    Papers are resolved anew even if their records are the stored ones; a record whose paper comes to show something
    else counts as changed.
    """
    taken = _take_in(records)
    stored = _stored([given.key for given in taken.unchanged])
    changed = refresh_papers({known.paper for known in stored.values()}, reason="replay")
    for given in taken.unchanged:
        if given.key in stored and stored[given.key].paper in changed:
            taken.changed.append(given)
    return taken.counts(len(records))


@transaction.atomic
def refresh_papers(paper_ids: Collection[int], *, stage: str | None = None, reason: str = "refresh") -> set[int]:
    """Resolve papers anew from their stored records; returns those that came to show something else.

    They wait for ``stage``, by default the first. For what is not news of a source, like a pin taken away. A paper
    that cannot be written is logged and stays as it was.
    """
    if not paper_ids:
        return set()
    lock_writers()
    return _refresh(sorted(paper_ids), stage, reason)


def _refresh(paper_ids: Sequence[int], stage: str | None, reason: str) -> set[int]:
    try:
        with transaction.atomic():
            return rewrite_papers(paper_ids, stage=stage, reason=reason)
    except Exception as error:
        if _is_nobodys_fault(error):
            raise
        if len(paper_ids) > 1:
            middle = len(paper_ids) // 2
            return _refresh(paper_ids[:middle], stage, reason) | _refresh(paper_ids[middle:], stage, reason)
        logger.exception("Paper %s could not be resolved anew.", paper_ids[0])
        return set()


def _take_in(records: Sequence[tuple[RawRecord, PaperRecord]]) -> _Taken:
    taken = _Taken()
    accepted: list[_Given] = []
    for raw, record in records:
        try:
            check(record)
        except RecordRefused as refusal:
            taken.refused.append(Refusal(raw, str(refusal)))
        else:
            accepted.append(_Given(raw, record))
    winners = _latest_states(accepted)
    decision = _decide(winners)
    if decision.fresh or decision.restamped:
        lock_writers()
        # Another process may have been faster while this one waited for the lock.
        decision = _decide([given for given, _ in (*decision.fresh, *decision.restamped)])
        taken.changed.extend(_restamp(decision.restamped))
        written_or_not = _write(decision.fresh)
        _log_first([(given, error) for given, _, error in written_or_not if error is not None])
        for given, stored, error in written_or_not:
            if error is not None:
                taken.refused.append(Refusal(given.raw, _reason(error)))
            elif stored is None:
                taken.new.append(given)
            else:
                taken.changed.append(given)
    written = {given.key for given, _ in decision.fresh} | {given.key for given in taken.changed}
    taken.unchanged = [given for given in winners if given.key not in written]
    return taken


def _latest_states(given: Sequence[_Given]) -> list[_Given]:
    """One state of each record."""
    latest: dict[Key, _Given] = {}
    for item in given:
        known = latest.setdefault(item.key, item)
        if known is item or _age(item.record) < _age(known.record):
            continue
        if known.record.stamp == item.record.stamp and known.record.content_hash != item.record.content_hash:
            item.superseded = [*known.superseded, known.record.content_hash]
        latest[item.key] = item
    return list(latest.values())


def _age(record: PaperRecord) -> tuple[str, int]:
    """The larger, the later."""
    return (record.stamp, len(record.versions))


def _decide(given: Sequence[_Given]) -> _Decision:
    stored = _stored([item.key for item in given])
    decision = _Decision([], [])
    ties: list[tuple[_Given, _Stored]] = []
    for item in given:
        known = stored.get(item.key)
        if known is None:
            decision.fresh.append((item, None))
        elif item.record.content_hash == known.hash:
            confirmed = item.record.stamp > known.stamp
            if confirmed or (item.record.stamp == known.stamp and not known.is_counted_as(item.record)):
                decision.restamped.append((item, known))
        elif item.record.stamp > known.stamp:
            decision.fresh.append((item, known))
        elif item.record.stamp == known.stamp and item.record.content_hash not in known.superseded:
            ties.append((item, known))
    if ties:
        versions = _stored_versions(ties)
        decision.fresh.extend(
            (item, known) for item, known in ties if len(item.record.versions) >= versions.get(known.row, 0)
        )
    return decision


def _stored(keys: Sequence[Key]) -> dict[Key, _Stored]:
    if not keys:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT r.source, r.format, r.external_id, r.id, r.paper_id, r.stamp, r.hash, r.superseded,"
            " r.cited_by_count, r.counted_on"
            " FROM papers_sourcerecord r"
            " JOIN unnest(%s::text[], %s::text[], %s::text[]) AS given(source, format, external_id)"
            " ON r.source = given.source AND r.format = given.format AND r.external_id = given.external_id",
            [list(column) for column in zip(*keys, strict=True)],
        )
        return {(source, format_, external_id): _Stored(*rest) for source, format_, external_id, *rest in cursor}


def _stored_versions(ties: Sequence[tuple[_Given, _Stored]]) -> dict[int, int]:
    """How many versions the stored states know; read only for states of one stamp that differ."""
    records = {known.row: item.record for item, known in ties}
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, payload FROM papers_sourcerecord WHERE id = ANY(%s)", [list(records)])
        payloads = cursor.fetchall()
    counts = {}
    for row, payload in payloads:
        given = records[row]
        parsed = parse_stored(
            source=given.source,
            format=given.format,
            external_id=given.external_id,
            stamp=given.stamp,
            payload=payload,
        )
        counts[row] = len(parsed.versions) if parsed else 0
    return counts


def _restamp(items: Sequence[tuple[_Given, _Stored]]) -> list[_Given]:
    """Keep the envelopes. Returns the records that give another count than before."""
    if not items:
        return []
    today = timezone.now().date()
    counts = [known.counted_after(item.record, today) for item, known in items]
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE papers_sourcerecord AS kept SET stamp = given.stamp, payload = given.payload, superseded ="
            " CASE WHEN kept.stamp = given.stamp THEN kept.superseded ELSE '{}' END,"
            " cited_by_count = given.counted, counted_on = given.counted_on"
            " FROM unnest(%s::bigint[], %s::text[], %s::bytea[], %s::integer[], %s::date[])"
            " AS given(id, stamp, payload, counted, counted_on) WHERE kept.id = given.id",
            [
                [known.row for _, known in items],
                [item.record.stamp for item, _ in items],
                [item.record.payload for item, _ in items],
                [count for count, _ in counts],
                [day for _, day in counts],
            ],
        )
        recounted = [
            (known.paper, item.record.source)
            for (item, known), counted in zip(items, counts, strict=True)
            if counted != (known.cited_by, known.counted_on)
        ]
        settle_counts(cursor, set(recounted))
    return [item for (item, known), (count, _) in zip(items, counts, strict=True) if count != known.cited_by]


def _write(
    items: Sequence[tuple[_Given, _Stored | None]],
) -> list[tuple[_Given, _Stored | None, Exception | None]]:
    """Write all, or halves of it, until what the database does not take stands alone. Returns what became of each."""
    if not items:
        return []
    try:
        with transaction.atomic():
            write_records(
                [
                    Incoming(
                        given.record,
                        row=stored.row if stored else 0,
                        paper=stored.paper if stored else 0,
                        superseded=_superseded(given, stored),
                        was_counted=stored is not None and stored.cited_by is not None,
                    )
                    for given, stored in items
                ]
            )
    except Exception as error:
        if _is_nobodys_fault(error):
            raise
        if len(items) > 1:
            middle = len(items) // 2
            return _write(items[:middle]) + _write(items[middle:])
        return [(*items[0], error)]
    return [(given, stored, None) for given, stored in items]


def _log_first(refused: Sequence[tuple[_Given, Exception]]) -> None:
    """One traceback for a page, and how many records it stands for: they mostly fail for the same reason."""
    if refused:
        given, error = refused[0]
        logger.warning(
            "Record %s of %s was refused, the first of %d of the page.",
            given.raw.external_id, given.record.source, len(refused), exc_info=error,
        )  # fmt: skip


def _superseded(given: _Given, stored: _Stored | None) -> list[str]:
    """The hashes that shall not return under the record's stamp."""
    if stored is None or stored.stamp != given.record.stamp:
        return given.superseded[-SUPERSEDED_KEPT:]
    return [*stored.superseded, *given.superseded, stored.hash][-SUPERSEDED_KEPT:]


def _is_nobodys_fault(error: Exception) -> bool:
    """A lost connection, a lock, no memory. Limits of the server that a value exceeds (class 54) are the value's."""
    exceeded = (getattr(error.__cause__, "sqlstate", None) or "").startswith("54")
    return isinstance(error, OperationalError | InterfaceError | MemoryError) and not exceeded


def _reason(error: Exception) -> str:
    kind = {DataError: "does not fit", IntegrityError: "contradicts another row", InternalError: "broke a rule"}
    what = next((text for type_, text in kind.items() if isinstance(error, type_)), None)
    if what is None:
        return f"The record could not be taken in: {type(error).__name__}: {error}"
    return f"The database did not take the record ({what}): {str(error).strip()}"
