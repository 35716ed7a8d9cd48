"""What machines read of a page: JSON-LD by the vocabulary of schema.org, and the ``citation_*`` tags.

The tags are those that Google Scholar documents for publishers ("Inclusion Guidelines for Webmasters") and that
Zotero's translator for embedded metadata takes up. All values are plain text: the template escapes the tags,
``to_script_json`` escapes the JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from papers.citations.data import CitationData, CitedName, from_paper
from papers.models import Paper
from papers.sources.records import PartialDate
from wovepaper.lib.markup import plain

MAX_JSON_LD_AUTHORS = 100
"""A collaboration's full list is in the citation files; here it would only make the page heavy."""
MAX_META_AUTHORS = 1000
"""``citation_author`` tags: Google Scholar asks for all authors, the page's weight for an end."""

SITE_NAME = "wovepaper"
_CONTEXT = "https://schema.org"
_TYPES = {
    "book": "Book",
    "book-chapter": "Chapter",
    "thesis": "Thesis",
    "report": "Report",
    "dataset": "Dataset",
}
# A script element ends at ``</script`` and is parsed otherwise after ``<!--``; the separators end lines in JavaScript.
_SCRIPT_ESCAPES = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def scholarly_article(
    paper: Paper, site_url: str, *, citation: CitationData | None = None, author_addresses: Sequence[str] = ()
) -> dict[str, Any]:
    """JSON-LD of a paper. ``citation`` spares the queries where the caller has it already.

    ``author_addresses``: this site's pages of the authors, in order, empty where there is none.
    """
    data = citation or from_paper(paper, site_url=site_url)
    address = _absolute(site_url, paper.get_absolute_url())
    addresses = {index: _absolute(site_url, one) for index, one in enumerate(author_addresses) if one}
    publisher = "arXiv" if data.kind == "preprint" and data.arxiv_id else data.publisher
    article: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": schema_type(data.kind),
        "@id": address,
        "url": address,
        "mainEntityOfPage": address,
        "name": plain(data.title),
        "headline": plain(data.title),
        "abstract": plain(data.abstract),
        "author": [
            _person(name, addresses.get(index, "")) for index, name in enumerate(data.authors[:MAX_JSON_LD_AUTHORS])
        ],
        "datePublished": str(data.date) if data.date else "",
        "dateModified": paper.last_version_on.isoformat() if paper.last_version_on else "",
        "identifier": _identifiers(data),
        "sameAs": [address for address in (data.arxiv_url, data.doi_url) if address],
        "isPartOf": _container(data),
        "pagination": data.pages,
        "publisher": {"@type": "Organization", "name": publisher} if publisher else None,
        "license": data.licence,
        "keywords": list(data.categories),
        "creativeWorkStatus": data.state_note,
    }
    if data.pdf_url:
        article["encoding"] = {"@type": "MediaObject", "contentUrl": data.pdf_url, "encodingFormat": "application/pdf"}
        article["isAccessibleForFree"] = True
    return _filled(article)


def schema_type(kind: str) -> str:
    """What schema.org calls a ``Paper.Kind``."""
    return _TYPES.get(kind, "ScholarlyArticle")


def breadcrumbs(steps: Sequence[tuple[str, str]], site_url: str) -> dict[str, Any]:
    """JSON-LD of the way to a page: names and addresses (of this site, from the root), the page itself last."""
    return {
        "@context": _CONTEXT,
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": position, "name": name, "item": _absolute(site_url, address)}
            for position, (name, address) in enumerate(steps, start=1)
        ],
    }


def site_graph(site_url: str) -> dict[str, Any]:
    """JSON-LD of the site itself, for every page: who it is, and how it is searched."""
    root = f"{site_url.rstrip('/')}/"
    return {
        "@context": _CONTEXT,
        "@graph": [
            {"@type": "Organization", "@id": f"{root}#organization", "name": SITE_NAME, "url": root},
            {
                "@type": "WebSite",
                "@id": f"{root}#website",
                "name": SITE_NAME,
                "url": root,
                "publisher": {"@id": f"{root}#organization"},
                "potentialAction": {
                    "@type": "SearchAction",
                    "target": {"@type": "EntryPoint", "urlTemplate": f"{root}search?q={{search_term_string}}"},
                    "query-input": "required name=search_term_string",
                },
            },
        ],
    }


def to_script_json(data: object) -> SafeString:
    """JSON that may stand in a ``<script type="application/ld+json">`` element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_SCRIPT_ESCAPES)
    return mark_safe(text)  # noqa: S308 - nothing in it can end the element


def citation_meta(paper: Paper, *, site_url: str, citation: CitationData | None = None) -> list[tuple[str, str]]:
    """The ``citation_*`` tags in order, as names and contents. At most ``MAX_META_AUTHORS`` authors."""
    data = citation or from_paper(paper, site_url=site_url)
    first, last = data.page_range
    online = data.online or _on_arxiv(paper, data)
    tags = [
        ("citation_title", plain(data.title)),
        *(("citation_author", _inverted(name)) for name in data.authors[:MAX_META_AUTHORS]),
        ("citation_publication_date", _slashes(data.date)),
        ("citation_online_date", _slashes(online)),
        ({"proceedings-article": "citation_conference_title"}.get(data.kind, "citation_journal_title"), _venue(data)),
        ("citation_conference", data.event.name if data.event else ""),
        ("citation_volume", data.volume),
        ("citation_issue", data.issue),
        ("citation_firstpage", first),
        ("citation_lastpage", last),
        ("citation_dissertation_institution", data.publisher if data.kind == "thesis" else ""),
        ("citation_technical_report_institution", data.publisher if data.kind == "report" else ""),
        ("citation_technical_report_number", data.report_number if data.kind == "report" else ""),
        ("citation_publisher", data.publisher if data.kind not in {"thesis", "report"} else ""),
        ("citation_doi", data.doi),
        ("citation_arxiv_id", data.arxiv_id),
        ("citation_abstract_html_url", _absolute(site_url, paper.get_absolute_url())),
        ("citation_pdf_url", data.pdf_url),
    ]
    return [(name, " ".join(content.split())) for name, content in tags if content]


def _person(name: CitedName, address: str = "") -> dict[str, str]:
    if name.literal:
        return {"@type": "Organization", "name": name.literal}
    shown = " ".join(part for part in (name.given, name.family, name.suffix) if part)
    parts = {"givenName": name.given, "familyName": name.family, "honorificSuffix": name.suffix, "url": address}
    return {"@type": "Person", "name": shown} | {part: value for part, value in parts.items() if value}


def _inverted(name: CitedName) -> str:
    """``Family, Given Suffix``: with one comma, which is all that readers of the tag split at."""
    if name.literal:
        return name.literal
    rest = " ".join(part for part in (name.given, name.suffix) if part)
    return f"{name.family}, {rest}" if rest else name.family


def _on_arxiv(paper: Paper, data: CitationData) -> PartialDate | None:
    """The day on which arXiv listed it, or has it from."""
    if paper.announced_on:
        return PartialDate.of(paper.announced_on)
    return data.date if data.arxiv_id and data.date and data.date.precision == "day" else None


def _venue(data: CitationData) -> str:
    """What it appeared in; a conference paper without proceedings at its conference."""
    if data.kind == "proceedings-article":
        return data.venue or (data.event.name if data.event else "")
    return data.venue if data.kind == "article" else ""


def _container(data: CitationData) -> dict[str, Any] | None:
    if not data.venue or data.kind == "preprint":
        return None
    if data.kind != "article":
        return {"@type": "Book" if data.kind == "book-chapter" else "CreativeWork", "name": data.venue}
    container: dict[str, Any] = {"@type": "Periodical", "name": data.venue}
    if data.volume:
        container = {"@type": "PublicationVolume", "volumeNumber": data.volume, "isPartOf": container}
    if data.issue:
        container = {"@type": "PublicationIssue", "issueNumber": data.issue, "isPartOf": container}
    return container


def _identifiers(data: CitationData) -> list[dict[str, str]]:
    pairs = (("DOI", data.doi), ("arXiv", data.arxiv_id))
    return [{"@type": "PropertyValue", "propertyID": name, "value": value} for name, value in pairs if value]


def _absolute(site_url: str, address: str) -> str:
    return f"{site_url.rstrip('/')}{address}" if address.startswith("/") else address


def _slashes(date: PartialDate | None) -> str:
    """``2021/03/04``, or as much of it as is known."""
    return str(date).replace("-", "/") if date else ""


def _filled(mapping: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if value or value is False}
