"""From a new account to the home page, with and without JavaScript; passkeys; no barrier on any page about accounts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import settings as site
from django.core import mail
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import Page, expect

from accounts.models import Follow, User
from papers.models import Category
from tests.accounts.readers import browser_of, code_in, reader
from tests.browser.test_pages import EVERY_LOOK, TWO_LOOKS, barriers, sideways
from tests.factories import ListingFactory, PaperFactory
from tests.researchers.people import arrive, place, researcher

LONG = "Hubert Blaine Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh-Cholmondeley"


@pytest.fixture(autouse=True)
def _fresh_limits(db: None) -> None:
    cache.clear()
    mail.outbox.clear()


def publish() -> None:
    """Two people with a paper each in cs.CL."""
    for name in ("Ada Weaver", LONG):
        person = researcher(name)
        paper = PaperFactory(authors=[name])
        ListingFactory(paper=paper, category=Category.objects.get(code="cs.CL"))
        arrive(person, place(paper))


def sign_up(page: Page) -> None:
    page.get_by_label("E-mail").fill("new@papers.test")
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Type in the code")
    page.get_by_label("Code").fill(code_in(mail.outbox[0]))
    page.get_by_role("button", name="Go on").click()


@pytest.mark.parametrize("javascript", [True, False])
def test_from_signing_up_to_the_home_page(open_page, complaints, live_server, javascript: bool) -> None:
    publish()
    page = open_page("/accounts/signup/", javascript=javascript, width=375 if not javascript else 1280)
    sign_up(page)

    expect(page.get_by_role("heading", level=1)).to_have_text("What do you read?")
    page.locator("summary", has_text="Computer Science").click()
    page.get_by_label("Computation and Language").check()
    page.get_by_role("button", name="Go on").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Whom do you read?")
    page.get_by_label("Ada Weaver").check()
    page.get_by_role("button", name="Go on").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("How often shall we write?")
    page.get_by_label("Weekly").check()
    page.get_by_label("At what hour").select_option("18:00")
    page.get_by_label("Time zone").select_option("Kathmandu")
    page.get_by_role("button", name="Start reading", exact=True).click()

    expect(page).to_have_url(f"{live_server.url}/")
    expect(page.get_by_role("status").first).to_contain_text("You can change everything")
    user = User.objects.get(email="new@papers.test")
    assert (user.cadence, user.delivery_hour, user.time_zone, user.onboarding) == (
        "weekly", 18, "Asia/Kathmandu", "done",
    )  # fmt: skip
    assert [str(one.researcher or one.category) for one in Follow.objects.of(user.pk).order_by("pk")] == [
        "cs.CL", "Ada Weaver",
    ]  # fmt: skip

    page.locator(".site-nav summary", has_text="You").click()
    page.get_by_role("link", name="Sign out").first.click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert complaints.found == []


def test_the_time_zone_of_the_browser_is_offered(browser, live_server) -> None:
    user = reader()
    client = browser_of(user)
    context = browser.new_context(base_url=live_server.url, timezone_id="Europe/Berlin")
    context.add_cookies([cookie_of(client, live_server.url)])
    page = context.new_page()
    page.goto("/accounts/welcome/?step=cadence")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    context.close()


def cookie_of(client: Client, url: str) -> dict[str, object]:
    return {
        "name": site.SESSION_COOKIE_NAME,
        "value": client.cookies[site.SESSION_COOKIE_NAME].value,
        "url": url,
        "expires": datetime.now(UTC).timestamp() + 3600,
    }


def test_a_passkey_is_made_and_signs_in(open_page, complaints, settings, live_server) -> None:
    # A passkey belongs to a name and not to a number, and to no plain http but this machine's.
    settings.MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
    local = live_server.url.replace("127.0.0.1", "localhost")
    page = open_page("/livez")
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    page.goto(f"{local}/accounts/signup/passkey/")
    page.get_by_label("E-mail").fill("new@papers.test")
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Code").fill(code_in(mail.outbox[0]))
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Create passkey")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What do you read?")
    assert Authenticator.objects.get().type == "webauthn"

    page.context.clear_cookies()
    page.goto(f"{local}/accounts/login/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("You are signed in.")).to_be_visible()
    assert complaints.found == []


def look(page: Page, addresses: list[str], looks: list[tuple[int, str]]) -> None:
    for address in addresses:
        page.goto(address)
        page.evaluate("document.querySelectorAll('details:not(.menu)').forEach(one => { one.open = true })")
        for width in (320, 375, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert sideways(page) <= 0, (address, width)
        for width, scheme in looks:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            assert barriers(page) == [], (address, width, scheme)


def test_pages_for_those_who_are_not_signed_in(open_page, complaints, settings) -> None:
    settings.SOCIALACCOUNT_PROVIDERS = {
        name: {"APPS": [{"client_id": "loom", "secret": "shuttle"}]} for name in ("orcid", "github", "google")
    }
    page = open_page("/livez")
    look(
        page,
        ["/accounts/login/", "/accounts/signup/", "/accounts/signup/passkey/", "/accounts/login/code/",
         "/accounts/password/reset/", "/accounts/orcid/login/"],
        TWO_LOOKS,
    )  # fmt: skip
    assert complaints.found == []


def test_pages_for_readers(open_page, complaints, live_server) -> None:
    publish()
    user = reader(display_name=LONG)
    RecoveryCodes.activate(user)
    page = open_page("/livez")
    page.context.add_cookies([cookie_of(browser_of(user, proven=True), live_server.url)])
    page.goto("/accounts/welcome/")
    page.locator("summary", has_text="Computer Science").click()
    page.get_by_label("Computation and Language").check()
    page.get_by_role("button", name="Go on").click()
    look(
        page,
        ["/accounts/settings/", "/accounts/welcome/?step=people"],
        EVERY_LOOK,
    )
    look(
        page,
        ["/accounts/welcome/?step=fields", "/accounts/welcome/?step=cadence", "/accounts/settings/delete/",
         "/accounts/email/", "/accounts/password/set/", "/accounts/2fa/", "/accounts/2fa/totp/activate/",
         "/accounts/2fa/webauthn/add/", "/accounts/2fa/recovery-codes/", "/accounts/sessions/",
         "/accounts/3rdparty/", "/accounts/logout/"],
        TWO_LOOKS,
    )  # fmt: skip
    assert complaints.found == []
