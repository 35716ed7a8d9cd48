"""OpenAlex's ids: a letter for what it is, and a number; and how its documents look.

https://docs.openalex.org/how-to-use-the-api/get-single-entities and .../download-all-data/snapshot-data-format
"""

from __future__ import annotations

import re
from typing import Any

from papers.sources.json_documents import NoRecord, Shape
from wovepaper.lib import text

FORMAT = "work"
AUTHOR = "author"
MERGED = "merged-id"
"""A line of the snapshot's lists of ids that became part of others."""

DELETED_AUTHOR = "A5317838346"
"""Stands for all authors whose profile was taken away, and is nobody."""
NOBODY = frozenset({DELETED_AUTHOR, "A4317838346"})
"""The same under the number it had until 2023."""

_ID = re.compile(r"(?:https?://(?:[a-z]+\.)*openalex\.org/(?:[a-z-]+/)?)?([A-Z])([0-9]{1,18})/?", re.IGNORECASE)
_NAMES = {
    "A": "an author", "C": "a concept", "F": "a funder", "G": "an award", "I": "an institution", "P": "a publisher",
    "S": "a source", "T": "a topic",
}  # fmt: skip


def normalise(said: Any, letter: str) -> str:
    """``W2741809807`` from whatever form it comes in; empty for anything else, and for an id of another letter."""
    match = _ID.fullmatch(said.strip()) if isinstance(said, str) else None
    return f"{letter}{int(match[2])}" if match and match[1].upper() == letter else ""


def stamp_of(said: dict[str, Any]) -> str:
    """When OpenAlex last changed the work, as text that sorts by time; empty where unknown."""
    for key in ("updated_date", "updated"):
        value = said.get(key)
        if isinstance(value, str) and value[:4].isdigit():
            return text.clean(value)[:40]
    return ""


def _recognise(said: dict[str, Any]) -> tuple[str, str]:
    name = normalise(said.get("id"), "W") or normalise(said.get("id"), "A")
    if name:
        return name, stamp_of(said)
    if "error" in said or "message" in said:
        words = said.get("message") or said.get("error")
        raise NoRecord(f"tells of an error: {text.clean(str(words))[:200].rstrip('.')}.")
    if "group_by" in said or "meta" in said:
        raise NoRecord("counts works and holds none.")
    given = said.get("id")
    if not isinstance(given, str) or not given.strip():
        raise NoRecord('has no "id", so it is no work of OpenAlex.')
    match = _ID.fullmatch(given.strip())
    if match and match[1].upper() in _NAMES:
        raise NoRecord(f"is {_NAMES[match[1].upper()]}, and works or authors are wanted.")
    raise NoRecord(f"is no work of OpenAlex: its id is {text.clean(given)[:80]!r}.")


def _format_of(said: dict[str, Any]) -> str:
    return AUTHOR if normalise(said.get("id"), "A") else FORMAT


SHAPE = Shape(
    format=FORMAT,
    lists=frozenset({"results"}),
    wrapper=frozenset({"meta", "results", "group_by", "entries"}),
    recognise=_recognise,
    forms="works and authors come as parts of OpenAlex's snapshot (lines of JSON) or as answers of its API",
    format_of=_format_of,
)
