"""The pages for what went wrong, in one voice. Those for 400 and 500 need neither database nor session."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.html import escape

from wovepaper.lib.error_page import error_page
from wovepaper.pages.context import site

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a status means here, and what the reader can do."""

    title: str
    sentence: str


EXPLANATIONS: dict[int, Explanation] = {
    400: Explanation(
        "This request can’t be read", "Something in the address or the form is not what this site expects."
    ),
    403: Explanation(
        "This page isn’t yours to see", "You may need to sign in, or to ask the people who run this site."
    ),
    404: Explanation("This page isn’t here", "The address may be mistyped, or the paper is not harvested yet."),
    410: Explanation("This page is gone for good", "It was taken down and will not come back."),
    429: Explanation("Too many requests", "Please wait a minute, then try again."),
    500: Explanation("Something broke on our side", "It has been noted. Please try again in a moment."),
    503: Explanation("This part is resting", "It will be back soon; the rest of the site still reads."),
}
WHERE_TO_LOOK = (
    ("/papers/<arXiv id>", "a paper by its arXiv id, such as /papers/2311.01234"),
    ("/papers/doi/<DOI>", "a paper by its DOI"),
    ("/researchers/orcid/<ORCID iD>", "a researcher by their ORCID iD"),
    ("/categories/<code>", "a field of research, such as /categories/cs.CL"),
    ("/search?q=<words>", "the search"),
)


def explain(
    request: HttpRequest, status: int, *, sentence: str = "", headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """The page for ``status``; ``sentence`` replaces the usual one."""
    known = EXPLANATIONS[status]
    return error_page(
        request,
        status,
        title=known.title,
        sentence=sentence or known.sentence,
        where_to_look=WHERE_TO_LOOK,
        headers=headers,
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400."""
    return _safely(request, 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    return explain(request, 403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, with the sentence of the view that looked, where it gave one."""
    reason = exception.args[0] if exception.args else ""
    return explain(request, 404, sentence=reason if isinstance(reason, str) else "")


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """429, for the sign-in's own rate limits."""
    return explain(request, 429, headers={"Retry-After": "60"})


def server_error(request: HttpRequest) -> HttpResponse:
    """500: whatever broke may break the page about it too, so a bare one stands behind it."""
    return _safely(request, 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form sent without its token."""
    return explain(
        request,
        403,
        sentence="The form was open for too long, or your browser keeps cookies from this site. Go back, load the page "
        "again and send the form once more.",
    )


def _safely(request: HttpRequest, status: int) -> HttpResponse:
    known = EXPLANATIONS[status]
    context = {"status": status, "title": known.title, "sentence": known.sentence, "where_to_look": WHERE_TO_LOOK}
    try:
        # Without the request: its user would be looked up in a database that may be down.
        html: str = render_to_string("pages/error.html", context | site(request))
    except Exception:
        logger.exception("The page for status %s cannot be rendered", status)
        html = (
            f'<!doctype html><html lang="en"><title>{escape(known.title)} · wovepaper</title>'
            f"<h1>{escape(known.title)}</h1><p>{escape(known.sentence)}</p>"
        )
    return HttpResponse(html, status=status)
