"""Addresses that the views build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.utils.safestring import SafeString

from papers.keyset import KeysetPage
from papers.structured_data import breadcrumbs, to_script_json
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


def crumbs_json_ld(way: Sequence[Link]) -> SafeString:
    """The way to a page for machines, the page itself last."""
    return to_script_json(breadcrumbs([(link.label, link.url) for link in way], settings.SITE_URL))


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
