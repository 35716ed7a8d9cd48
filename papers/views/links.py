"""Addresses that the views build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from papers.keyset import KeysetPage
from wovepaper.curation.services import moved_permanently

moved = moved_permanently
"""To another address of the same thing: a merge can be undone, a title can change."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a menu, a chip or a crumb."""

    label: str
    url: str
    current: bool = False


def address(path: str, query: Mapping[str, object] | None = None) -> str:
    """``path`` with those parameters that say something."""
    said = {name: str(value) for name, value in (query or {}).items() if value not in (None, "")}
    return f"{path}?{urlencode(said)}" if said else path


@dataclass(frozen=True, slots=True)
class Pager:
    """Links to the neighbouring pages, empty where there is none."""

    previous: str = ""
    next: str = ""

    @classmethod
    def of(cls, page: KeysetPage, path: str, query: Mapping[str, object] | None = None) -> Pager:
        """The neighbours of a keyset page."""
        kept = dict(query or {})
        return cls(
            previous=address(path, {**kept, "before": page.before}) if page.before else "",
            next=address(path, {**kept, "after": page.after}) if page.after else "",
        )
