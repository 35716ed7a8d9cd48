"""What sources were asked about by identifier, and when they are asked again."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from wovepaper.harvest.querysets import EnrichmentQuerySet


class Enrichment(models.Model):
    """One subject (what that is, the registration of the source knows), and what one source said of it last."""

    class Outcome(models.TextChoices):
        WAITING = "waiting", "not asked yet"
        FOUND = "found", "found"
        UNKNOWN = "unknown", "not known to the source"
        NAMELESS = "nameless", "has no identifier to ask by"

    source = models.CharField(max_length=24)
    subject = models.BigIntegerField()
    outcome = models.CharField(max_length=8, choices=Outcome, default=Outcome.WAITING)
    asked_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(help_text="When it is asked about again.")
    misses = models.PositiveSmallIntegerField(default=0, help_text="How often in a row the source did not know it.")

    objects = EnrichmentQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "subject"], name="enrichment_once")]
        indexes = [
            models.Index(fields=["source", "-subject"], name="enrichment_waiting", condition=Q(outcome="waiting")),
            models.Index(fields=["source", "due_at"], name="enrichment_due", condition=~Q(outcome="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.subject} {self.outcome}"


class Spending(models.Model):
    """How many requests an account was charged with on one day (UTC), counted before each is sent."""

    account = models.CharField(max_length=24)
    day = models.DateField()
    requests = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "day"], name="spending_once")]

    def __str__(self) -> str:
        return f"{self.account} {self.day}"


class ListedRecord(models.Model):
    """A record that its source listed in the comparison under way; forgotten when that is over."""

    source = models.CharField(max_length=24)
    external_id = models.CharField(max_length=255)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "external_id"], name="listed_record_once")]

    def __str__(self) -> str:
        return f"{self.source} {self.external_id}"


class GoneRecord(models.Model):
    """A record that we have and that its source no longer does. Nothing follows from it: a person may look into it."""

    source = models.CharField(max_length=24)
    external_id = models.CharField(max_length=255)
    noticed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "external_id"], name="gone_record_once")]

    def __str__(self) -> str:
        return f"{self.source} {self.external_id}"
