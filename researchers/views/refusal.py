"""Answers for what a reader may not do or asked wrongly, as pages in the site's voice."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from wovepaper.lib.error_page import error_page

WHERE_TO_LOOK = (
    ("/researchers?q=<name>", "researchers by name"),
    ("/researchers/<number>", "a researcher by their number here"),
    ("/researchers/orcid/<ORCID iD>", "a researcher by their ORCID iD"),
)


def refusal(
    request: HttpRequest, status: int, *, title: str, sentence: str, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """A page that says what is wrong and where to look."""
    return error_page(request, status, title=title, sentence=sentence, where_to_look=WHERE_TO_LOOK, headers=headers)


def too_many(request: HttpRequest, sentence: str) -> HttpResponse:
    """429 for a reader who said more than can be taken in."""
    return refusal(request, 429, title="That is a lot at once", sentence=sentence, headers={"Retry-After": "3600"})


def way_back(request: HttpRequest) -> str:
    """The page of this site that a form says it was sent from; the list of researchers for any other address."""
    wanted = request.POST.get("next", "")
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        return wanted
    return reverse("researchers:researcher_list")
