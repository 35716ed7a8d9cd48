"""Files for machines."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

# With wildcards, as RFC 9309 has them. Further pages of unfiltered lists stay open: they lead to every paper.
ROBOTS = """\
User-agent: *
Disallow: /admin/
Disallow: /accounts/
Disallow: /search
Disallow: /researchers/compare
Disallow: /*/cite
Disallow: /*/contest
Disallow: /*?*category=
Disallow: /*?*country=
Disallow: /*?*day=
Disallow: /*?*field=
Disallow: /*?*institution=
Disallow: /*?*kind=
Disallow: /*?*mode=
Disallow: /*?*q=
Disallow: /*?*sort=
Disallow: /*?*source=
Disallow: /*?*status=
Disallow: /*?*year=
Disallow: /*?*year_from=
Disallow: /*?*year_to=
"""


@require_safe
@cache_control(max_age=86_400, public=True)
def llms(request: HttpRequest) -> HttpResponse:
    """``/llms.txt``: what is where, for language models (llmstxt.org)."""
    site_url = settings.SITE_URL.rstrip("/")
    return render(request, "pages/llms.txt", {"site_url": site_url}, content_type="text/markdown; charset=utf-8")


@require_safe
@cache_control(max_age=86_400, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """``/robots.txt``: filtered lists and searches are the same papers again and again."""
    # By RFC 9309 a line of its own, of no group; its address is absolute.
    sitemap = f"\nSitemap: {settings.SITE_URL.rstrip('/')}{reverse('pages:sitemap_index')}\n"
    return HttpResponse(ROBOTS + sitemap, content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(max_age=86_400, public=True)
def favicon(request: HttpRequest) -> HttpResponse:
    """``/favicon.ico``, for those who ask before reading the page."""
    return HttpResponse(status=301, headers={"Location": static("favicon.svg")})


@require_safe
@cache_control(max_age=86_400, public=True)
def opensearch(request: HttpRequest) -> HttpResponse:
    """``/opensearch.xml``: lets a browser add this site to its search engines (OpenSearch 1.1)."""
    return render(
        request,
        "pages/opensearch.xml",
        {"site_url": settings.SITE_URL},
        content_type="application/opensearchdescription+xml",
    )
