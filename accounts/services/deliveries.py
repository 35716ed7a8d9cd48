"""From notifications to mail: settled first, sent after, each in a transaction of its own."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from smtplib import SMTPRecipientsRefused

from django.core.mail import get_connection
from django.db import transaction
from django.utils import timezone

from accounts.models import Cadence, Delivery, Notification, User
from accounts.periods import last_due
from accounts.services.digests import write_mail

logger = logging.getLogger(__name__)

MOST_ATTEMPTS = 8
FIRST_BACK_OFF = dt.timedelta(minutes=1)
"""Until the second attempt; each further one waits three times as long, so the last comes some 18 hours later."""
FORGOTTEN_AFTER = dt.timedelta(days=14)
"""Notifications older than that are in the inbox and go into no mail: it was stopped, or the site was down."""


@dataclass(slots=True)
class Sendings:
    """What one round did, in mails."""

    settled: int = 0
    sent: int = 0
    failed: int = 0
    """Attempts that failed and will be made again, or were the last."""
    withheld: int = 0


def send_alerts(*, now: dt.datetime | None = None) -> Sendings:
    """Settle what is due by ``now`` and send what waits. Must not be called inside a transaction.

    Several processes may do it at once: each takes what no other holds. A mail is marked as sent after the server took
    it, so one that was killed in between is sent again, under the same Message-ID.
    """
    now = now or timezone.now()
    done = Sendings()
    for user in _readers_with_news(now):
        done.settled += settle_deliveries(user=user, now=now)
    _send_waiting(now, done)
    return done


def _readers_with_news(now: dt.datetime) -> list[int]:
    news = Notification.objects.unsent().filter(
        created_at__gt=now - FORGOTTEN_AFTER,
        user__mail_stopped_at=None,
        user__alerts_paused_at=None,
        user__is_active=True,
    )
    return list(news.order_by("user").values_list("user", flat=True).distinct())


@transaction.atomic
def settle_deliveries(*, user: int, now: dt.datetime) -> int:
    """Make a delivery of each cadence that is due to this reader, of what is in no mail yet; returns how many.

    A reader whom another process holds is left to it. Two for the same period there cannot be.
    """
    held = User.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=user, mail_stopped_at=None).first()
    if held is None:
        return 0
    made = 0
    for cadence in Cadence:
        if cadence is Cadence.AT_ONCE:
            period, until = now.isoformat(timespec="microseconds"), now
        else:
            day, until = last_due(
                now, time_zone=held.time_zone, hour=held.delivery_hour, weekly=cadence is Cadence.WEEKLY
            )
            period = day.isoformat()
        news = (
            Notification.objects.of(user)
            .unsent()
            .filter(cadence=cadence, created_at__lte=until, created_at__gt=now - FORGOTTEN_AFTER)
        )
        if not news.exists():
            continue
        delivery, is_new = Delivery.objects.get_or_create(
            user=held,
            channel=Delivery.Channel.MAIL,
            cadence=cadence,
            period=period,
            defaults={"available_at": now, "created_at": now},
        )
        # What came in late for a period that was settled waits for the next.
        if is_new:
            news.update(delivery=delivery)
            made += 1
    return made


def _send_waiting(now: dt.datetime, done: Sendings) -> None:
    tried: set[int] = set()
    while (tried_now := _send_one(now, tried, done)) is not None:
        tried.add(tried_now)


@transaction.atomic
def _send_one(now: dt.datetime, tried: Iterable[int], done: Sendings) -> int | None:
    """Send the delivery that waits longest; returns its number, ``None`` where nothing waits."""
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING, available_at__lte=now).exclude(pk__in=list(tried))
    delivery = (
        waiting.select_for_update(skip_locked=True, of=("self",))
        .select_related("user")
        .order_by("available_at", "pk")
        .first()
    )
    if delivery is None:
        return None
    reader = delivery.user
    if not reader.is_active or reader.alerts_paused_at or reader.mail_stopped_at:
        delivery.state = Delivery.State.WITHHELD
        delivery.save(update_fields=["state"])
        done.withheld += 1
        return delivery.pk
    delivery.address = reader.email
    delivery.attempts += 1
    try:
        with transaction.atomic():
            mail = write_mail(delivery, address=reader.email)
        if mail is not None:
            mail.connection = get_connection()
            mail.send()
    except Exception as error:
        # Mail servers fail in every way there is; one reader's mail holds up nobody else's.
        _note_failure(delivery, error, now)
        done.failed += 1
    else:
        delivery.state = Delivery.State.SENT if mail is not None else Delivery.State.WITHHELD
        delivery.sent_at = now if mail is not None else None
        delivery.error = ""
        done.sent += mail is not None
        done.withheld += mail is None
    delivery.save()
    return delivery.pk


def _note_failure(delivery: Delivery, error: Exception, now: dt.datetime) -> None:
    """Set the delivery back, or give it up: after the last attempt, or where the server will never take the address."""
    logger.warning("Mail %s was not sent: %s", delivery.message_id, type(error).__name__)
    delivery.error = f"{type(error).__name__}: {error}".replace("\0", "")[:2_000]
    if refusal := _refusal_for_good(error):
        delivery.state = Delivery.State.FAILED
        User.objects.filter(pk=delivery.user_id).update(mail_stopped_at=now, mail_refusal=refusal)
    elif delivery.attempts >= MOST_ATTEMPTS:
        delivery.state = Delivery.State.FAILED
    else:
        delivery.available_at = now + FIRST_BACK_OFF * 3 ** (delivery.attempts - 1)


def _refusal_for_good(error: Exception) -> str:
    """What a server said that will never take mail to this address; empty for whatever may be different tomorrow."""
    if not isinstance(error, SMTPRecipientsRefused) or not error.recipients:
        return ""
    code, text = next(iter(error.recipients.values()))
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    return f"{code} {said}"[:500] if 500 <= code < 600 else ""
