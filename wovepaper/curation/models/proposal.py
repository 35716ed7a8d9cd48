"""A merge that one curator may not decide alone."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class MergeProposalModel(models.Model):
    """A merge as the first curator asked for it. A subclass adds ``loser``, ``survivor`` and ``event`` (nullable)."""

    class State(models.TextChoices):
        OPEN = "open", "Waits for a second curator"
        CONFIRMED = "confirmed", "Confirmed"
        REJECTED = "rejected", "Rejected"

    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.TextField()
    causes = models.JSONField(default=list, help_text="Why a second curator is needed, in words.")
    choices = models.JSONField(default=dict, help_text="Field of the survivor to the value chosen.")
    override = models.BooleanField(default=False)
    versions_seen = models.JSONField(default=dict)
    evidence = models.JSONField(default=dict)
    idempotency_key = models.CharField(max_length=64, unique=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(blank=True, help_text="The second curator's reason.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(
                fields=["loser", "survivor"], condition=Q(state="open"), name="%(app_label)s_%(class)s_one_open"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="%(app_label)s_%(class)s_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.loser_id} into {self.survivor_id}: {self.state}"

    # Declared by the subclasses.
    loser_id: int
    survivor_id: int
