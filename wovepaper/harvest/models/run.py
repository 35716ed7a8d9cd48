"""Runs of the harvest, for the person who looks after it."""

from __future__ import annotations

from django.db import models

from wovepaper.harvest.models.counted import Counted


class HarvestRun(Counted):
    """One call of the harvest or of a replay."""

    class Kind(models.TextChoices):
        NETWORK = "network", "from the network"
        FILES = "files", "from files"
        REPLAY = "replay", "replay of what is stored"
        ENRICH = "enrich", "looked up by identifier"
        COMPARE = "compare", "compared with the source's list"

    class Outcome(models.TextChoices):
        RUNNING = "running", "running"
        COMPLETED = "completed", "completed"
        LIMITED = "limited", "stopped at the limit"
        INTERRUPTED = "interrupted", "interrupted"
        POSTPONED = "postponed", "postponed"
        FAILED = "failed", "failed"

    source = models.CharField(max_length=24)
    kind = models.CharField(max_length=8, choices=Kind)
    set_spec = models.CharField(max_length=80, blank=True)
    first_day = models.DateField(null=True, blank=True, help_text="As asked for; empty means where the last run ended.")
    last_day = models.DateField(null=True, blank=True)
    paths_sha256 = models.CharField(max_length=64, blank=True, help_text="Tells one list of files from another.")
    pass_started_at = models.DateTimeField(help_text="When the work that this run goes on with was begun.")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=12, choices=Outcome, default=Outcome.RUNNING)
    message = models.TextField(blank=True)
    warnings = models.JSONField(default=list, blank=True)
    requests = models.PositiveIntegerField(default=0)
    bytes_received = models.PositiveBigIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["source", "-started_at"], name="run_latest")]

    def __str__(self) -> str:
        return f"{self.source} {self.started_at:%Y-%m-%d %H:%M} {self.outcome}"
