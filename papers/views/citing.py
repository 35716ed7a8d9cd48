"""References to a paper: as files for reference managers, and all on one page to copy from."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from papers.citations import FORMATS, CitationData, from_paper, read_authorships
from papers.models import Paper
from papers.views.links import Link, moved
from papers.views.paper_address import find_or_404, parse_or_404
from wovepaper.lib.markup import plain
from wovepaper.lib.page_head import PageHead, shorten

EXTENSIONS = {"bib": "bibtex", "ris": "ris", "json": "csl-json"}
"""Formats with an address of their own: the paper's, with this at the end."""


@dataclass(frozen=True, slots=True)
class ShownCitation:
    """A reference as text, and where it can be had as a file."""

    key: str
    label: str
    text: str
    url: str = ""
    filename: str = ""


@require_safe
def download(request: HttpRequest, address: str, extension: str) -> HttpResponse:
    """``/papers/<reference>.bib``, ``.ris`` and ``.json`` (CSL-JSON)."""
    found = find_or_404(parse_or_404(address))
    url = download_url(found, extension)
    if request.path != url:
        return moved(url)
    chosen = FORMATS[EXTENSIONS[extension]]
    response = HttpResponse(chosen.write([citation_data(found)]), content_type=chosen.content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{_filename(found, extension)}"'
    return response


@require_safe
def cite(request: HttpRequest, address: str) -> HttpResponse:
    """``/papers/<reference>/cite``: every format and style."""
    found = find_or_404(parse_or_404(address))
    url = reverse("papers:cite", args=[found.reference])
    if request.path != url:
        return moved(url)
    title = plain(found.title)
    context = {
        "head": PageHead(
            title=shorten(f"Cite: {title}", 160),
            description=shorten(f"References to “{title}” in every format and common styles."),
            path=url,
            index=False,
        ),
        "paper": found,
        "citations": all_citations(found),
        "crumbs": [Link("Papers", reverse("papers:paper_list")), Link(shorten(title, 80), found.get_absolute_url())],
    }
    return render(request, "papers/cite.html", context)


def citation_data(found: Paper) -> CitationData:
    """What references say of the paper, in two queries."""
    return from_paper(found, site_url=settings.SITE_URL, authorships=read_authorships(found))


def download_url(found: Paper, extension: str) -> str:
    """The address of a reference as a file."""
    return reverse("papers:download", args=[found.reference, extension])


def all_citations(found: Paper) -> list[ShownCitation]:
    """The reference in every format."""
    data = citation_data(found)
    return [_shown(found, data, name) for name in FORMATS]


def bibtex_citation(found: Paper, data: CitationData) -> ShownCitation:
    """The reference as BibTeX."""
    return _shown(found, data, "bibtex")


def _shown(found: Paper, data: CitationData, name: str) -> ShownCitation:
    chosen = FORMATS[name]
    extension = next((extension for extension, own in EXTENSIONS.items() if own == name), "")
    return ShownCitation(
        key=name,
        label=chosen.label,
        text=chosen.write([data]).strip(),
        url=download_url(found, extension) if extension else "",
        filename=_filename(found, extension) if extension else "",
    )


def _filename(found: Paper, extension: str) -> str:
    return f"{found.reference.replace('/', '_')}.{extension}"
