"""Readers with an account, and browsers in which they are signed in."""

from __future__ import annotations

import re

from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from django.conf import settings
from django.http import HttpRequest
from django.test import Client

from accounts.models import User

PASSWORD = "warp-and-weft-77"
CODE = re.compile(r"^    (\S+)$", re.MULTILINE)


def reader(email: str = "ada@papers.test", password: str | None = None, **fields: object) -> User:
    """An account with a confirmed address."""
    user = User.objects.create_user(email, password, **fields)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def browser_of(user: User, *, proven: bool = False) -> Client:
    """Signed in; ``proven`` as one who showed a moment ago that it is them."""
    client = Client()
    client.force_login(user)
    if proven:
        session = client.session
        request = HttpRequest()
        request.session = session
        record_authentication(request, user, method="code", reauthenticated=True)
        session.save()
        client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return client


def code_in(mail: object) -> str:
    """The code that a mail brings."""
    (code,) = CODE.findall(mail.body)
    return code
