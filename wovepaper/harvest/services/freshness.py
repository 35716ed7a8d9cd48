"""A feed that silently goes stale answers every request and brings nothing new."""

from __future__ import annotations

import datetime as dt

from django.db.models import Min

from wovepaper.harvest.models import HarvestWindow, SourceState
from wovepaper.harvest.options import HarvestOptions


def why_stale(*, source: str, day: dt.date | None, options: HarvestOptions, today: dt.date) -> str | None:
    """The warning for a source harvested up to ``day``; ``None`` when it is fresh, or too far behind to tell."""
    if day is None or (today - day).days > options.stale_days:
        return None
    last = SourceState.objects.filter(name=source).values_list("last_new_day", flat=True).first()
    if last is None:
        begun = HarvestWindow.objects.filter(source=source).aggregate(first=Min("first_day"))["first"]
        if begun is None or (day - begun).days < options.stale_days:
            return None
        return f"{source} is harvested up to {day} and has brought nothing new since {begun}: is its feed stale?"
    if (day - last).days < options.stale_days:
        return None
    return f"{source} is harvested up to {day}, but the last day with anything new is {last}: is its feed stale?"
