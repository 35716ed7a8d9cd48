"""Taking in one page: parse, hand over, quarantine, count. The caller's transaction holds all of it together."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import InterfaceError, OperationalError, transaction

from wovepaper.harvest.brake import Profile
from wovepaper.harvest.contracts import (
    DamagedRecord,
    IngestCounts,
    Page,
    RawRecord,
    RecordRefused,
    Refusal,
    Sink,
    Source,
)
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.models import RawPage
from wovepaper.harvest.services.quarantine import Piece, put_into_quarantine, resolve

logger = logging.getLogger(__name__)

Parsed = tuple[RawRecord, Any]
_Failure = tuple[RawRecord, Exception]


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page whose records were parsed; nothing is saved yet."""

    records: tuple[Parsed, ...]
    refused: tuple[Refusal, ...]
    damaged: tuple[DamagedRecord, ...]
    broken: int = 0
    """How many were refused because the parser itself failed."""

    @property
    def profile(self) -> Profile:
        """Which fields are filled how often."""
        return Profile.of(value for _, value in self.records)


@dataclass(slots=True)
class Intake:
    """What became of a page's records."""

    counts: Counts
    refused: list[Refusal] = field(default_factory=list)
    broken: int = 0
    """How many were refused because parser or sink failed on them."""


def size_of(page: Page) -> int:
    """How many records and damaged pieces it has."""
    return len(page.records) + len(page.damaged)


def first_of(page: Page, number: int) -> Page:
    """The page itself, or its first ``number`` records where a limit cuts it."""
    if number >= size_of(page):
        return page
    records = page.records[:number]
    return Page(records, page.damaged[: number - len(records)], page.next_token, page.complete_size)


def parse_page(source: Source, page: Page) -> ParsedPage:
    """Parse every record by itself. A failure of the parser is the record's problem, not the page's."""
    parsed: list[Parsed] = []
    refused: list[Refusal] = []
    broken: list[_Failure] = []
    for record in page.records:
        try:
            parsed.append((record, source.parse(record)))
        except RecordRefused as error:
            refused.append(Refusal(record, str(error)))
        except Exception as error:
            refused.append(Refusal(record, f"The parser failed on this record ({_words(error)})."))
            broken.append((record, error))
    # A parser that fails on one record may fail on all 500 of a page, always for the same reason.
    _log_first(f"The parser of {source.name} failed on", broken)
    return ParsedPage(tuple(parsed), tuple(refused), page.damaged, len(broken))


def take_in(*, source: Source, sink: Sink, page: ParsedPage, raw_page: RawPage | None) -> Intake:
    """Hand the parsed records to the sink and the rest to the quarantine. Needs a transaction around it."""
    counts, broken = _hand_over(sink, page.records)
    _log_first(f"{source.name} could not take in", broken)
    failed = [Refusal(record, f"The record could not be taken in ({_words(error)}).") for record, error in broken]
    refused = [*page.refused, *counts.refused, *failed]
    gone = {(refusal.record.format, refusal.record.external_id) for refusal in refused}
    put_into_quarantine(
        source=source.name,
        pieces=[Piece.of_refusal(each) for each in refused] + [Piece.of_damaged(each) for each in page.damaged],
        raw_page=raw_page,
    )
    used = [record for record, _ in page.records if (record.format, record.external_id) not in gone]
    resolve(source=source.name, records=used)
    total = Counts(counts.new, counts.changed, counts.unchanged, len(refused) + len(page.damaged))
    return Intake(total, refused, page.broken + len(failed))


def _hand_over(sink: Sink, records: Sequence[Parsed]) -> tuple[IngestCounts, list[_Failure]]:
    """All at once; when the sink fails, by halves, until the record that breaks it stands alone."""
    if not records:
        return IngestCounts(), []
    try:
        with transaction.atomic():
            return sink(records), []
    except (OperationalError, InterfaceError):
        raise  # the database, not a record
    except Exception as error:
        if len(records) == 1:
            return IngestCounts(), [(records[0][0], error)]
    middle = len(records) // 2
    first, first_failed = _hand_over(sink, records[:middle])
    second, second_failed = _hand_over(sink, records[middle:])
    both = IngestCounts(
        first.new + second.new,
        first.changed + second.changed,
        first.unchanged + second.unchanged,
        first.refused + second.refused,
    )
    return both, first_failed + second_failed


def _log_first(what: str, broken: Sequence[_Failure]) -> None:
    """One traceback for a page, and how many records it stands for."""
    if broken:
        record, error = broken[0]
        logger.error(
            "%s %s, the first of %d such records of the page.", what, record.external_id, len(broken), exc_info=error
        )


def digest_of(page: Page) -> str:
    """Tells two pages apart by their records, whatever the envelope says. Empty for a page without any."""
    if not page.records and not page.damaged:
        return ""
    whole = hashlib.sha256()
    for payload in _payloads(page):
        whole.update(hashlib.sha256(payload).digest())
    return whole.hexdigest()


def _payloads(page: Page) -> Iterable[bytes]:
    for record in page.records:
        yield record.payload
    for damaged in page.damaged:
        yield damaged.payload


def _words(error: Exception) -> str:
    first_line = str(error).strip().splitlines()[:1]
    return f"{type(error).__name__}: {first_line[0][:300]}" if first_line else type(error).__name__
