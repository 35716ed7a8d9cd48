"""Who looks at a page that asks for signing in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts.models import User

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def reader_of(request: HttpRequest) -> User:
    """The account that is signed in; the view has made sure that there is one."""
    assert isinstance(request.user, User)
    return request.user


def sign_in_then(route: str) -> Callable[[View[P]], View[P]]:
    """For views that only take forms: whoever is not signed in is led to do so, and on to the page of the form."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: P.args, **options: P.kwargs) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(reverse(route))
            return view(request, *args, **options)

        return guarded

    return decorate
