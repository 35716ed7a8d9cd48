"""``/rss/…`` and ``/atom/…``."""

from __future__ import annotations

from typing import cast

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import http_date
from django.views.decorators.http import require_safe

from institutions.models import Institution
from papers.models import Category
from papers.searching import SearchDown
from papers.views.archives import find_archive
from papers.views.links import moved
from papers.views.search import read_asked
from researchers.models import Researcher
from wovepaper.pages.errors import explain
from wovepaper.pages.feeds import selections
from wovepaper.pages.feeds.formats import CONTENT_TYPES, Feed, write_feed

MAX_AGE = 900
"""Seconds for which a reader need not ask again: harvests are rarer."""
_LONGEST_NUMBER = 18


@require_safe
def latest(request: HttpRequest, form: str) -> HttpResponse:
    """``/rss/latest.xml``."""
    return _answer(selections.latest(), form)


@require_safe
def category(request: HttpRequest, form: str, code: str) -> HttpResponse:
    """``/rss/categories/<code>.xml``: of a category, or of an archive that is none, such as ``cs``."""
    found = Category.objects.select_related("canonical").filter(code__iexact=code).order_by("code").first()
    if found is None:
        archive = find_archive(code)
        if archive is None:
            raise Http404(f"There is no category “{code[:40]}”. The list of categories has them all.")
        if archive.code != code:
            return moved(f"/{form}/categories/{archive.code}.xml")
        return _answer(selections.of_archive(archive), form)
    canonical = found.canonical or found
    if canonical.code != code:
        return moved(f"/{form}/categories/{canonical.code}.xml")
    return _answer(selections.of_category(canonical), form)


@require_safe
def researcher(request: HttpRequest, form: str, number: str) -> HttpResponse:
    """``/rss/researchers/<number>.xml``; a merged number leads to the survivor's, an erased one is gone."""
    found = Researcher.objects.select_related("root").filter(pk=_number(number)).first()
    if found is None:
        raise Http404("No researcher here has this number. It may be mistyped.")
    root = cast("Researcher", found.root)
    if root.erased_at is not None or found.erased_at is not None:
        return explain(request, 410, sentence="The person it was about asked for it to be removed.")
    if str(root.pk) != number:
        return moved(f"/{form}/researchers/{root.pk}.xml")
    return _answer(selections.of_researcher(root), form)


@require_safe
def institution(request: HttpRequest, form: str, number: str) -> HttpResponse:
    """``/rss/institutions/<number>.xml``; a merged number leads to what the institution became."""
    found = Institution.objects.select_related("root").filter(pk=_number(number)).first()
    if found is None:
        raise Http404("No institution here has this number. It may be mistyped.")
    root = cast("Institution", found.root)
    if str(root.pk) != number:
        return moved(f"/{form}/institutions/{root.pk}.xml")
    return _answer(selections.of_institution(root), form)


@require_safe
def search(request: HttpRequest, form: str) -> HttpResponse:
    """``/rss/search.xml?q=``, with the filters of the search page."""
    problems: list[str] = []
    asked = read_asked(request.GET, problems)
    if problems:
        return explain(request, 400, sentence=" ".join(problems))
    if not asked.query:
        return explain(request, 400, sentence="A feed of a search needs what to search for, such as ?q=spin+glass.")
    try:
        feed = selections.of_search(asked)
    except SearchDown:
        return explain(request, 503, sentence="The search is not answering.", headers={"Retry-After": "60"})
    return _answer(feed, form)


def _number(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise Http404("Nothing here has so long a number.")
    return int(text)


def _answer(feed: Feed, form: str) -> HttpResponse:
    response = HttpResponse(
        write_feed(feed, form, site_url=settings.SITE_URL.rstrip("/")), content_type=CONTENT_TYPES[form]
    )
    # The middleware adds the ETag of what is said, and answers 304 to who has it.
    response.headers["Last-Modified"] = http_date(feed.changed.timestamp())
    response.headers["Cache-Control"] = f"public, max-age={MAX_AGE}"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
