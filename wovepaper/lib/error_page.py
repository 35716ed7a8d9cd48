"""A page that says what went wrong and where to look instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from wovepaper.lib.markdown_text import escape, guard_lines


def error_page(
    request: HttpRequest,
    status: int,
    *,
    title: str,
    sentence: str,
    where_to_look: Sequence[tuple[str, str]],
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The page with this status: HTML, or Markdown for who prefers that.

    ``where_to_look``: patterns of addresses, and what is there.
    """
    context = {"status": status, "title": title, "sentence": sentence, "where_to_look": where_to_look}
    if request.get_preferred_type(["text/html", "text/markdown"]) == "text/markdown":
        # A sentence may repeat what stood in the address.
        text = render_to_string("pages/error.md", context | {"sentence": guard_lines(escape(sentence))}, request)
        response = HttpResponse(text, status=status, content_type="text/markdown; charset=utf-8", headers=headers)
    else:
        response = HttpResponse(render_to_string("pages/error.html", context, request), status=status, headers=headers)
    patch_vary_headers(response, ["Accept"])
    return response
