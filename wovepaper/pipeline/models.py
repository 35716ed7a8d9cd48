"""The queue of record: which object still has which stage before it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class WorkItem(models.Model):
    """One object waiting for one stage.

    Rows are only ever added by writers and deleted by the worker that did the work, in the same transaction as the
    work itself; the same object may wait twice, and is then worked on once. So no writer ever waits for a worker.
    """

    kind = models.CharField(max_length=24, help_text="What object_id counts, for example paper.")
    object_id = models.BigIntegerField()
    stage = models.CharField(max_length=24)
    reason = models.CharField(max_length=24, blank=True, help_text="Why it waits, where a stage needs to know.")
    attempts = models.PositiveSmallIntegerField(default=0)
    available_at = models.DateTimeField(help_text="Not before this time: set into the future after a failure.")
    parked_at = models.DateTimeField(null=True, blank=True, help_text="Set when it failed too often.")
    error = models.TextField(blank=True)
    enqueued_at = models.DateTimeField()

    class Meta:
        indexes = [
            # By object, so that a batch takes an object's duplicates together.
            models.Index(fields=["stage", "kind", "object_id", "id"], name="work_ready", condition=Q(parked_at=None)),
            models.Index(fields=["parked_at"], name="work_parked", condition=~Q(parked_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.kind} {self.object_id}"
