"""The researcher that an address names: shown here, moved to another address, gone, or never known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from researchers.models import Researcher
from wovepaper.curation.services import moved_permanently
from wovepaper.lib.error_page import error_page

_ADDRESS = re.compile(r"(?P<number>\d{1,18})(?:-(?P<slug>.*))?", re.ASCII | re.DOTALL)
_WHERE_TO_LOOK = (
    ("/researchers", "everybody to whom papers here are attributed"),
    ("/search?q=<words>", "the search"),
)


@dataclass(frozen=True, slots=True)
class Found:
    """A researcher whose page this address is."""

    researcher: Researcher


def reference_of(researcher: Researcher) -> str:
    """What stands for the researcher in the addresses of their pages."""
    return f"{researcher.pk}-{researcher.slug}" if researcher.slug else str(researcher.pk)


def page_url(researcher: Researcher, view: str, **more: str) -> str:
    """The address of one of the researcher's pages, by the name of its view."""
    return reverse(f"researchers:{view}", kwargs={"address": reference_of(researcher), **more})


def find(request: HttpRequest, address: str, view: str, **more: str) -> Found | HttpResponse:
    """Whom the address leads to today, or the answer that says where to go instead.

    The number alone decides, so that a slug they had once, one never given out and one of a former name that nobody is
    to see all lead the same way. Its row names the root: a chain of merges is one hop, and all of it one query. Raises
    ``Http404`` for a number never given out.
    """
    match = _ADDRESS.fullmatch(address)
    asked = Researcher.objects.select_related("root").filter(pk=int(match["number"])).first() if match else None
    if asked is None:
        raise Http404("No researcher here has this number. It may be mistyped.")
    shown = cast("Researcher", asked.root)
    if shown.erased_at is not None or asked.erased_at is not None:
        return _gone(request)
    url = page_url(shown, view, **more)
    if request.path != url:
        query = request.META.get("QUERY_STRING", "")
        return moved_permanently(f"{url}?{query}" if query else url)
    return Found(shown)


def _gone(request: HttpRequest) -> HttpResponse:
    """410: the person asked to be removed. Says nothing of who it was."""
    sentence = "The person it was about asked for it to be removed."
    return error_page(request, 410, title="This page is gone for good", sentence=sentence, where_to_look=_WHERE_TO_LOOK)
