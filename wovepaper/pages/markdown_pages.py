"""Public pages as Markdown: for whoever prefers ``text/markdown``, and with ``.md`` after the address."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote, urlsplit, urlunsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.cache import patch_vary_headers

from wovepaper.lib.page_head import FRONT_PAGE_AS_MARKDOWN, MARKDOWN_ENDING
from wovepaper.pages.as_markdown import page_as_markdown

NAMESPACES = frozenset({"papers", "researchers", "institutions", "pages", "machines"})
"""Applications whose pages anybody may read."""
_NAMES_WITH_DOTS = frozenset({"papers:paper_by_doi"})
"""Addresses that end with a name of somebody else's, which may end in ``.md`` itself."""
_CONTENT_TYPE = "text/markdown; charset=utf-8"


class MarkdownPages:
    """Answers GET and HEAD with the page as Markdown where it is asked for; what is said depends on ``Accept``."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Take the ending off on the way in, and write the page anew on the way out."""
        if request.method not in {"GET", "HEAD"}:
            return self.get_response(request)
        by_ending = request.path_info.endswith(MARKDOWN_ENDING) and _take_ending_off(request)
        response = self.get_response(request)
        match = request.resolver_match
        if match is not None and match.app_name not in NAMESPACES:
            return response
        if by_ending and "Location" in response.headers:
            response.headers["Location"] = _with_ending(response.headers["Location"])
        if isinstance(response, HttpResponse) and response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["Accept"])
            # A failure is told by the page that is sure to work.
            is_page = response.status_code < 500 and not 300 <= response.status_code < 400
            if is_page and _prefers_markdown(request):
                _rewrite(response, request)
        return response


def _prefers_markdown(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "text/markdown"]) == "text/markdown"


def _is_public(path: str) -> bool:
    try:
        match = resolve(path)
    except Resolver404:
        return False
    return match.app_name in NAMESPACES and match.view_name not in _NAMES_WITH_DOTS


def _take_ending_off(request: HttpRequest) -> bool:
    """Whether a public page is at the address without its ending; then the request is for that one, as Markdown."""
    path = request.path_info.removesuffix(MARKDOWN_ENDING)
    if request.path_info == FRONT_PAGE_AS_MARKDOWN:
        path = "/"
    if not _is_public(path):
        return False
    before = request.path.removesuffix(request.path_info)
    request.path_info, request.path = path, f"{before}{path}"
    request.META["HTTP_ACCEPT"] = "text/markdown"
    for kept in ("headers", "accepted_types", "accepted_types_by_precedence"):
        request.__dict__.pop(kept, None)
    return True


def _with_ending(location: str) -> str:
    """An address of this site with the ending."""
    parts = urlsplit(location)
    elsewhere = parts.netloc and f"{parts.scheme}://{parts.netloc}" != settings.SITE_URL.rstrip("/")
    if elsewhere or not _is_public(unquote(parts.path)):
        return location
    path = FRONT_PAGE_AS_MARKDOWN if parts.path == "/" else f"{parts.path.rstrip('/')}{MARKDOWN_ENDING}"
    return urlunsplit(parts._replace(path=path))


def _rewrite(response: HttpResponse, request: HttpRequest) -> None:
    text = page_as_markdown(response.content)
    response.content = text.encode()
    response.headers["Content-Type"] = _CONTENT_TYPE
    response.headers["X-Robots-Tag"] = "noindex"
    if response.status_code == 200 and request.path:
        address = f"{settings.SITE_URL.rstrip('/')}{request.get_full_path()}"
        itself = f'<{address}>; rel="alternate"; type="text/html"'
        others = response.headers.get("Link", "")
        response.headers["Link"] = f"{others}, {itself}" if others else itself
