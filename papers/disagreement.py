"""What a paper shows, beside what each of its source records says of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.dateparse import parse_datetime

from papers.models import Authorship, Paper, PaperVersion, SourceRecord
from papers.services.ingest.alignment import name_key
from papers.services.ingest.pinned import PINNABLE_FIELDS
from papers.services.ingest.resolution import precedence
from papers.services.ingest.state import parse_stored
from papers.services.shown_names import FORMER_NAME
from papers.sources.records import PaperRecord, PartialDate
from wovepaper.lib.payloads import ReadablePayload, readable_payload

AUTHORS_NAMED = 6


@dataclass(frozen=True, slots=True)
class Column:
    """One source record, in the order of precedence. ``readable`` is off where its source no longer takes it."""

    row: SourceRecord
    payload: ReadablePayload | None
    readable: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """What one record says of one field. Empty text: it does not say."""

    text: str
    differs: bool
    record: int
    """Number of the row of the source record."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A value that a curator fixed."""

    value: str
    by: str
    at: dt.datetime | None
    reason: str


@dataclass(frozen=True, slots=True)
class Row:
    """One field."""

    field: str
    label: str
    shown: str
    cells: tuple[Cell, ...]
    pin: Pin | None
    pinnable: bool

    @property
    def differs(self) -> bool:
        """Whether any record says something else than what is shown."""
        return any(cell.differs for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The whole table."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def compare(
    paper: Paper,
    records: Sequence[SourceRecord],
    *,
    authorships: Sequence[Authorship],
    versions: Sequence[PaperVersion],
    users: Mapping[int, str],
    hidden: Collection[str] = (),
    with_payloads: bool = True,
) -> Comparison:
    """Set the shown values beside the records'. No queries; ``users`` names those who pinned, by number.

    With names that are ``hidden``, the records are not set out as they were sent: they hold them.
    """
    parsed = [(row, _parse(row)) for row in records]
    if hidden:
        parsed = [(row, record and without_hidden_names(record, hidden)) for row, record in parsed]
    parsed.sort(key=lambda pair: (pair[1] is None, precedence(pair[1]) if pair[1] else ()))
    columns = tuple(
        Column(
            row,
            readable_payload(bytes(row.payload)) if with_payloads and not hidden else None,
            readable=record is not None,
        )
        for row, record in parsed
    )
    shown = _shown(paper, authorships, versions)
    rows = []
    for field, (label, said) in _FIELDS.items():
        texts = [(row.pk, said(record) if record else "") for row, record in parsed]
        cells = tuple(Cell(text, bool(text) and _folded(text) != _folded(shown[field]), pk) for pk, text in texts)
        pin = _pin(paper.pinned.get(field), users)
        rows.append(Row(field, label, shown[field], cells, pin, field in PINNABLE_FIELDS))
    return Comparison(columns, tuple(rows))


def said_by(row: SourceRecord, field: str) -> str:
    """What one record says of one field, as text; empty where it does not say."""
    record = _parse(row)
    return _FIELDS[field][1](record) if record is not None and field in _FIELDS else ""


def shown_text(paper: Paper, field: str) -> str:
    """What a paper shows in a field that can be pinned, in the form in which it is pinned."""
    if field == "published_on":
        return _date(paper.published_on, paper.published_precision)
    return str(getattr(paper, field))


def label_of(field: str) -> str:
    """The field's name for people."""
    return _FIELDS[field][0]


def _parse(row: SourceRecord) -> PaperRecord | None:
    return parse_stored(
        source=row.source,
        format=row.format,
        external_id=row.external_id,
        stamp=row.stamp,
        payload=bytes(row.payload),
    )


def without_hidden_names(record: PaperRecord, hidden: Collection[str]) -> PaperRecord:
    """What a record says, but for names that people do not want to be shown, however they are spelt."""
    keys = set(map(name_key, hidden))
    authors = [
        replace(author, name=FORMER_NAME, given="", family="") if name_key(author.name) in keys else author
        for author in record.authors
    ]
    return replace(record, authors=tuple(authors))


def _folded(text: str) -> str:
    return " ".join(text.split())


def _pin(stored: Mapping[str, Any] | None, users: Mapping[int, str]) -> Pin | None:
    if stored is None:
        return None
    by = stored.get("by")
    name = users.get(by, f"user {by}") if isinstance(by, int) else "the system"
    at = stored.get("at")
    moment = parse_datetime(at) if isinstance(at, str) else None
    return Pin(str(stored.get("value", "")), name, moment, str(stored.get("reason", "")))


def _shown(paper: Paper, authorships: Sequence[Authorship], versions: Sequence[PaperVersion]) -> dict[str, str]:
    plain_fields = {
        name: str(getattr(paper, name)) for name in (*PINNABLE_FIELDS - {"published_on"}, "arxiv_id", "doi")
    }
    return plain_fields | {
        "published_on": _date(paper.published_on, paper.published_precision),
        "authors": _names([authorship.name for authorship in authorships]),
        "categories": ", ".join(paper.categories),
        "versions": _versions([(version.number, version.withdrawn) for version in versions]),
    }


def _date(day: dt.date | None, precision: str) -> str:
    return str(PartialDate.of(day, precision)) if day else ""


def _names(names: Sequence[str]) -> str:
    named = ", ".join(names[:AUTHORS_NAMED])
    return f"{len(names)}: {named}{', …' if len(names) > AUTHORS_NAMED else ''}" if names else ""


def _versions(versions: Sequence[tuple[int, bool]]) -> str:
    return ", ".join(f"v{number}{' (withdrawn)' if withdrawn else ''}" for number, withdrawn in versions)


def _identifier(scheme: str) -> Callable[[PaperRecord], str]:
    def read(record: PaperRecord) -> str:
        return ", ".join(value for name, value in record.identifiers if name == scheme)

    return read


def _status(record: PaperRecord) -> str:
    latest = max(record.versions, key=lambda version: version.number, default=None)
    if record.withdrawn is None and latest is None:
        return ""
    is_withdrawn = record.withdrawn or (latest is not None and latest.withdrawn)
    return (Paper.Status.WITHDRAWN if is_withdrawn else Paper.Status.CURRENT).value


def _attribute(name: str) -> Callable[[PaperRecord], str]:
    def read(record: PaperRecord) -> str:
        return str(getattr(record, name))

    return read


_FIELDS: dict[str, tuple[str, Callable[[PaperRecord], str]]] = {
    "title": ("Title", _attribute("title")),
    "authors": ("Authors", lambda record: _names([author.name for author in record.authors])),
    "abstract": ("Abstract", _attribute("abstract")),
    "kind": ("Kind", _attribute("kind")),
    "status": ("Status", _status),
    "published_on": ("Published", lambda record: str(record.published or "")),
    "categories": ("Categories", lambda record: ", ".join(record.categories)),
    "arxiv_id": ("arXiv id", _identifier("arxiv")),
    "doi": ("DOI", _identifier("doi")),
    "versions": ("Versions", lambda record: _versions([(each.number, each.withdrawn) for each in record.versions])),
    "venue": ("Venue", _attribute("venue")),
    "volume": ("Volume", _attribute("volume")),
    "issue": ("Issue", _attribute("issue")),
    "pages": ("Pages", _attribute("pages")),
    "publisher": ("Publisher", _attribute("publisher")),
    "licence": ("Licence", _attribute("licence")),
    "comments": ("Comments", _attribute("comments")),
    "journal_reference": ("Journal reference", _attribute("journal_reference")),
    "report_number": ("Report number", _attribute("report_number")),
}
"""Every field of the table, in order: its name for people, and how a record says it."""
