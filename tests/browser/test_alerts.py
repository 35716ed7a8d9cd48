"""From a button on a page to a mail that can be stopped, with and without JavaScript; no barrier on the way."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.core import mail
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import Delivery, Notification, User
from accounts.services.deliveries import send_alerts
from tests.accounts.alerting import followed, new_paper, notify
from tests.accounts.readers import browser_of, reader
from tests.browser.test_accounts import LONG, cookie_of, look
from tests.browser.test_pages import EVERY_LOOK, TWO_LOOKS
from tests.factories import InstitutionFactory, PaperFactory
from tests.researchers.people import arrive, place, researcher
from wovepaper.pipeline.queue import enqueue
from wovepaper.pipeline.services import drain


@pytest.fixture(autouse=True)
def _fresh_limits(db: None) -> None:
    cache.clear()
    mail.outbox.clear()


@pytest.mark.parametrize("javascript", [True, False])
def test_from_a_page_to_a_mail_and_out_again(open_page, complaints, live_server, javascript: bool) -> None:
    user, person = reader(cadence="at_once"), researcher("Ada Weaver")
    arrive(person)
    person.refresh_from_db()
    page = open_page(person.get_absolute_url(), javascript=javascript, width=375 if not javascript else 1280)
    page.get_by_role("link", name="Follow this researcher").click()
    (back,) = parse_qs(urlsplit(page.url).query)["next"]
    page.context.add_cookies([cookie_of(browser_of(user), live_server.url)])
    page.goto(back)  # where signing in leads
    page.get_by_role("button", name="Follow", exact=True).click()
    expect(page).to_have_url(live_server.url + person.get_absolute_url())
    expect(page.get_by_role("button", name="Unfollow this researcher")).to_be_visible()

    made, other = new_paper(title="Looms of the north"), new_paper(title="Shuttles of the south")
    arrive(person, place(made))
    enqueue(kind="paper", ids=[made.pk, other.pk], stage="notify")
    drain(stages=["notify"])
    assert send_alerts(now=timezone.now()).sent == 1
    (one,) = mail.outbox
    assert "Looms of the north" in one.body
    assert "Why: You follow the researcher Ada Weaver." in one.body
    assert "Shuttles" not in one.body

    page.goto("/")
    expect(page.get_by_text("New since your last visit")).to_be_visible()
    page.get_by_role("link", name="Inbox 1 unread").click()
    expect(page.get_by_role("link", name="Looms of the north")).to_be_visible()
    page.locator(".told").get_by_role("button", name="Mark as read").click()
    expect(page.get_by_role("link", name="Inbox", exact=True).first).to_be_visible()
    assert Notification.objects.unread().count() == 0

    address = urlsplit(one.extra_headers["List-Unsubscribe"].strip("<>")).path
    page.context.clear_cookies()
    page.goto(address)
    assert User.objects.get().mail_stopped_at is None
    page.get_by_role("button", name="Unsubscribe").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Done")
    assert User.objects.get().mail_stopped_at is not None
    assert complaints.found == []


def test_pages_about_what_is_followed(open_page, complaints, live_server) -> None:
    user, person, hall = reader(display_name=LONG, cadence="at_once"), researcher(LONG), InstitutionFactory()
    made = new_paper(title="On looms, and how " + "very " * 30 + "long a title can be")
    arrive(person, place(made))
    for thing in (person, hall, made.primary_category, PaperFactory(title=made.title)):
        followed(user, thing)
    notify(made)
    send_alerts(now=timezone.now())
    page = open_page("/livez")
    page.context.add_cookies([cookie_of(browser_of(user), live_server.url)])
    look(page, ["/follows", "/inbox", "/"], EVERY_LOOK)
    person.refresh_from_db()
    unsubscribe = urlsplit(mail.outbox[-1].extra_headers["List-Unsubscribe"].strip("<>")).path
    look(
        page,
        ["/inbox/mail", f"/inbox/mail/{Delivery.objects.get().pk}", "/follows/add?kind=paper&key=1", unsubscribe,
         person.get_absolute_url(), made.get_absolute_url(), hall.get_absolute_url(), "/categories/cs.CL"],
        TWO_LOOKS,
    )  # fmt: skip
    User.objects.update(mail_refusal="550 no such user", alerts_paused_at=timezone.now())
    look(page, ["/inbox"], TWO_LOOKS)
    assert complaints.found == []
