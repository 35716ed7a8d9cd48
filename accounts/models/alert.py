"""What happened to papers, who was told of it and why, and the mail that told them."""

from __future__ import annotations

import uuid
from typing import ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from accounts.models.cadence import Cadence
from accounts.querysets import NotificationQuerySet
from papers.models import Paper


class PaperEvent(models.Model):
    """Something that happened to a paper lately, noted when the catalogue came to know of it.

    A row is written once and never again, so whatever a paper goes through later (merges, splits, undos, another
    harvest), nobody is told of the same thing twice. What happened long before it came in is not noted at all.
    """

    class Kind(models.TextChoices):
        NEW = "new", "New paper"
        CROSS_LIST = "cross_list", "Cross-listed"
        REVISION = "revision", "New version"
        WITHDRAWN = "withdrawn", "Withdrawn"
        PUBLISHED = "published", "Published"
        RETRACTED = "retracted", "Retracted"

    SWITCHES: ClassVar[dict[str, str]] = {
        "new": "new",
        "cross_list": "cross_list",
        "revision": "revision",
        "withdrawn": "withdrawal",
        "published": "publication",
        "retracted": "withdrawal",
    }
    """The switch of a follow that asks for each kind."""

    paper = models.ForeignKey(Paper, models.CASCADE, related_name="events")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    detail = models.CharField(
        max_length=32, blank=True, help_text="The number of the version, or the code of the category."
    )
    day = models.DateField(help_text="When it happened, as the sources date it.")
    noticed_at = models.DateTimeField(help_text="When the catalogue came to know of it.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["paper", "kind", "detail"], name="paper_event_once")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.paper_id}"


class Notification(models.Model):
    """A reader is told of one event, once, with everything they follow that asked for it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications")
    paper = models.ForeignKey(Paper, models.CASCADE, related_name="notifications")
    event = models.ForeignKey(PaperEvent, models.CASCADE, related_name="notifications")
    reasons = ArrayField(
        models.CharField(max_length=64),
        help_text="What was followed, as kind:key of its root; cross_list:code where it was listed there too.",
    )
    cadence = models.CharField(max_length=7, choices=Cadence.choices, help_text="The most frequent of its follows.")
    created_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    delivery = models.ForeignKey(
        "accounts.Delivery", models.SET_NULL, null=True, blank=True, related_name="notifications"
    )

    shown_paper: int
    """The number of the paper that it is shown as; only after ``with_events``."""

    objects = NotificationQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "paper", "event"], name="notification_once")]
        indexes = [
            models.Index(fields=["user", "-id"], name="notification_newest"),
            models.Index(fields=["user"], name="notification_unread", condition=Q(read_at=None)),
            models.Index(fields=["user", "cadence"], name="notification_unsent", condition=Q(delivery=None)),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} to {self.user_id}"


def new_message_id() -> str:
    """A Message-ID that no other mail has, at the host of this site."""
    return f"<alert.{uuid.uuid4().hex}@{urlsplit(settings.SITE_URL).hostname or 'localhost'}>"


class Delivery(models.Model):
    """One mail: what it is about was settled before the first attempt to send it, and so was its Message-ID."""

    class Channel(models.TextChoices):
        MAIL = "mail", "Mail"

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        SENT = "sent", "Sent"
        FAILED = "failed", "Failed"
        WITHHELD = "withheld", "Not sent: alerts rest"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=4, choices=Channel.choices, default=Channel.MAIL)
    cadence = models.CharField(max_length=7, choices=Cadence.choices)
    period = models.CharField(
        max_length=40, help_text="The reader's day it is for (weekly: a Monday); at once: the moment."
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    message_id = models.CharField(max_length=200, default=new_message_id, unique=True, editable=False)
    address = models.EmailField(blank=True, help_text="Where it was last sent to.")
    attempts = models.PositiveSmallIntegerField(default=0)
    available_at = models.DateTimeField(help_text="Not before this time.")
    error = models.TextField(blank=True)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [models.UniqueConstraint(fields=["user", "channel", "cadence", "period"], name="delivery_once")]
        indexes = [
            models.Index(fields=["available_at"], name="delivery_waiting", condition=Q(state="waiting")),
            models.Index(fields=["user", "-id"], name="delivery_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.cadence} {self.period}"
