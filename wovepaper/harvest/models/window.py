"""Checkpoints: how far a window or a file was read."""

from __future__ import annotations

from django.db import models

from wovepaper.harvest.contracts import Window
from wovepaper.harvest.models.counted import Counted
from wovepaper.harvest.querysets import HarvestWindowQuerySet


class Progress(models.TextChoices):
    """Where a window or file stands."""

    OPEN = "open", "open"
    DONE = "done", "done"
    STOPPED = "stopped", "stopped"


class HarvestWindow(Counted):
    """Closed days of one stream, with the token of the next page. Its figures are those of the current attempt."""

    source = models.CharField(max_length=24)
    stream = models.CharField(max_length=24)
    set_spec = models.CharField(max_length=80, blank=True)
    first_day = models.DateField()
    last_day = models.DateField()
    state = models.CharField(max_length=8, choices=Progress, default=Progress.OPEN)
    reason = models.TextField(blank=True, help_text="Why it stopped.")
    attempt = models.PositiveIntegerField(default=1, help_text="How often it was begun.")
    pages = models.PositiveIntegerField(default=0)
    next_token = models.TextField(blank=True)
    complete_size = models.PositiveBigIntegerField(null=True, blank=True, help_text="As the source announced it.")
    started_at = models.DateTimeField()
    checkpoint_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = HarvestWindowQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "stream", "set_spec", "first_day", "last_day"], name="harvest_window_once"
            ),
        ]
        indexes = [models.Index(fields=["source", "set_spec", "first_day", "state"], name="harvest_window_line")]

    def __str__(self) -> str:
        days = f"{self.first_day}" if self.first_day == self.last_day else f"{self.first_day} to {self.last_day}"
        return " ".join(filter(None, [self.source, self.stream, self.set_spec, days]))

    @property
    def value(self) -> Window:
        """The window as the source understands it."""
        return Window(self.stream, self.first_day, self.last_day, self.set_spec)


class HarvestFile(Counted):
    """One file that was handed in, known by its content and not by its name."""

    source = models.CharField(max_length=24)
    sha256 = models.CharField(max_length=64)
    name = models.CharField(max_length=255, help_text="The last name it was handed in under.")
    size = models.PositiveBigIntegerField()
    state = models.CharField(max_length=8, choices=Progress, default=Progress.OPEN)
    reason = models.TextField(blank=True)
    pages = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField()
    checkpoint_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "sha256"], name="harvest_file_once")]

    def __str__(self) -> str:
        return f"{self.source} {self.name}"
