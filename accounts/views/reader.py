"""Who looks at a page that asks for signing in."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.models import User


def reader_of(request: HttpRequest) -> User:
    """The account that is signed in; the view has made sure that there is one."""
    assert isinstance(request.user, User)
    return request.user
