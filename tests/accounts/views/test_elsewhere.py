"""Signing in by another site: offered where it is configured, and an address is always the reader's own to confirm."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.oauth2.client import OAuth2Client
from allauth.socialaccount.providers.orcid.views import OrcidOAuth2Adapter
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.readers import browser_of, code_in, reader

pytestmark = pytest.mark.django_db
ORCID = "0000-0002-1825-0097"
BUTTON = re.compile(r'<button[^>]*form="by-(\w+)"[^>]*>([^<]+)</button>')


@pytest.fixture
def configured(settings: pytest.FixtureRequest) -> None:
    settings.SOCIALACCOUNT_PROVIDERS = {
        name: {"APPS": [{"client_id": "loom", "secret": "shuttle"}]} for name in ("orcid", "github", "google")
    }


@pytest.fixture
def orcid_says(configured: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """ORCID answers: who it is, a name, and no address."""
    monkeypatch.setattr(
        OAuth2Client, "get_access_token", lambda *args, **options: {"access_token": "a", "orcid": ORCID}
    )

    def complete(self: OrcidOAuth2Adapter, request: object, app: object, token: object, **options: object) -> object:
        record = {
            "orcid-identifier": {"path": ORCID, "uri": f"https://orcid.org/{ORCID}"},
            "person": {"name": {"given-names": {"value": "Ada"}, "family-name": {"value": "Weaver"}}},
        }
        return self.get_provider().sociallogin_from_response(request, record)

    monkeypatch.setattr(OrcidOAuth2Adapter, "complete_login", complete)


def come_back(client: Client, way: str = "/accounts/orcid/login/"):
    page = client.post(way)
    address = re.search(r'href="(https://orcid.org[^"]+)"', page.content.decode())[1].replace("&amp;", "&")
    state = parse_qs(urlsplit(address).query)["state"][0]
    return client.get("/accounts/orcid/login/callback/", {"code": "x", "state": state})


def test_only_what_is_configured_is_offered(client: Client, settings: pytest.FixtureRequest) -> None:
    for address in ("/accounts/login/", "/accounts/signup/"):
        assert BUTTON.findall(client.get(address).content.decode()) == []
    settings.SOCIALACCOUNT_PROVIDERS = {"orcid": {"APPS": [{"client_id": "loom", "secret": "shuttle"}]}}
    for address in ("/accounts/login/", "/accounts/signup/"):
        assert BUTTON.findall(client.get(address).content.decode()) == [("orcid", "ORCID")]
    assert client.post("/accounts/github/login/").status_code == 404
    assert client.get("/accounts/github/login/callback/").status_code == 404


@pytest.mark.parametrize(
    ("provider", "host"),
    [("orcid", "orcid.org"), ("github", "github.com"), ("google", "accounts.google.com")],
)
def test_the_way_there_is_a_page_that_the_policy_allows(
    configured: None, client: Client, provider: str, host: str
) -> None:
    answer = client.post(f"/accounts/{provider}/login/")
    text = answer.content.decode()
    assert answer.status_code == 200
    (target,) = set(re.findall(r"URL='(https://[^']+)'", text))
    assert urlsplit(target).netloc == host
    asked = parse_qs(urlsplit(target.replace("&amp;", "&")).query)
    assert asked["redirect_uri"] == [f"http://testserver/accounts/{provider}/login/callback/"]
    assert asked["client_id"] == ["loom"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert "shuttle" not in text


def test_opening_the_address_sends_nobody_off(configured: None, client: Client) -> None:
    text = client.get("/accounts/orcid/login/").content.decode()
    assert "orcid.org/oauth" not in text
    assert '<form method="post"' in text
    client.head("/accounts/orcid/login/")
    assert dict(client.session) == {}


def test_orcid_gives_no_address_so_it_is_asked_for_and_confirmed(orcid_says: None, client: Client) -> None:
    answer = come_back(client)
    assert answer.headers["Location"] == "/accounts/3rdparty/signup/"
    assert not User.objects.exists()
    answer = client.post("/accounts/3rdparty/signup/", {"email": "ada@papers.test"})
    assert answer.headers["Location"] == "/accounts/confirm-email/"
    assert "_auth_user_id" not in client.session
    answer = client.post("/accounts/confirm-email/", {"code": code_in(mail.outbox[-1])})
    user = User.objects.get()
    assert client.session["_auth_user_id"] == str(user.pk)
    assert (user.display_name, SocialAccount.objects.get().uid) == ("Ada Weaver", ORCID)
    again = Client()
    assert come_back(again).headers["Location"] == "/"
    assert again.session["_auth_user_id"] == str(user.pk)


def test_an_address_that_has_an_account_is_not_told_and_not_taken(orcid_says: None, client: Client) -> None:
    user = reader()
    come_back(client)
    answer = client.post("/accounts/3rdparty/signup/", {"email": user.email})
    assert answer.headers["Location"] == "/accounts/confirm-email/"
    assert mail.outbox[-1].subject == "[wovepaper] You have an account already"
    assert (User.objects.count(), SocialAccount.objects.count()) == (1, 0)
    assert "_auth_user_id" not in client.session


def test_whoever_is_signed_in_can_add_it(orcid_says: None) -> None:
    user = reader()
    browser = browser_of(user, proven=True)
    answer = come_back(browser, "/accounts/orcid/login/?process=connect")
    assert answer.headers["Location"] == "/accounts/3rdparty/"
    assert SocialAccount.objects.get().user == user
    assert mail.outbox[-1].subject == "[wovepaper] Another way to sign in was added"
    assert (
        ORCID in browser.get("/accounts/3rdparty/").content.decode()
        or "ORCID" in browser.get("/accounts/3rdparty/").content.decode()
    )


def test_a_state_of_another_browser_gets_nobody_in(orcid_says: None, client: Client) -> None:
    page = client.post("/accounts/orcid/login/").content.decode()
    state = re.search(r"state=(\w+)", page)[1]
    other = Client()
    answer = other.get("/accounts/orcid/login/callback/", {"code": "x", "state": state})
    assert answer.status_code == 401
    assert "_auth_user_id" not in other.session
