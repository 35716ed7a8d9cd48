"""With whom one researcher wrote, and where they published: a table each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from papers.keyset import BadCursor, Place
from papers.views.links import Pager
from researchers.services.profile import read_coauthors, read_venues
from researchers.views.researcher_address import find, page_url
from researchers.views.researcher_frame import read_frame


@require_safe
def coauthors(request: HttpRequest, address: str) -> HttpResponse:
    """``/researchers/<id>-<slug>/co-authors``."""
    return _tab(request, address, "coauthors", read_coauthors, "scope")


@require_safe
def venues(request: HttpRequest, address: str) -> HttpResponse:
    """``/researchers/<id>-<slug>/venues``."""
    return _tab(request, address, "venues", read_venues, "total")


def _tab(request: HttpRequest, address: str, name: str, read: Callable[..., Any], told: str) -> HttpResponse:
    """One of the tables; ``told`` is what it says of itself beside its rows."""
    found = find(request, address, name)
    if isinstance(found, HttpResponse):
        return found
    place, problems = _place(request)
    frame = read_frame(found.researcher)
    listed = read(found.researcher.pk, place=place)
    context = {
        **frame.context(name),
        "head": frame.head(name, index=place == Place()),
        "rows": listed.page.rows,
        told: getattr(listed, told),
        "pager": Pager.of(listed.page, page_url(found.researcher, name)),
        "problems": problems,
        "first_page": place == Place(),
    }
    return render(request, f"researchers/{name}.html", context, status=400 if problems else 200)


def _place(request: HttpRequest) -> tuple[Place, list[str]]:
    try:
        return Place.parse(request.GET, int), []
    except BadCursor as error:
        return Place(), [str(error)]
