"""Addresses that outlive merges: any number ever given out leads to what is shown now."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponsePermanentRedirect

from wovepaper.curation.adapter import Adapter

REDIRECT_MAX_AGE = 3600
"""Seconds a browser may remember a redirect: one remembered for ever would outlive the undo of a merge."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a number leads. ``moved`` if it is another's now."""

    asked: int
    shown: int

    @property
    def moved(self) -> bool:
        """Whether the address must redirect."""
        return self.asked != self.shown


def resolve(adapter: Adapter, number: int) -> Resolution | None:
    """The root a number leads to, a chain in one hop; ``None`` for a number never given out."""
    root = adapter.objects._default_manager.filter(pk=number).values_list("root_id", flat=True).first()
    return None if root is None else Resolution(number, root)


def keep_slug(adapter: Adapter, *, subject: int, slug: str) -> None:
    """Remember a slug that is about to be replaced."""
    if slug:
        adapter.addresses._default_manager.get_or_create(subject_id=subject, slug=slug)


def moved_permanently(url: str) -> HttpResponsePermanentRedirect:
    """A 301 to an address of this site that is forgotten after an hour."""
    response = HttpResponsePermanentRedirect(url)
    response["Cache-Control"] = f"max-age={REDIRECT_MAX_AGE}"
    return response
