"""How long raw pages are kept."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from wovepaper.harvest.models import RawPage
from wovepaper.harvest.options import HarvestOptions

_BATCH = 500


def purge_raw_pages(*, source: str, options: HarvestOptions | None = None) -> int:
    """Delete raw pages past their time, in batches, and return how many. Open windows and quarantine keep theirs."""
    options = options or HarvestOptions.from_settings()
    if not options.raw_days:
        return 0
    old = timezone.now() - dt.timedelta(days=options.raw_days)
    deleted = 0
    while True:
        batch = RawPage.objects.filter(source=source).older_than(old).disposable().order_by("pk")
        ids = list(batch.values_list("pk", flat=True)[:_BATCH])
        if not ids:
            return deleted
        RawPage.objects.filter(pk__in=ids).delete()
        deleted += len(ids)
