"""The snapshot's lists of ids that became part of others: ``merge_date,id,merge_into_id``, one a line.

https://docs.openalex.org/download-all-data/snapshot-data-format#merged-entities
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
from collections.abc import Iterator

from papers.sources.openalex.entities import MERGED, NOBODY, normalise
from papers.sources.openalex.works import NAME
from papers.sources.profiles import MergedAuthor
from papers.sources.records import PaperRecord
from wovepaper.harvest import archives
from wovepaper.harvest.contracts import DamagedRecord, Page, RawRecord, RecordRefused
from wovepaper.harvest.file_source import pages_of

RANK = 99
"""Precedence: it says nothing that could be shown."""
HEADER = b"merge_date,id,merge_into_id"
PAGE_SIZE = 1_000
_LONGEST_LINE = 10_000


def is_list(open_stream: archives.OpenStream) -> bool:
    """Whether a document begins with the names of the columns."""
    with open_stream() as stream:
        head = stream.read(len(HEADER) + 3)
    return head.removeprefix(b"\xef\xbb\xbf").startswith(HEADER)


def read_document(open_stream: archives.OpenStream) -> Iterator[Page]:
    """The pages of a list."""
    with open_stream() as stream:
        stream.readline(_LONGEST_LINE)
        yield from pages_of(_lines(iter(lambda: stream.readline(_LONGEST_LINE), b"")), size=PAGE_SIZE)


def _lines(lines: Iterator[bytes]) -> Iterator[RawRecord | DamagedRecord]:
    for number, line in enumerate(lines, start=2):
        payload = line.strip()
        if not payload:
            continue
        try:
            day, old, _ = _columns(payload)
        except RecordRefused as error:
            yield DamagedRecord("", MERGED, payload, f"Line {number}: {error}")
        else:
            yield RawRecord(old, MERGED, day, payload)


def _columns(payload: bytes) -> tuple[str, str, str]:
    """Day, old and new id, as text. Raises ``RecordRefused``."""
    row = next(csv.reader(io.StringIO(payload.decode("utf-8", "replace"))), [])
    if len(row) != 3 or not row[1]:
        raise RecordRefused("This is no line of a date, an id and the id it became part of.")
    return row[0].strip()[:10], row[1].strip()[:40], row[2].strip()[:40]


def parse(record: RawRecord) -> MergedAuthor | PaperRecord:
    """What became of the id of an author or a work. Raises ``RecordRefused``, also for all others."""
    day, old, new = _columns(record.payload)
    if normalise(old, "W"):
        return _work(record, normalise(old, "W"), normalise(new, "W"), day)
    name, into = normalise(old, "A"), normalise(new, "A")
    if not name:
        raise RecordRefused(
            f"{old} is neither a work nor an author: of merged ids only those of works and authors are followed."
        )
    if not into or into == name:
        raise RecordRefused(f"{name} became part of {new!r}, which is no other author.")
    try:
        on = dt.date.fromisoformat(day)
    except ValueError:
        on = None
    return MergedAuthor(NAME, name, "" if into in NOBODY else into, on)


def _work(record: RawRecord, old: str, new: str, day: str) -> PaperRecord:
    """The old id stays a name of the paper, and the new one becomes one."""
    if not new or new == old:
        raise RecordRefused(f"{old} became part of no other work.")
    return PaperRecord(
        source=NAME,
        format=MERGED,
        external_id=old,
        stamp=day,
        payload=record.payload,
        content_hash=hashlib.sha256(f"{old} {new}".encode()).hexdigest(),
        identifiers=(("openalex", old), ("openalex", new)),
        title="",
        rank=RANK,
        names_only=True,
    )
