"""What every template may use."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString

from wovepaper.lib.page_head import json_for_script

FOOTER_PAGES = (("/about", "About"), ("/contact", "Contact"), ("/privacy", "Privacy"), ("/developers", "Developers"))


def site(request: HttpRequest) -> dict[str, Any]:
    """The site's own absolute address, for canonical links and feeds, and what its frame shows."""
    return {
        "site_url": settings.SITE_URL,
        "site_json_ld": site_json_ld(settings.SITE_URL),
        "footer_pages": [{"url": url, "label": label} for url, label in FOOTER_PAGES],
    }


@lru_cache(maxsize=8)
def site_json_ld(site_url: str) -> SafeString:
    """Who runs the site and how to search it, for machines (schema.org)."""
    return json_for_script(
        {
            "@context": "https://schema.org",
            "@graph": [
                {
                    "@type": "Organization",
                    "@id": f"{site_url}/#organization",
                    "name": "wovepaper",
                    "url": f"{site_url}/",
                    "slogan": "Papers, researchers and institutions, woven together.",
                },
                {
                    "@type": "WebSite",
                    "@id": f"{site_url}/#website",
                    "name": "wovepaper",
                    "url": f"{site_url}/",
                    "publisher": {"@id": f"{site_url}/#organization"},
                    "potentialAction": {
                        "@type": "SearchAction",
                        "target": {
                            "@type": "EntryPoint",
                            "urlTemplate": f"{site_url}{reverse('papers:search')}?q={{search_term_string}}",
                        },
                        "query-input": "required name=search_term_string",
                    },
                },
            ],
        }
    )
