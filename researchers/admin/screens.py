"""The curators' screens of researchers: what they share."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest

from researchers.admin.last_act import recall
from researchers.admin.passing import kept_filter
from researchers.merging import ADAPTER
from wovepaper.curation.screens import READ, WRITE, CurationScreens

__all__ = ["READ", "WRITE", "CurationAdmin", "banner"]


class CurationAdmin(CurationScreens):
    """A curators' screen: seen by whoever may review duplicates."""

    adapter = ADAPTER
    templates = "admin/researchers"

    def banner_of(self, request: HttpRequest) -> dict[str, Any]:
        """The banner of what the curator did last."""
        return banner(request)

    def filters_of(self, request: HttpRequest) -> dict[str, str]:
        """As the session keeps it."""
        return kept_filter(request)


def banner(request: HttpRequest) -> dict[str, Any]:
    """What the banner with Undo needs."""
    return {"last_act": recall(request), "last_act_key": uuid.uuid4().hex}
