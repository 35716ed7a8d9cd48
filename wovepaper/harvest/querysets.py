"""Chainable adjectives of the harvest's tables."""

from __future__ import annotations

import datetime as dt
from typing import TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


class HarvestWindowQuerySet(models.QuerySet[Row]):
    """Windows."""

    def of_line(self, source: str, set_spec: str = "") -> HarvestWindowQuerySet[Row]:
        """Those of one source and set."""
        return self.filter(source=source, set_spec=set_spec)

    def done(self) -> HarvestWindowQuerySet[Row]:
        """Read to the end."""
        return self.filter(state="done")

    def stopped(self) -> HarvestWindowQuerySet[Row]:
        """Those that a person should look at."""
        return self.filter(state="stopped")


class RawPageQuerySet(models.QuerySet[Row]):
    """Stored answers."""

    def taken(self) -> RawPageQuerySet[Row]:
        """Those whose records were taken in."""
        return self.filter(refused_because="")

    def older_than(self, moment: dt.datetime) -> RawPageQuerySet[Row]:
        """Fetched before ``moment``."""
        return self.filter(fetched_at__lt=moment)

    def disposable(self) -> RawPageQuerySet[Row]:
        """No open checkpoint and no quarantined record needs them."""
        return (
            self.exclude(window__state="open")
            .exclude(file__state="open")
            .exclude(quarantined_records__resolved_at__isnull=True, quarantined_records__isnull=False)
        )


class EnrichmentQuerySet(models.QuerySet[Row]):
    """Look-ups."""

    def of_source(self, source: str) -> EnrichmentQuerySet[Row]:
        """Those of one source."""
        return self.filter(source=source)

    def waiting(self) -> EnrichmentQuerySet[Row]:
        """Never asked about."""
        return self.filter(outcome="waiting")

    def due(self, now: dt.datetime) -> EnrichmentQuerySet[Row]:
        """Asked about before, and due again."""
        return self.exclude(outcome="waiting").filter(due_at__lte=now)


class QuarantinedRecordQuerySet(models.QuerySet[Row]):
    """Quarantined records."""

    def unresolved(self) -> QuarantinedRecordQuerySet[Row]:
        """Still waiting."""
        return self.filter(resolved_at=None)

    def of_source(self, source: str) -> QuarantinedRecordQuerySet[Row]:
        """Those of one source."""
        return self.filter(source=source)
