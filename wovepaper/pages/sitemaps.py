"""``/sitemap.xml`` and the files it names, by the protocol of sitemaps.org.

A file holds a range of numbers, so that an address stays in its file whatever comes and goes, and no file can have more
addresses than the protocol allows. It is sent while it is read, a thousand rows at a time.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.flatpages.models import FlatPage
from django.core.cache.backends.locmem import LocMemCache
from django.db.models import Count, F, IntegerField, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Cast
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from django.utils.html import escape
from django.utils.http import http_date
from django.views.decorators.http import require_safe

from institutions.models import Institution
from papers.models import Category, CategoryListing, Paper
from papers.models.paper import paper_address, slug_of
from papers.views.archives import group_archive
from researchers.models import Researcher
from wovepaper.lib.limited_streams import LimitedStreams, TooManyStreams
from wovepaper.pages.errors import explain

MOST_ADDRESSES = 50_000
"""In one file, by the protocol."""
ROWS_AT_A_TIME = 1_000
OVERVIEW_KEPT = 3_600
"""Seconds for which the overview of the files is kept: it is read from every row."""
OVERVIEWS = LocMemCache("sitemaps", {})
"""In the memory of the process, not in the database: reading a page writes nothing there."""
FILES = LimitedStreams(2)
"""Files being sent by this process; its other threads stay free for pages."""

_CONTENT_TYPE = "application/xml; charset=utf-8"
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_BEGIN = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_NAMESPACE}">\n'
_END = "</urlset>\n"


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of pages: which rows have one, what is read of a row, and where its page is."""

    rows: Callable[[], QuerySet[Any]]
    fields: tuple[str, ...]
    path: Callable[..., str]


def _numbered(path: str) -> Callable[[int, str], str]:
    return lambda number, slug: f"/{path}/{number}-{slug}" if slug else f"/{path}/{number}"


PARTS = {
    "papers": Part(
        lambda: Paper.objects.visible(),
        ("arxiv_id", "title"),
        lambda number, arxiv_id, title: paper_address(arxiv_id or str(number), slug_of(title)),
    ),
    "researchers": Part(lambda: Researcher.objects.visible(), ("slug",), _numbered("researchers")),
    "institutions": Part(lambda: Institution.objects.visible(), ("slug",), _numbered("institutions")),
}


class FileOverview(NamedTuple):
    """A file with its number from 0, its last change and how many addresses it has."""

    number: int
    changed: dt.datetime
    addresses: int


@require_safe
def sitemap_index(request: HttpRequest) -> HttpResponse:
    """``/sitemap.xml``: the files, each with its last change."""
    lines = [f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{_NAMESPACE}">\n']
    lines.append(_entry("sitemap", reverse("pages:sitemap_pages")))
    for name in PARTS:
        lines += [
            _entry("sitemap", reverse("pages:sitemap_file", args=[name, file.number]), file.changed)
            for file in read_overview(name)
        ]
    lines.append("</sitemapindex>\n")
    response = HttpResponse("".join(lines), content_type=_CONTENT_TYPE)
    response.headers["Cache-Control"] = f"public, max-age={OVERVIEW_KEPT}"
    return response


@require_safe
def sitemap_pages(request: HttpRequest) -> HttpResponse:
    """``/sitemaps/pages.xml``: the front page, the lists, the categories and what staff wrote."""
    response = HttpResponse("".join([_BEGIN, *_page_entries(), _END]), content_type=_CONTENT_TYPE)
    response.headers["Cache-Control"] = f"public, max-age={OVERVIEW_KEPT}"
    return response


@require_safe
def sitemap_file(request: HttpRequest, name: str, number: str) -> HttpResponseBase:
    """``/sitemaps/papers-0.xml``, sent while it is read; 404 where no page is in it, 503 where too many are sent."""
    found = next((file for file in read_overview(name) if str(file.number) == number), None)
    if found is None:
        raise Http404("There is no such part of the sitemap; /sitemap.xml names those there are.")
    pieces: Iterable[str] = ()
    if request.method != "HEAD":
        try:
            pieces = FILES.begin(write_file(name, found.number))
        except TooManyStreams:
            sentence = "Other parts of the sitemap are being sent. Ask for this one again in half a minute."
            return explain(request, 503, sentence=sentence, headers={"Retry-After": "30"})
    response = StreamingHttpResponse(pieces, content_type=_CONTENT_TYPE)
    response.headers["ETag"] = f'"{found.addresses}-{found.changed.timestamp():.6f}-{MOST_ADDRESSES}"'
    response.headers["Last-Modified"] = http_date(found.changed.timestamp())
    response.headers["Cache-Control"] = f"public, max-age={OVERVIEW_KEPT}"
    return response


def read_overview(name: str) -> list[FileOverview]:
    """The files of one of ``PARTS`` that have an address, in one statement over its rows; kept for a while."""
    key = f"sitemap:{name}:{MOST_ADDRESSES}"
    known: list[tuple[int, dt.datetime, int]] | None = OVERVIEWS.get(key)
    if known is None:
        file = Cast(F("pk") / MOST_ADDRESSES, IntegerField())
        rows = PARTS[name].rows().order_by().values_list(file).annotate(changed=Max("updated_at"), rows=Count("pk"))
        known = sorted(rows)
        OVERVIEWS.set(key, known, OVERVIEW_KEPT)
    return [FileOverview(*row) for row in known]


def write_file(name: str, number: int) -> Iterator[str]:
    """The file in pieces of ``ROWS_AT_A_TIME`` addresses, by number; each piece is a query of its own, so that nothing
    is held in the database while a slow reader takes it.
    """
    part = PARTS[name]
    last, end = number * MOST_ADDRESSES - 1, (number + 1) * MOST_ADDRESSES
    rows = part.rows().filter(pk__lt=end).order_by("pk").values_list("pk", "updated_at", *part.fields)
    yield _BEGIN
    while batch := list(rows.filter(pk__gt=last)[:ROWS_AT_A_TIME]):
        yield "".join(_entry("url", part.path(pk, *rest), changed) for pk, changed, *rest in batch)
        last = batch[-1][0]
    yield _END


def _page_entries() -> Iterator[str]:
    for view in ("pages:home", "papers:paper_list", "researchers:researcher_list", "institutions:institution_list"):
        yield _entry("url", reverse(view))
    yield _entry("url", reverse("papers:category_list"))
    listings = CategoryListing.objects.filter(category=OuterRef("pk")).order_by("-day")
    categories = Category.objects.filter(canonical=None).annotate(last_day=Subquery(listings.values("day")[:1]))
    archives: dict[str, list[Category]] = {}
    for category in categories.order_by("code"):
        archives.setdefault(category.archive, []).append(category)
        yield _entry("url", category.get_absolute_url(), category.last_day)
    for members in archives.values():
        if (archive := group_archive(members)) is not None:
            days = [one.last_day for one in members if one.last_day]  # type: ignore[attr-defined]
            yield _entry("url", archive.get_absolute_url(), max(days, default=None))
    written = FlatPage.objects.filter(registration_required=False).order_by("url").values_list("url", flat=True)
    for bare in dict.fromkeys(url.rstrip("/") for url in written):
        yield _entry("url", bare or "/")


def _entry(element: str, path: str, changed: dt.date | None = None) -> str:
    """``lastmod`` as the W3C writes dates and moments."""
    said = changed.isoformat(timespec="seconds") if isinstance(changed, dt.datetime) else changed and str(changed)
    address = escape(f"{settings.SITE_URL.rstrip('/')}{path}")
    return f"<{element}><loc>{address}</loc>{f'<lastmod>{said}</lastmod>' if said else ''}</{element}>\n"
