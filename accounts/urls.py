"""Addresses of accounts: allauth's, but for what ``accounts.views`` does otherwise."""

from collections.abc import Iterable, Iterator

from allauth.account.urls import urlpatterns as account_patterns
from allauth.mfa.urls import urlpatterns as factor_patterns
from allauth.socialaccount.urls import urlpatterns as elsewhere_patterns
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.http import require_http_methods

from accounts.sites import NAMES
from accounts.views import elsewhere, leaving, onboarding, sessions, settings

Patterns = Iterable[URLPattern | URLResolver]


def _links_and_forms(patterns: Patterns) -> Iterator[URLPattern | URLResolver]:
    """The same addresses for GET, HEAD and POST only: Django's form views take PUT for POST, and some take DELETE."""
    only = require_http_methods(["GET", "HEAD", "POST"])
    for one in patterns:
        if isinstance(one, URLResolver):
            inside = list(_links_and_forms(one.url_patterns))
            yield URLResolver(one.pattern, inside, one.default_kwargs, one.app_name, one.namespace)
        else:
            yield URLPattern(one.pattern, only(one.callback), one.default_args, one.name)


urlpatterns: list[URLPattern | URLResolver] = list(
    _links_and_forms(
        [
            path("settings/", settings.settings, name="account_settings"),
            path("settings/export/", leaving.export, name="account_export"),
            path("settings/delete/", leaving.delete, name="account_delete"),
            path("welcome/", onboarding.onboarding, name="onboarding"),
            path("sessions/", sessions.list_sessions, name="usersessions_list"),
            path("", include(account_patterns)),
            path("2fa/", include(factor_patterns)),
            path("3rdparty/", include(elsewhere_patterns)),
            # Each site by name and nothing more: allauth has a way in by Google without a token against forgery.
            *(
                path(f"{provider}/login/{rest}", view, {"provider": provider}, name=f"{provider}_{name}")
                for provider in NAMES
                for rest, view, name in (
                    ("", elsewhere.begin, "login"),
                    ("callback/", elsewhere.come_back, "callback"),
                )
            ),
        ]
    )
)
