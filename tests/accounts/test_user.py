"""An account is known by its e-mail address, in whatever case it is written."""

from __future__ import annotations

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction

from accounts.models import User

pytestmark = pytest.mark.django_db


def test_an_account_is_found_by_its_address_in_any_case() -> None:
    user = User.objects.create_user("Reader@Example.org", "correct horse")
    assert user.email == "reader@example.org"
    assert User.objects.get_by_natural_key("reader@EXAMPLE.org") == user
    assert authenticate(username="READER@example.org", password="correct horse") == user
    assert authenticate(username="reader@example.org", password="wrong horse") is None


def test_no_second_account_has_the_same_address_in_another_case() -> None:
    User.objects.create_user("reader@example.org")
    with pytest.raises(IntegrityError, match="user_email_any_case"), transaction.atomic():
        User.objects.create(email="READER@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("READER@example.org")
    assert User.objects.count() == 1


def test_an_account_without_an_address_is_refused() -> None:
    with pytest.raises(ValueError, match="needs an e-mail address"):
        User.objects.create_user("")
    assert not User.objects.exists()


def test_without_a_password_nobody_signs_in() -> None:
    assert not User.objects.create_user("reader@example.org").has_usable_password()


def test_a_superuser_may_do_everything_and_others_nothing() -> None:
    head = User.objects.create_superuser("head@example.org", "correct horse")
    reader = User.objects.create_user("reader@example.org")
    assert (head.is_staff, head.is_superuser, head.has_perm("papers.pin_paper")) == (True, True, True)
    assert (reader.is_staff, reader.is_superuser, reader.has_perm("papers.pin_paper")) == (False, False, False)


def test_the_display_name_is_shown_or_else_the_address() -> None:
    named = User(email="a@example.org", display_name="Ada Weaver")
    assert (str(named), named.get_full_name(), named.get_short_name()) == ("Ada Weaver",) * 3
    assert str(User(email="b@example.org")) == "b@example.org"


def test_a_superuser_signs_in_on_the_site_before_any_mail_works(client, mailoutbox) -> None:
    head = User.objects.create_superuser("head@example.org", "correct horse")
    answer = client.post("/accounts/login/", {"login": "head@example.org", "password": "correct horse"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert client.session["_auth_user_id"] == str(head.pk)
    assert mailoutbox == []


def test_mail_to_a_new_reader_names_the_site(client, mailoutbox) -> None:
    password = "correct horse battery"
    client.post("/accounts/signup/", {"email": "new@example.org", "password1": password, "password2": password})
    [mail] = mailoutbox
    assert mail.subject.startswith("[wovepaper] ")
    assert "example.com" not in mail.body
