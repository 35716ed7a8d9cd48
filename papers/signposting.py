"""What programs find in the ``Link`` header of a paper's page: FAIR Signposting (signposting.org), level 1."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from django.utils.encoding import iri_to_uri

from papers.citations.data import CitationData
from papers.structured_data import schema_type

MOST_AUTHORS = 10
"""A front server often takes 4,096 bytes of headers in all; the page itself names everybody."""
LONGEST_ADDRESS = 500
_UNSAFE = re.compile(r"[\x00-\x20\x7f<>\"\\^`{|}]")


def link_header(
    data: CitationData, *, site_url: str, described_by: Iterable[tuple[str, str]], authors: Sequence[str]
) -> str:
    """The value of the header.

    ``described_by``: media types and addresses of the same in other formats; ``authors``: pages of the authors, empty
    where there is none. Addresses are of this site, from the slash on, or absolute; what is not of the web is left out.
    """
    licence = data.licence.replace("http://creativecommons.org/", "https://creativecommons.org/", 1)
    links = [
        _link(data.url or data.address, site_url, "cite-as"),
        _link("https://schema.org/AboutPage", site_url, "type"),
        _link(f"https://schema.org/{schema_type(data.kind)}", site_url, "type"),
        *(_link(author, site_url, "author") for author in list(filter(None, authors))[:MOST_AUTHORS]),
        _link(licence, site_url, "license"),
        _link(data.pdf_url, site_url, "item", "application/pdf"),
        *(_link(address, site_url, "describedby", type_) for type_, address in described_by),
    ]
    return ", ".join(filter(None, links))


def _link(address: str, site_url: str, relation: str, media_type: str = "") -> str:
    absolute = f"{site_url.rstrip('/')}{address}" if address.startswith("/") else address
    if not absolute.startswith(("https://", "http://")) or len(absolute) > LONGEST_ADDRESS:
        return ""
    safe = _UNSAFE.sub(lambda match: quote(match[0], safe=""), iri_to_uri(absolute) or "")
    return f'<{safe}>; rel="{relation}"' + (f'; type="{media_type}"' if media_type else "")
