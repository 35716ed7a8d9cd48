"""Signing in by way of another site."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.github.views import oauth2_callback as github_callback
from allauth.socialaccount.providers.github.views import oauth2_login as github_login
from allauth.socialaccount.providers.google.views import oauth2_callback as google_callback
from allauth.socialaccount.providers.google.views import oauth2_login as google_login
from allauth.socialaccount.providers.orcid.views import oauth2_callback as orcid_callback
from allauth.socialaccount.providers.orcid.views import oauth2_login as orcid_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accounts.sites import NAMES

View = Callable[..., HttpResponse]


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, provider: str) -> HttpResponse:
    """The way to the other site: a page that leads there by itself.

    A plain redirect would not do. The policy lets forms lead to this site only, and browsers hold redirects after a
    form to that.
    """
    _check_known(request, provider)
    if request.method != "POST":
        # Allauth would set out at a HEAD.
        process = "connect" if request.GET.get("process") == "connect" else "login"
        return render(request, "socialaccount/login.html", {"name": NAMES[provider], "process": process})
    response = _LOGINS[provider](request)
    if response.status_code != 302 or not urlsplit(response.headers["Location"]).netloc:
        return response
    context = {"address": response.headers["Location"], "name": NAMES[provider]}
    page = render(request, "socialaccount/leaving.html", context)
    page.headers["Cache-Control"] = "no-store"
    return page


@require_http_methods(["GET", "HEAD"])
def come_back(request: HttpRequest, provider: str) -> HttpResponse:
    """Where the other site sends the reader."""
    _check_known(request, provider)
    return _CALLBACKS[provider](request)


def _check_known(request: HttpRequest, provider: str) -> None:
    try:
        get_adapter(request).get_provider(request, provider)
    except SocialApp.DoesNotExist:
        raise Http404(f"This site offers no signing in by {NAMES[provider]}.") from None


_LOGINS: dict[str, View] = {"orcid": orcid_login, "github": github_login, "google": google_login}
_CALLBACKS: dict[str, View] = {"orcid": orcid_callback, "github": github_callback, "google": google_callback}
