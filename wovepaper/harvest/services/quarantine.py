"""Keeping what could not be used, and letting go of it when it can."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import zstandard
from django.db.models import F
from django.utils import timezone

from wovepaper.harvest.contracts import DamagedRecord, RawRecord, Refusal
from wovepaper.harvest.models import QuarantinedRecord, RawPage

_MAX_ID = 255
_MAX_REASON = 2000


@dataclass(frozen=True, slots=True)
class Piece:
    """A record or damaged piece on its way into quarantine."""

    external_id: str
    format: str
    stamp: str
    payload: bytes
    reason: str
    damaged: bool

    @classmethod
    def of_refusal(cls, refusal: Refusal) -> Piece:
        """A whole record that was refused."""
        record = refusal.record
        return cls(_plain(record.external_id), record.format, record.stamp, record.payload, refusal.reason, False)

    @classmethod
    def of_damaged(cls, damaged: DamagedRecord) -> Piece:
        """A piece that is no record."""
        return cls(_plain(damaged.external_id), damaged.format, "", damaged.payload, damaged.reason, True)

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it apart within its source."""
        return (self.format, self.external_id, "" if self.external_id else self.sha256)

    @property
    def sha256(self) -> str:
        """Of the payload."""
        return hashlib.sha256(self.payload).hexdigest()


def _plain(text: str) -> str:
    """An id that PostgreSQL can store."""
    return text.replace("\x00", "\ufffd")[:_MAX_ID]


def put_into_quarantine(*, source: str, pieces: Iterable[Piece], raw_page: RawPage | None) -> None:
    """Keep each piece once: one met before has its row brought up to date. Runs in the caller's transaction."""
    by_key = {piece.key: piece for piece in pieces}
    if not by_key:
        return
    now = timezone.now()
    known = {
        (row.format, row.external_id, "" if row.external_id else row.payload_sha256): row
        for row in QuarantinedRecord.objects.of_source(source)
        .filter(format__in={key[0] for key in by_key})
        .filter(external_id__in={key[1] for key in by_key})
        .defer("payload_zstd")
        .select_for_update()
        .order_by("pk")
        if row.external_id or row.payload_sha256 in {key[2] for key in by_key}
    }
    fresh, again = [], []
    for key, piece in by_key.items():
        row = known.get(key)
        if row is None:
            row = QuarantinedRecord(
                source=source, format=piece.format, external_id=piece.external_id, attempts=0, first_seen_at=now
            )
            fresh.append(row)
        else:
            again.append(row)
        row.stamp = piece.stamp[:40].replace("\x00", "")
        row.damaged = piece.damaged
        row.payload_zstd = zstandard.compress(piece.payload)
        row.payload_sha256 = piece.sha256
        row.reason = piece.reason[:_MAX_REASON].replace("\x00", "\ufffd")
        row.raw_page = raw_page
        row.attempts += 1
        row.last_seen_at = now
        row.resolved_at = None
    QuarantinedRecord.objects.bulk_create(fresh)
    QuarantinedRecord.objects.bulk_update(
        again,
        [
            "stamp",
            "damaged",
            "payload_zstd",
            "payload_sha256",
            "reason",
            "raw_page",
            "attempts",
            "last_seen_at",
            "resolved_at",
        ],
    )


def resolve(*, source: str, records: Sequence[RawRecord]) -> int:
    """Let go of the quarantined states of records that could now be used. Returns how many rows that were."""
    formats = sorted({record.format for record in records})
    resolved = 0
    for name in formats:
        ids = [_plain(record.external_id) for record in records if record.format == name and record.external_id]
        resolved += (
            QuarantinedRecord.objects.of_source(source)
            .unresolved()
            .filter(format=name, external_id__in=ids)
            .update(resolved_at=timezone.now(), attempts=F("attempts") + 1)
        )
    return resolved
