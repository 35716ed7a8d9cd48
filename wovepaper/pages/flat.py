"""Pages that staff write: flat pages in Markdown, and the last stop for every address that nothing else answers."""

from __future__ import annotations

from django.contrib.flatpages.models import FlatPage
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponsePermanentRedirect
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt

from wovepaper.lib.page_head import PageHead, shorten
from wovepaper.pages.markdown import render_markdown


# It changes nothing and has no form: without the exemption a POST to nowhere would be told of tokens, not of 404.
@csrf_exempt
def flat_page(request: HttpRequest, path: str) -> HttpResponse:
    """A flat page at ``/<path>``; else the same address with or without its last slash, if that is a page; else 404."""
    bare = f"/{path.strip('/')}"
    found = _find(bare) if "//" not in f"/{path}" and "\0" not in path else None
    if found is None:
        if other := _with_or_without_slash(path):
            return HttpResponsePermanentRedirect(other)
        raise Http404
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    if path.endswith("/"):
        return HttpResponsePermanentRedirect(bare)
    if found.registration_required and not request.user.is_authenticated:
        return redirect(f"/accounts/login/?next={bare}")
    html = render_markdown(found.content)
    first_words = " ".join(found.content.replace("#", " ").split())
    context = {
        "head": PageHead(found.title, shorten(first_words or found.title), bare),
        "page": found,
        "html": html,
    }
    return render(request, "flatpages/default.html", context)


def _find(bare: str) -> FlatPage | None:
    # Staff may write the address with or without the last slash.
    return FlatPage.objects.filter(url__in=[bare, f"{bare}/"]).order_by("url").first()


def _with_or_without_slash(path: str) -> str:
    """The other form of ``/path`` if another view answers there, else nothing. Always an address of this site."""
    other = f"/{path.removesuffix('/')}" if path.endswith("/") else f"/{path}/"
    if other.startswith("//") or other == "/":
        return ""
    try:
        match = resolve(other)
    except Resolver404:
        return ""
    return "" if match.func is flat_page else other
