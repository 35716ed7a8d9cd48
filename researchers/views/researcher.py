"""The page of one researcher."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from researchers.models import Researcher
from researchers.views.researcher_address import find, page_url
from wovepaper.lib.page_head import PageHead


@require_safe
def researcher(request: HttpRequest, address: str) -> HttpResponse:
    """``/researchers/<id>-<slug>``. Every other address of the person leads here in one hop."""
    found = find(request, address, "researcher")
    if isinstance(found, HttpResponse):
        return found
    shown: Researcher = found.researcher
    head = PageHead(shown.display_name, f"{shown.display_name} in this catalogue.", page_url(shown, "researcher"))
    return render(request, "researchers/researcher.html", {"head": head, "researcher": shown})
