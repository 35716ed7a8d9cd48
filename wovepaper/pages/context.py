"""What every template may use."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.safestring import SafeString

from papers.structured_data import site_graph, to_script_json

FOOTER_PAGES = (
    ("/about", "About"),
    ("/contact", "Contact"),
    ("/privacy", "Privacy"),
    ("/developers", "Developers"),
    ("/openapi.json", "OpenAPI"),
)


def site(request: HttpRequest) -> dict[str, Any]:
    """The site's own absolute address, for canonical links and feeds, and what its frame shows."""
    return {
        "site_url": settings.SITE_URL,
        "site_json_ld": site_json_ld(settings.SITE_URL),
        "footer_pages": FOOTER_PAGES,
    }


@lru_cache(maxsize=8)
def site_json_ld(site_url: str) -> SafeString:
    """Who runs the site and how to search it, for machines."""
    return to_script_json(site_graph(site_url))
