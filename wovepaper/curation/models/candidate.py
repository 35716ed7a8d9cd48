"""The queue: what may be the same, or may be two, and waits for a person."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q


class CandidateModel(models.Model):
    """An item for curators: a pair, a group of one name, or one object that looks like several."""

    class Kind(models.TextChoices):
        PAIR = "pair", "Perhaps the same"
        GROUP = "group", "Several of one name"
        SPLIT = "split", "Perhaps several"
        CONFLICT = "conflict", "Sources contradict each other"

    class State(models.TextChoices):
        OPEN = "open", "Open"
        SNOOZED = "snoozed", "Not sure"
        MERGED = "merged", "Merged"
        DIFFERENT = "different", "Different"
        CLOSED = "closed", "Closed"

    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.PAIR)
    key = models.CharField(max_length=200, unique=True, help_text="What it is about; filed again, it is one item.")
    members = ArrayField(models.BigIntegerField(), help_text="Numbers of the objects, rising.")
    score = models.FloatField(default=0.0, help_text="Probability from 0 to 1.")
    reasons = models.JSONField(default=list, help_text="What the score is made of, in words.")
    has_conflict = models.BooleanField(default=False)
    rows_affected = models.PositiveIntegerField(default=0, help_text="For researchers: papers.")
    followers = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    leased_to = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    leased_until = models.DateTimeField(null=True, blank=True)
    filed_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=Q(members__len__gte=1), name="%(app_label)s_%(class)s_not_empty"),
        ]
        indexes = [
            GinIndex(fields=["members"], name="%(app_label)s_%(class)s_members"),
            models.Index(
                fields=["-score", "id"], name="%(app_label)s_%(class)s_open", condition=Q(state__in=["open", "snoozed"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
