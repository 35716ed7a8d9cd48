"""Ended sessions and accounts that nobody confirmed are forgotten; nothing else is."""

from __future__ import annotations

import datetime as dt

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services.clearing import Cleared, clear_up
from accounts.tasks import clear_up_accounts
from tests.accounts.readers import PASSWORD, reader

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def test_sessions_that_ended_are_forgotten_with_where_they_came_from() -> None:
    cache.clear()
    reader(password=PASSWORD)
    for _ in range(2):
        Client().post("/accounts/login/", {"login": "ada@papers.test", "password": PASSWORD})
    ended, good = UserSession.objects.order_by("pk")
    Session.objects.filter(session_key=ended.session_key).update(expire_date=NOW - dt.timedelta(minutes=1))
    assert clear_up(now=NOW) == Cleared(sessions=1, accounts=0)
    assert [one.pk for one in UserSession.objects.all()] == [good.pk]
    assert [one.session_key for one in Session.objects.all()] == [good.session_key]


def test_accounts_that_nobody_confirmed_go_after_a_week() -> None:
    def stranger(name: str, days: int, **fields: object) -> User:
        user = User.objects.create_user(f"{name}@papers.test", date_joined=NOW - dt.timedelta(days=days), **fields)
        EmailAddress.objects.create(user=user, email=user.email, verified=False, primary=True)
        return user

    stranger("old", 8)
    stranger("new", 6)
    stranger("staff", 8, is_staff=True)
    stranger("known", 8, last_login=NOW)
    reader("confirmed@papers.test", date_joined=NOW - dt.timedelta(days=900))
    User.objects.create_user("made-by-staff@papers.test", date_joined=NOW - dt.timedelta(days=900))
    assert clear_up(now=NOW) == Cleared(sessions=0, accounts=1)
    assert sorted(one.email.partition("@")[0] for one in User.objects.all()) == [
        "confirmed", "known", "made-by-staff", "new", "staff",
    ]  # fmt: skip


def test_it_is_asked_for_every_night() -> None:
    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert clear_up_accounts.name in names
