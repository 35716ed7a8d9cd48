"""Values that a curator fixed: which fields can be, and what they do to the columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from papers.models import Paper
from papers.services.ingest.columns import width
from papers.sources.records import PartialDate
from wovepaper.lib.dates import parse_partial
from wovepaper.lib.text import clean

TEXT_FIELDS = frozenset(
    {"title", "abstract", "venue", "publisher", "licence", "comments", "journal_reference", "report_number"}
)
SHORT_FIELDS = {name: width(Paper, name) for name in ("volume", "issue", "pages")}
"""Text fields with the number of characters their columns hold."""
CHOICE_FIELDS = {"kind": Paper.Kind.values, "status": Paper.Status.values}
PINNABLE_FIELDS = frozenset({*TEXT_FIELDS, *SHORT_FIELDS, *CHOICE_FIELDS, "published_on"})
"""``published_on`` is pinned together with its precision: ``2015``, ``2015-03`` or ``2015-03-04``."""


class PinRefused(ValueError):
    """A value cannot be pinned; the message says why."""


def normalise_pin(field: str, value: str) -> str:
    """The value as it is kept. Raises ``PinRefused``."""
    if field not in PINNABLE_FIELDS:
        raise PinRefused(f"{field!r} cannot be pinned; these can: {', '.join(sorted(PINNABLE_FIELDS))}.")
    value = clean(value)
    if field == "title" and not value:
        raise PinRefused("A paper needs a title.")
    if field in SHORT_FIELDS and len(value) > SHORT_FIELDS[field]:
        raise PinRefused(f"At most {SHORT_FIELDS[field]} characters fit into {field}.")
    if field in CHOICE_FIELDS and value not in CHOICE_FIELDS[field]:
        raise PinRefused(f"{value!r} is no {field}; choose one of {', '.join(CHOICE_FIELDS[field])}.")
    if field == "published_on" and value:
        try:
            parse_partial(value)
        except ValueError:
            raise PinRefused(f"{value!r} is no date: write 2015, 2015-03 or 2015-03-04.") from None
    return value


def pinned_columns(pinned: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Column values that the pins dictate; pins of fields that cannot be pinned are ignored."""
    columns: dict[str, Any] = {}
    for field, pin in pinned.items():
        if field == "published_on":
            date = PartialDate(*parse_partial(pin["value"])) if pin["value"] else None
            columns["published_on"] = date.first_day if date else None
            columns["published_precision"] = date.precision if date else "day"
        elif field in PINNABLE_FIELDS:
            columns[field] = pin["value"]
    return columns
