"""The journal: what was merged, split off and undone, by whom and why."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q


class MergeEventModel(models.Model):
    """One event, written once. Only ``live`` ever changes, from true to false, when an undo takes the event back.

    A subclass adds ``loser`` and ``survivor``, foreign keys to its mergeable model. In a split, ``loser`` is what was
    split and ``survivor`` what the rows went to; an undo repeats both of what it takes back.
    """

    class Kind(models.TextChoices):
        MERGE = "merge", "Merged"
        SPLIT = "split", "Split"
        UNDO = "undo", "Undone"

    kind = models.CharField(max_length=5, choices=Kind.choices)
    live = models.BooleanField(default=False, help_text="A merge or split that nobody has taken back.")
    undoes = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="undone_by")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", help_text="Second curator."
    )
    reason = models.TextField()
    evidence = models.JSONField(default=dict, help_text="What was known when it was decided.")
    field_changes = models.JSONField(default=dict, help_text="Field of the survivor to {before, after}.")
    base_moves = models.JSONField(default=list, help_text="Rows a split moved, with what they were before.")
    last_row = models.BigIntegerField(default=0, help_text="The newest row of either side; later ones arrived since.")
    versions_seen = models.JSONField(default=dict, help_text="Number of an object to the version the form showed.")
    versions_after = models.JSONField(default=dict, help_text="Number of an object to its version after the event.")
    subjects = ArrayField(models.BigIntegerField(), help_text="Every object whose version it raised.")
    idempotency_key = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(
                fields=["loser"], condition=Q(kind="merge", live=True), name="%(app_label)s_%(class)s_one_live_edge"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="%(app_label)s_%(class)s_reason"),
            models.CheckConstraint(
                condition=Q(kind="undo", live=False, undoes__isnull=False)
                | (Q(kind__in=["merge", "split"]) & Q(undoes=None)),
                name="%(app_label)s_%(class)s_kind",
            ),
        ]
        indexes = [GinIndex(fields=["subjects"], name="%(app_label)s_%(class)s_subj")]

    def __str__(self) -> str:
        return f"{self.kind} {self.loser_id} and {self.survivor_id}"

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """Events stay. Always raises ``TypeError``."""
        raise TypeError("An event is never deleted; undo it.")

    # Declared by the subclasses.
    loser_id: int
    survivor_id: int
