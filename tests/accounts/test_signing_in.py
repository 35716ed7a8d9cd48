"""Signing up and in: by code, by password, within limits, and without telling who has an account."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from tests.accounts.readers import PASSWORD, code_in, reader

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was put through the slow hash."""
    seen: list[str] = []
    encode = Argon2PasswordHasher.encode

    def counted(self: Argon2PasswordHasher, password: str, salt: str) -> str:
        seen.append(password)
        return encode(self, password, salt)

    def verify(self: Argon2PasswordHasher, password: str, encoded: str) -> bool:
        seen.append(password)
        return original(self, password, encoded)

    original = Argon2PasswordHasher.verify
    monkeypatch.setattr(Argon2PasswordHasher, "encode", counted)
    monkeypatch.setattr(Argon2PasswordHasher, "verify", verify)
    return seen


class TestSigningUp:
    def test_by_code_alone(self, client: Client) -> None:
        answer = client.post("/accounts/signup/", {"email": "New@papers.test"})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/accounts/confirm-email/")
        (sent,) = mail.outbox
        assert (sent.to, sent.subject) == (["new@papers.test"], "[wovepaper] Welcome: your code")
        assert "_auth_user_id" not in client.session
        answer = client.post("/accounts/confirm-email/", {"code": code_in(sent)})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/accounts/welcome/")
        user = User.objects.get(email="new@papers.test")
        assert client.session["_auth_user_id"] == str(user.pk)
        assert (user.has_usable_password(), user.onboarding) == (False, "fields")

    def test_with_a_password(self, client: Client) -> None:
        client.post("/accounts/signup/", {"email": "new@papers.test", "password1": PASSWORD})
        client.post("/accounts/confirm-email/", {"code": code_in(mail.outbox[0])})
        assert User.objects.get().password.startswith("argon2$")
        assert "_auth_user_id" in client.session

    def test_a_weak_password_is_refused(self, client: Client) -> None:
        answer = client.post("/accounts/signup/", {"email": "new@papers.test", "password1": "short"})
        assert answer.status_code == 200
        assert "at least 10 characters" in answer.content.decode()
        assert not User.objects.exists()

    def test_a_wrong_code_gets_nobody_in_and_three_end_it(self, client: Client) -> None:
        client.post("/accounts/signup/", {"email": "new@papers.test"})
        answers = [client.post("/accounts/confirm-email/", {"code": "AAAA-BBBB"}).status_code for _ in range(3)]
        assert answers[:2] == [200, 200]
        assert client.post("/accounts/confirm-email/", {"code": code_in(mail.outbox[0])}).status_code == 302
        assert "_auth_user_id" not in client.session

    def test_where_one_wanted_to_go_is_not_forgotten(self, client: Client) -> None:
        client.post("/accounts/signup/", {"email": "new@papers.test", "next": "/papers"})
        answer = client.post("/accounts/confirm-email/", {"code": code_in(mail.outbox[0])})
        assert answer.headers["Location"] == "/papers"

    def test_nor_does_it_lead_off_the_site(self, client: Client) -> None:
        client.post("/accounts/signup/", {"email": "new@papers.test", "next": "https://elsewhere.test/"})
        answer = client.post("/accounts/confirm-email/", {"code": code_in(mail.outbox[0])})
        assert answer.headers["Location"] == "/accounts/welcome/"


class TestSigningIn:
    def test_by_code(self, client: Client) -> None:
        user = reader()
        answer = client.post("/accounts/login/code/", {"email": "ADA@papers.test"})
        assert answer.headers["Location"] == "/accounts/login/code/confirm/"
        (sent,) = mail.outbox
        assert sent.subject == "[wovepaper] Your code to sign in"
        answer = client.post("/accounts/login/code/confirm/", {"code": code_in(sent)})
        assert (answer.headers["Location"], client.session["_auth_user_id"]) == ("/", str(user.pk))

    def test_a_code_is_good_for_its_own_browser_only(self, client: Client) -> None:
        reader()
        client.post("/accounts/login/code/", {"email": "ada@papers.test"})
        other = Client()
        other.post("/accounts/login/code/", {"email": "ada@papers.test"})
        other.post("/accounts/login/code/confirm/", {"code": code_in(mail.outbox[0])})
        assert "_auth_user_id" not in other.session

    def test_by_password_in_any_case_of_the_address(self, client: Client) -> None:
        user = reader(password=PASSWORD)
        client.post("/accounts/login/", {"login": "Ada@PAPERS.test", "password": PASSWORD})
        assert client.session["_auth_user_id"] == str(user.pk)

    def test_an_account_that_sleeps_does_not_get_in(self, client: Client) -> None:
        reader(password=PASSWORD, is_active=False)
        answer = client.post("/accounts/login/", {"login": "ada@papers.test", "password": PASSWORD})
        assert "_auth_user_id" not in client.session
        assert answer.status_code in (200, 302)


def shape(answer: HttpResponse) -> tuple[int, str, str]:
    """What an outsider sees of an answer: token and address taken out."""
    text = re.sub(r'value="[A-Za-z0-9]{64}"', "", answer.content.decode())
    text = re.sub(r"(known|unknown)@papers\.test", "somebody", text)
    return answer.status_code, answer.headers.get("Location", ""), text


WAYS: dict[str, Callable[[Client, str], list[HttpResponse]]] = {
    "password": lambda client, email: [client.post("/accounts/login/", {"login": email, "password": "wrong-horse-1"})],
    "code": lambda client, email: [
        client.post("/accounts/login/code/", {"email": email}),
        client.get("/accounts/login/code/confirm/"),
        client.post("/accounts/login/code/confirm/", {"code": "AAAA-BBBB"}),
    ],
    "sign-up": lambda client, email: [
        client.post("/accounts/signup/", {"email": email, "password1": PASSWORD}),
        client.get("/accounts/confirm-email/"),
        client.post("/accounts/confirm-email/", {"code": "AAAA-BBBB"}),
    ],
    "sign-up by code": lambda client, email: [
        client.post("/accounts/signup/", {"email": email}),
        client.get("/accounts/confirm-email/"),
    ],
    "sign-up by passkey": lambda client, email: [
        client.post("/accounts/signup/passkey/", {"email": email}),
        client.get("/accounts/confirm-email/"),
        client.post("/accounts/confirm-email/", {"code": "AAAA-BBBB"}),
    ],
    "reset": lambda client, email: [
        client.post("/accounts/password/reset/", {"email": email}),
        client.get("/accounts/password/reset/done/"),
    ],
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_tells_whether_an_address_has_an_account(way: str, hashed: list[str]) -> None:
    """The same answers, as many mails, and the slow hash as often."""
    reader("known@papers.test", PASSWORD)
    found = []
    for email in ("known@papers.test", "unknown@papers.test"):
        cache.clear()
        mail.outbox.clear()
        hashed.clear()
        answers = WAYS[way](Client(), email)
        found.append(([shape(answer) for answer in answers], len(mail.outbox), len(hashed)))
    (answers, mails, hashes), unknown = found
    assert answers == unknown[0]
    assert (mails, hashes) == unknown[1:]
    assert mails == (0 if way == "password" else 1)
    assert hashes == (1 if way in ("password", "sign-up") else 0)


def test_an_account_without_a_password_takes_as_long_as_one_with(hashed: list[str]) -> None:
    reader("known@papers.test")
    WAYS["password"](Client(), "known@papers.test")
    assert len(hashed) == 1


class TestLimits:
    def test_guessing_ends_before_the_slow_hash(self, hashed: list[str]) -> None:
        reader("known@papers.test", PASSWORD)
        hashed.clear()
        tried = [WAYS["password"](Client(), "known@papers.test")[0] for _ in range(8)]
        assert len(hashed) == 5
        assert "Too many failed login attempts" in tried[-1].content.decode()
        answer = Client().post("/accounts/login/", {"login": "known@papers.test", "password": PASSWORD})
        assert (answer.status_code, len(hashed)) == (200, 5), "nor does the right password get in now"

    def test_one_address_cannot_try_many_accounts(self, hashed: list[str]) -> None:
        for number in range(14):
            WAYS["password"](Client(), f"n{number}@papers.test")
        assert len(hashed) == 10

    def test_sign_ups_from_one_address(self, hashed: list[str]) -> None:
        answers = [
            Client().post("/accounts/signup/", {"email": f"n{number}@papers.test"}).status_code for number in range(22)
        ]
        assert answers == [302] * 20 + [429] * 2
        assert User.objects.count() == 20

    def test_codes_for_one_address(self) -> None:
        reader()
        answers = [Client().post("/accounts/login/code/", {"email": "ada@papers.test"}) for _ in range(5)]
        assert len(mail.outbox) == 3
        assert [answer.status_code for answer in answers[:3]] == [302] * 3

    def test_every_process_counts_in_the_same_place(self) -> None:
        """Otherwise each worker of the web server would let the same number through again."""
        assert type(cache._connections["default"]).__name__ == "DatabaseCache"

    def test_a_forwarded_address_of_ones_own_does_not_help(self, hashed: list[str]) -> None:
        for number in range(14):
            Client(headers={"X-Forwarded-For": f"10.0.0.{number}"}).post(
                "/accounts/login/", {"login": f"n{number}@papers.test", "password": "wrong-horse-1"}
            )
        assert len(hashed) == 10


def test_mails_are_written_as_the_site_speaks() -> None:
    reader(password=PASSWORD)
    Client().post("/accounts/login/code/", {"email": "ada@papers.test"})
    Client().post("/accounts/login/code/", {"email": "nobody@papers.test"})
    Client().post("/accounts/password/reset/", {"email": "ada@papers.test"})
    Client().post("/accounts/signup/", {"email": "ada@papers.test"})
    Client().post("/accounts/signup/", {"email": "new@papers.test"})
    assert [sent.subject for sent in mail.outbox] == [
        "[wovepaper] Your code to sign in",
        "[wovepaper] There is no account with this address",
        "[wovepaper] Set a new password",
        "[wovepaper] You have an account already",
        "[wovepaper] Welcome: your code",
    ]
    for sent in mail.outbox:
        assert sent.body.startswith("Hello,\n\n")
        assert sent.body.endswith("papers, researchers and institutions, woven together")
        assert "&" not in sent.body
        assert "\n\n\n" not in sent.body
