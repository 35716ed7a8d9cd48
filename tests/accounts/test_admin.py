"""Accounts can be made, changed, put to sleep and deleted in the admin, by whoever may."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import User
from tests.admin_people import client_of, statuses, user_with

pytestmark = pytest.mark.django_db

LIST = reverse("admin:accounts_user_changelist")
ADD = reverse("admin:accounts_user_add")


@pytest.fixture
def head():
    return client_of(user_with(is_superuser=True))


def test_who_may_see_accounts_and_who_may_make_them() -> None:
    assert statuses("get", LIST, acting="accounts.view_user") == {
        "anonymous": 302,
        "reader": 302,
        "staff": 403,
        "viewer": 403,
        "actor": 200,
        "superuser": 200,
    }
    assert statuses("get", ADD, "accounts.view_user", acting="accounts.change_user")["actor"] == 403


def test_the_list_finds_accounts_by_address_and_name(head) -> None:
    User.objects.create_user("ada@example.org", display_name="Ada Weaver")
    User.objects.create_user("bob@example.org", display_name="Bob Spinner")
    for words in ("ada@", "weaver"):
        found = head.get(LIST, {"q": words}).content.decode()
        assert "ada@example.org" in found
        assert "bob@example.org" not in found


def test_an_account_is_made_with_an_address_and_a_password(head, client) -> None:
    answer = head.post(
        ADD,
        {
            "email": "new@example.org",
            "usable_password": "true",
            "password1": "correct horse battery",
            "password2": "correct horse battery",
        },
    )
    made = User.objects.get(email="new@example.org")
    assert answer.status_code == 302
    assert (made.is_staff, made.is_superuser, made.is_active) == (False, False, True)
    assert client.login(username="new@example.org", password="correct horse battery")


def test_an_address_that_is_taken_in_another_case_is_refused(head) -> None:
    User.objects.create_user("ada@example.org")
    answer = head.post(
        ADD,
        {
            "email": "ADA@example.org",
            "usable_password": "true",
            "password1": "correct horse battery",
            "password2": "correct horse battery",
        },
    )
    assert answer.status_code == 200
    assert "user_email_any_case" in answer.content.decode()
    assert not User.objects.filter(email="ADA@example.org").exists()


def test_an_account_is_changed_put_to_sleep_and_deleted(head) -> None:
    reader = User.objects.create_user("ada@example.org", display_name="Ada Weaver")
    change = reverse("admin:accounts_user_change", args=[reader.pk])
    assert "Ada Weaver" in head.get(change).content.decode()
    said = {"onboarding": "done", "cadence": "weekly", "delivery_hour": "6"}
    answer = head.post(
        change, {"email": "Ada@example.org", "display_name": "Ada W.", "time_zone": "Asia/Kathmandu", **said}
    )
    reader.refresh_from_db()
    assert answer.status_code == 302
    assert (reader.email, reader.display_name, reader.is_active) == ("ada@example.org", "Ada W.", False)
    assert (reader.time_zone, reader.cadence, reader.delivery_hour) == ("Asia/Kathmandu", "weekly", 6)
    assert head.post(reverse("admin:accounts_user_delete", args=[reader.pk]), {"post": "yes"}).status_code == 302
    assert not User.objects.filter(pk=reader.pk).exists()
