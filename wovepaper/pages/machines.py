"""Files for machines."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

ROBOTS = """\
User-agent: *
Disallow: /admin/
Disallow: /accounts/
Disallow: /search
Disallow: /papers?
Disallow: /*?*after=
Disallow: /*?*before=
Disallow: /*?*day=
"""


@require_safe
@cache_control(max_age=86_400, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """``/robots.txt``: lists under filters, searches and deep pages are the same papers again and again."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


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
