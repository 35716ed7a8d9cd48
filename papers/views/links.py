"""Addresses that the views build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpResponsePermanentRedirect

from papers.keyset import KeysetPage


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


def moved(url: str) -> HttpResponsePermanentRedirect:
    """A permanent redirect that caches forget after an hour: a merge can be undone, a title can change."""
    response = HttpResponsePermanentRedirect(url)
    response.headers["Cache-Control"] = "max-age=3600"
    return response
