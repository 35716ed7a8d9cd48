"""The programming interface as a whole: which operations it has, its document, and the page for developers."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.flatpages.models import FlatPage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from institutions.api import router as institutions
from papers.api import router as papers
from researchers.api import router as researchers
from wovepaper.changes import router as changes
from wovepaper.finding import router as finding
from wovepaper.lib.page_head import PageHead
from wovepaper.pages.markdown import render_markdown
from wovepaper.rest.gateway import public
from wovepaper.rest.interface import Interface
from wovepaper.rest.problems import KINDS
from wovepaper.rest.reference import Section, read_reference

DESCRIPTION = """\
Papers, researchers and institutions of this catalogue, to read. Nobody needs an account or a key.

Lists come in pages: follow `next` until it is null. `select` names the fields to send. Answers carry an ETag: send it
as If-None-Match, and what has not changed is answered with 304. What was merged answers with 301. Problems are
`application/problem+json` with a code.
"""

interface = Interface(
    title="wovepaper", version="1", description=DESCRIPTION, urls_namespace="api", openapi_url=None, docs_url=None
)
for router in (papers, researchers, institutions, finding, changes):
    interface.add_router("", router)


@lru_cache(maxsize=4)
def document_text(site_url: str) -> str:
    """The OpenAPI document as JSON."""
    return json.dumps(interface.document(server=site_url), ensure_ascii=False, indent=1)


def openapi(request: HttpRequest) -> HttpResponse:
    """``/openapi.json``."""
    return HttpResponse(document_text(settings.SITE_URL), content_type="application/json")


@lru_cache(maxsize=4)
def reference(site_url: str) -> tuple[Section, ...]:
    """The document as the page for developers shows it, with the descriptions as HTML."""
    return tuple(
        replace(
            section,
            operations=tuple(replace(one, description=render_markdown(one.description)) for one in section.operations),
        )
        for section in read_reference(json.loads(document_text(site_url)))
    )


@require_safe
def developers(request: HttpRequest) -> HttpResponse:
    """``/developers``: what staff write there, then every operation."""
    written = FlatPage.objects.filter(url__in=["/developers", "/developers/"]).order_by("url").first()
    context: dict[str, Any] = {
        "head": PageHead("Developers", "Read this catalogue by programs: every operation, and how.", "/developers"),
        "title": written.title if written else "Developers",
        "html": render_markdown(written.content) if written else "",
        "description": render_markdown(DESCRIPTION),
        "sections": reference(settings.SITE_URL),
        "problems": list(KINDS.values()),
        "limit": settings.API_REQUESTS_PER_MINUTE,
    }
    return render(request, "pages/developers.html", context)


api_patterns: list[URLPattern] = interface.patterns()
site_patterns = [
    path("openapi.json", public(openapi, limited=False), name="openapi"),
    path("developers", developers, name="developers"),
]
