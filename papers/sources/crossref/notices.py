"""Retractions, corrections and other notices, as Crossref ties them to works.

The record of a notice says in ``update-to`` which works it is about; since 2025 the record of a work says in
``updated-by`` what was said about it, by its publisher or in the register of Retraction Watch
(https://www.crossref.org/documentation/retrieve-metadata/retraction-watch/).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from papers.sources.crossref import dates
from papers.sources.records import NoticeKind, NoticeRecord
from wovepaper.lib import doi, text

MOST_NOTICES = 500
_LONGEST_ASSERTER = 32

KINDS: dict[str, NoticeKind] = {
    "retraction": "retraction",
    "withdrawal": "withdrawal",
    "removal": "removal",
    "partial-retraction": "partial-retraction",
    "expression-of-concern": "expression-of-concern",
    "concern": "expression-of-concern",
    "correction": "correction",
    "corrigendum": "correction",
    "erratum": "correction",
    "addendum": "correction",
    "clarification": "correction",
    "reinstatement": "reinstatement",
}
"""Types of updates as they are kept; new versions and editions are no notices."""


def read_notices(said: dict[str, Any], own: str) -> tuple[NoticeRecord, ...]:
    """The notices that the record of the work ``own`` tells of, each once."""
    about_others = (_notice(entry, own, is_of_other=True) for entry in _entries(said.get("update-to")))
    about_this = (_notice(entry, own, is_of_other=False) for entry in _entries(said.get("updated-by")))
    found = [notice for notice in (*about_others, *about_this) if notice is not None]
    return tuple(dict.fromkeys(found))


def _entries(said: Any) -> Iterator[dict[str, Any]]:
    for entry in said[:MOST_NOTICES] if isinstance(said, list) else ():
        if isinstance(entry, dict):
            yield entry


def _notice(entry: dict[str, Any], own: str, *, is_of_other: bool) -> NoticeRecord | None:
    type_ = entry.get("type") or entry.get("label")
    kind = KINDS.get(type_.strip().casefold().replace("_", "-").replace(" ", "-")) if isinstance(type_, str) else None
    given = entry.get("DOI")
    other = doi.normalise(text.clean(given)) if isinstance(given, str) else None
    if kind is None or (is_of_other and other is None):
        return None
    source = entry.get("source")
    return NoticeRecord(
        kind=kind,
        work=(other or "") if is_of_other else own,
        notice=own if is_of_other else other or "",
        date=dates.read(entry.get("updated")),
        asserted_by=text.clean(source)[:_LONGEST_ASSERTER] or "publisher" if isinstance(source, str) else "publisher",
    )
