"""Dates with their kinds, and the conference, from all records of a paper. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from papers.sources.records import DateKind, EventRecord, PaperRecord, PartialDate


def shown_dates(records: Sequence[PaperRecord]) -> dict[str, str]:
    """Of each kind the date of the first record that has it, as ISO 8601 with its precision, in order of kind."""
    found: dict[str, str] = {}
    for record in records:
        for kind, date in record.dates:
            found.setdefault(kind, str(date))
    return {kind: found[kind] for kind in get_args(DateKind) if kind in found} if found else found


def shown_event(records: Sequence[PaperRecord]) -> dict[str, Any] | None:
    """The conference of the first record that names one; what it does not say is left out."""
    event = next((record.event for record in records if record.event is not None), None)
    return _as_json(event) if event else None


def _as_json(event: EventRecord) -> dict[str, str]:
    said = {
        "name": event.name,
        "acronym": event.acronym,
        "place": event.place,
        "start": _written(event.start),
        "end": _written(event.end),
    }
    return {name: value for name, value in said.items() if value}


def _written(date: PartialDate | None) -> str:
    return str(date) if date else ""
