"""With whom one researcher wrote, and where they published: a table each."""

from __future__ import annotations

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
    found = find(request, address, "coauthors")
    if isinstance(found, HttpResponse):
        return found
    place, problems = _place(request)
    frame = read_frame(found.researcher)
    listed = read_coauthors(found.researcher.pk, place=place)
    context = {
        **frame.context("coauthors"),
        "head": frame.head("coauthors", index=place == Place()),
        "rows": listed.page.rows,
        "scope": listed.scope,
        "pager": Pager.of(listed.page, page_url(found.researcher, "coauthors")),
        "problems": problems,
        "first_page": place == Place(),
    }
    return render(request, "researchers/coauthors.html", context, status=400 if problems else 200)


@require_safe
def venues(request: HttpRequest, address: str) -> HttpResponse:
    """``/researchers/<id>-<slug>/venues``."""
    found = find(request, address, "venues")
    if isinstance(found, HttpResponse):
        return found
    place, problems = _place(request)
    frame = read_frame(found.researcher)
    listed = read_venues(found.researcher.pk, place=place)
    context = {
        **frame.context("venues"),
        "head": frame.head("venues", index=place == Place()),
        "rows": listed.page.rows,
        "total": listed.total,
        "pager": Pager.of(listed.page, page_url(found.researcher, "venues")),
        "problems": problems,
        "first_page": place == Place(),
    }
    return render(request, "researchers/venues.html", context, status=400 if problems else 200)


def _place(request: HttpRequest) -> tuple[Place, list[str]]:
    try:
        return Place.parse(request.GET, int), []
    except BadCursor as error:
        return Place(), [str(error)]
