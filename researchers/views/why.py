"""Why the authors of a paper are taken for the researchers they are taken for."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from papers.models import Paper
from papers.querysets import LIKELY_BELOW
from papers.views.links import Link, Pager, address, moved
from papers.views.paper_address import find_or_404, parse_or_404
from researchers.services.authors import PAGE_SIZE, read_authors
from wovepaper.lib.markup import plain
from wovepaper.lib.page_head import PageHead, shorten


@require_safe
def authors_of_paper(request: HttpRequest, address: str) -> HttpResponse:
    """``/papers/<reference>/authors``, fifty a page."""
    found = find_or_404(parse_or_404(address))
    url = authors_url(found)
    if request.path != url:
        query = request.META.get("QUERY_STRING", "")
        return moved(f"{url}?{query}" if query else url)
    last = max(1, -(-found.author_count // PAGE_SIZE))
    page = _read_page(request, last)
    title = plain(found.title)
    reader = request.user.pk if request.user.is_authenticated else None
    context = {
        "head": PageHead(
            title=shorten(f"Who wrote: {title}", 160),
            description=shorten(f"For each author of “{title}”, who they are taken for and why."),
            path=url,
            index=False,
        ),
        "paper": found,
        "authors": read_authors(found, page=page, reader=reader),
        "summary": _summary(found, page, last),
        "pager": _pager(url, page, last),
        "likely_below": round(100 * LIKELY_BELOW),
        "crumbs": crumbs_of(found, title),
    }
    return render(request, "researchers/authors_of_paper.html", context)


def authors_url(found: Paper) -> str:
    """The address of the page about the authors of a paper."""
    return reverse("researchers:authors_of_paper", args=[found.reference])


def author_url(found: Paper, position: int, authorship: int) -> str:
    """The place of one author on it."""
    page = 1 + (position - 1) // PAGE_SIZE
    return f"{address(authors_url(found), {'page': page if page > 1 else ''})}#author-{authorship}"


def crumbs_of(found: Paper, title: str) -> list[Link]:
    """The way to what hangs on a paper."""
    return [Link("Papers", reverse("papers:paper_list")), Link(shorten(title, 80), found.get_absolute_url())]


def _read_page(request: HttpRequest, last: int) -> int:
    text = request.GET.get("page") or "1"
    page = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 1 <= page <= last:
        raise Http404(f"The authors of this paper stand on pages 1 to {last}.")
    return page


def _summary(found: Paper, page: int, last: int) -> str:
    authors = f"{found.author_count:,} author{'' if found.author_count == 1 else 's'}"
    return f"{authors}, page {page} of {last}" if last > 1 else authors


def _pager(url: str, page: int, last: int) -> Pager:
    return Pager(
        previous=address(url, {"page": page - 1 if page > 2 else ""}) if page > 1 else "",
        next=address(url, {"page": page + 1}) if page < last else "",
    )
