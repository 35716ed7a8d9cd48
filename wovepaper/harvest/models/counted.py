"""The five figures that every harvest reports."""

from __future__ import annotations

from django.db import models

from wovepaper.harvest.counts import Counts


class Counted(models.Model):
    """What became of the records. ``seen`` is the sum of the other four."""

    seen = models.PositiveBigIntegerField(default=0)
    new = models.PositiveBigIntegerField(default=0)
    changed = models.PositiveBigIntegerField(default=0)
    unchanged = models.PositiveBigIntegerField(default=0)
    quarantined = models.PositiveBigIntegerField(default=0)

    class Meta:
        abstract = True

    @property
    def counts(self) -> Counts:
        """The five figures as one value."""
        return Counts(self.new, self.changed, self.unchanged, self.quarantined)

    @counts.setter
    def counts(self, value: Counts) -> None:
        self.seen, self.new, self.changed = value.seen, value.new, value.changed
        self.unchanged, self.quarantined = value.unchanged, value.quarantined
