"""What is kept of nobody any more: ended sessions, and accounts whose address was never confirmed."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import User

UNCONFIRMED_DAYS = 7
"""How long somebody has to confirm the address of a new account, which may be another's."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """How many of each went."""

    sessions: int
    accounts: int


def clear_up(*, now: dt.datetime | None = None) -> Cleared:
    """Forget ended sessions, with the addresses they came from, and accounts that nobody confirmed or signed in to.

    Accounts that staff made have no unconfirmed address before somebody signs in, and stay.
    """
    now = now or timezone.now()
    Session.objects.filter(expire_date__lte=now).delete()
    good = Session.objects.filter(session_key=OuterRef("session_key"))
    sessions, _ = UserSession.objects.filter(~Exists(good)).delete()
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    strangers = User.objects.filter(
        Exists(addresses),
        ~Exists(addresses.filter(verified=True)),
        last_login=None,
        is_staff=False,
        date_joined__lte=now - dt.timedelta(days=UNCONFIRMED_DAYS),
    )
    accounts = strangers.count()
    strangers.delete()
    return Cleared(sessions, accounts)
