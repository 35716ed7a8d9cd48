"""Mail: what is in it, when it goes, and that none is lost whatever the mail server does."""

from __future__ import annotations

import datetime as dt
import smtplib
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client

from accounts.models import Delivery, Follow, Notification, PaperEvent, User
from accounts.services import deliveries
from accounts.services.deliveries import MOST_ATTEMPTS, send_alerts, settle_deliveries
from papers.models import Category, Paper
from tests.accounts.alerting import followed
from tests.accounts.readers import reader
from tests.factories import PaperFactory
from tests.researchers.people import researcher
from tests.researchers.test_concurrency import at_once

pytestmark = pytest.mark.django_db(transaction=True)
MORNING = dt.datetime(2026, 11, 25, 12, tzinfo=dt.UTC)
"""A Wednesday."""


def tell(user: User, *, cadence: str = "at_once", why: tuple[str, ...] = ("category:cs.CL",), **fields) -> Notification:
    Category.objects.get_or_create(code="cs.CL", defaults={"name": "Computation and Language"})
    made = PaperFactory(**fields)
    event = PaperEvent.objects.create(paper=made, kind="new", day=MORNING.date(), noticed_at=MORNING)
    return Notification.objects.create(
        user=user, paper=made, event=event, reasons=list(why), cadence=cadence, created_at=MORNING
    )


def later(**passed: int) -> dt.datetime:
    return MORNING + dt.timedelta(**passed)


def parsed() -> list[EmailMessage]:
    return [message_from_bytes(one.message().as_bytes(), policy=policy.default) for one in mail.outbox]


class Broken(EmailBackend):
    """A mail server that does what ``fault`` says, as often as it says."""

    faults: list[Exception] = []

    def send_messages(self, messages):
        if self.faults:
            raise self.faults.pop(0)
        return super().send_messages(messages)


@pytest.fixture
def broken(settings) -> type[Broken]:
    settings.EMAIL_BACKEND = f"{__name__}.Broken"
    Broken.faults = []
    return Broken


class TestTheMail:
    def test_it_says_what_is_new_and_why_in_both_forms(self) -> None:
        user, person = reader(), researcher("Ada <b>Weaver</b>")
        tell(user, title="Looms & <script>alert(1)</script>", why=(f"researcher:{person.pk}", "category:cs.CL"))
        tell(user, title="Shuttles")
        assert send_alerts(now=later(minutes=1)).sent == 1
        (one,) = parsed()
        assert (one["To"], one["Subject"]) == ("ada@papers.test", "2 things new in what you follow")
        text = one.get_body(("plain",)).get_content()
        html = one.get_body(("html",)).get_content()
        assert text.index("YOU FOLLOW THE CATEGORY") < text.index("Shuttles") < text.index("YOU FOLLOW THE RESEARCHER")
        assert "* New paper: Looms & <script>alert(1)</script>" in text
        assert text.count("Why: ") == 3
        assert f"Why: You follow the researcher {person.display_name}." in text
        assert "<script" not in html
        assert "<b>" not in html
        assert "Looms &amp; &lt;script&gt;alert(1)&lt;/script&gt;</a>" in html
        assert Delivery.objects.get().state == "sent"

    def test_it_can_be_unsubscribed_from_by_one_click(self) -> None:
        user = reader()
        tell(user)
        send_alerts(now=later(minutes=1))
        (one,) = parsed()
        address = one["List-Unsubscribe"].strip("<>")
        assert one["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert one["Message-ID"] == Delivery.objects.get().message_id
        path = address.partition("/unsubscribe/")[2]
        strict = Client(enforce_csrf_checks=True)
        assert strict.get(f"/unsubscribe/{path}").status_code == 200
        assert User.objects.get().mail_stopped_at is None, "looking changes nothing"
        assert strict.post(f"/unsubscribe/{path}", {"List-Unsubscribe": "One-Click"}).status_code == 200
        assert User.objects.get().mail_stopped_at is not None
        assert strict.post(f"/unsubscribe/{path[:-1]}x").status_code == 404
        tell(user)
        assert send_alerts(now=later(minutes=2)).settled == 0

    def test_one_follow_can_be_let_rest_from_it(self) -> None:
        user, made = reader(), PaperFactory()
        other = followed(user, researcher())
        one = followed(user, made.primary_category)
        tell(user)
        send_alerts(now=later(minutes=1))
        text = parsed()[0].get_body(("plain",)).get_content()
        (address,) = [line.split(": ")[1] for line in text.splitlines() if line.startswith("Not this any more")]
        Client().post("/unsubscribe/" + address.partition("/unsubscribe/")[2])
        assert list(Follow.objects.filter(paused_at=None)) == [other]
        assert Follow.objects.exclude(paused_at=None).get() == one

    def test_a_paper_without_a_page_is_left_out(self) -> None:
        user, kept = reader(), PaperFactory(title="The one that is shown")
        Paper.objects.filter(pk=tell(user).paper_id).update(redirect_to=kept)
        send_alerts(now=later(minutes=1))
        assert "The one that is shown" in parsed()[0].get_body(("plain",)).get_content()


class TestWhen:
    def test_each_at_their_hour(self) -> None:
        zones = {"k": "Asia/Kathmandu", "l": "America/Los_Angeles"}
        for name, zone in zones.items():
            tell(reader(f"{name}@papers.test", time_zone=zone), cadence="daily")
        sent = []
        # Kathmandu's seven o'clock is 01:15 by UTC, that of Los Angeles in winter 15:00.
        for hour in range(24):
            send_alerts(now=later(hours=hour))
            sent += [(later(hours=hour).hour, one.to[0]) for one in mail.outbox]
            mail.outbox.clear()
        assert sent == [(15, "l@papers.test"), (2, "k@papers.test")]

    def test_weekly_on_monday_and_never_without_news(self) -> None:
        user = reader()
        tell(user, cadence="weekly")
        for days in range(14):
            send_alerts(now=later(days=days))
        assert [one.created_at.date() for one in Delivery.objects.all()] == [dt.date(2026, 11, 30)]

    def test_what_comes_after_the_hour_waits_for_the_next(self) -> None:
        user = reader(delivery_hour=12)
        tell(user, cadence="daily")
        Notification.objects.update(created_at=later(seconds=1))
        assert send_alerts(now=later(minutes=1)).sent == 0
        assert send_alerts(now=later(days=1)).sent == 1

    def test_what_was_never_sent_is_forgotten_after_two_weeks(self) -> None:
        tell(reader())
        assert send_alerts(now=later(days=15)).settled == 0


class TestNothingIsLost:
    def test_two_at_once_send_one(self) -> None:
        users = [reader(f"r{number}@papers.test") for number in range(6)]
        for user in users:
            tell(user)
        now = later(minutes=1)
        results = at_once(*[lambda: send_alerts(now=now)] * 3)
        assert [one for one in results if isinstance(one, Exception)] == []
        send_alerts(now=now)
        assert sorted(one.to[0] for one in mail.outbox) == sorted(user.email for user in users)
        assert len({one.extra_headers["Message-ID"] for one in mail.outbox}) == 6 == Delivery.objects.count()

    def test_killed_between_settling_and_sending(self) -> None:
        user = reader()
        tell(user)
        settle_deliveries(user=user.pk, now=later(minutes=1))
        assert mail.outbox == []
        assert send_alerts(now=later(minutes=2)).sent == 1
        assert send_alerts(now=later(minutes=3)).sent == 0

    def test_killed_while_settling(self, monkeypatch) -> None:
        user = reader()
        tell(user)

        def die() -> None:
            with transaction.atomic():
                settle_deliveries(user=user.pk, now=later(minutes=1))
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            die()
        assert Delivery.objects.count() == 0
        assert send_alerts(now=later(minutes=1)).sent == 1

    def test_killed_after_the_server_took_it_sends_the_same_again(self, monkeypatch) -> None:
        tell(reader())
        save = Delivery.save

        def die(self, *args, **options):
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(
                Delivery, "save", lambda self, *a, **o: save(self, *a, **o) if self._state.adding else die(self)
            )
            with pytest.raises(KeyboardInterrupt):
                send_alerts(now=later(minutes=1))
        assert Delivery.objects.get().state == "waiting"
        send_alerts(now=later(minutes=2))
        first, second = parsed()
        assert first["Message-ID"] == second["Message-ID"]
        assert send_alerts(now=later(minutes=3)).sent == 0

    def test_a_server_that_fails_is_tried_again_at_growing_distances(self, broken) -> None:
        tell(reader())
        broken.faults = [OSError("refused"), TimeoutError("hung"), smtplib.SMTPServerDisconnected("died")]
        tried = [
            minute for minute in range(1, 40) if (done := send_alerts(now=later(minutes=minute))).failed or done.sent
        ]
        assert tried == [1, 2, 5, 14]
        one = Delivery.objects.get()
        assert (one.state, one.attempts, one.error, len(mail.outbox)) == ("sent", 4, "", 1)

    def test_it_is_given_up_in_the_end_and_the_inbox_has_it(self, broken) -> None:
        user = reader()
        tell(user)
        broken.faults = [OSError("refused")] * 20
        now = later(minutes=1)
        for _ in range(12):
            send_alerts(now=now)
            now = max(now, Delivery.objects.get().available_at)
        one = Delivery.objects.get()
        assert (one.state, one.attempts) == ("failed", MOST_ATTEMPTS)
        assert now - later(minutes=1) < dt.timedelta(hours=20)
        assert Notification.objects.of(user.pk).unread().count() == 1

    def test_an_address_that_is_refused_for_good_gets_no_more(self, broken) -> None:
        user = reader()
        tell(user)
        broken.faults = [smtplib.SMTPRecipientsRefused({user.email: (550, b"no such user")})]
        send_alerts(now=later(minutes=1))
        user.refresh_from_db()
        assert user.mail_refusal == "550 no such user"
        assert Delivery.objects.get().state == "failed"
        tell(user)
        assert send_alerts(now=later(minutes=2)).settled == 0

    def test_one_that_fails_holds_up_nobody(self, broken) -> None:
        for number in range(3):
            tell(reader(f"r{number}@papers.test"))
        broken.faults = [OSError("refused")]
        done = send_alerts(now=later(minutes=1))
        assert (done.sent, done.failed) == (2, 1)

    def test_who_paused_meanwhile_gets_none(self) -> None:
        user = reader()
        tell(user)
        settle_deliveries(user=user.pk, now=later(minutes=1))
        User.objects.update(alerts_paused_at=MORNING)
        assert send_alerts(now=later(minutes=2)).withheld == 1
        assert mail.outbox == []


def test_the_command(capsys) -> None:
    tell(reader(time_zone="Asia/Kathmandu"), cadence="daily")
    call_command("send_alerts", now="2026-11-26T07:00+05:45")
    assert capsys.readouterr().out == "1 put together, 1 sent, 0 failed, 0 withheld.\n"
    with pytest.raises(CommandError, match="'soon' is no time: write it as"):
        call_command("send_alerts", now="soon")


def test_a_mail_says_how_much_did_not_fit(monkeypatch) -> None:
    monkeypatch.setattr("accounts.services.digests.MOST_ITEMS", 2)
    user = reader()
    for _ in range(3):
        tell(user)
    deliveries.send_alerts(now=later(minutes=1))
    (one,) = parsed()
    assert one["Subject"] == "3 things new in what you follow"
    assert "And 1 more in your inbox." in one.get_body(("plain",)).get_content()
