"""What the people who look after the sources see and do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from wovepaper.harvest import registry
from wovepaper.harvest.contracts import Lookups, Quota
from wovepaper.harvest.models import (
    FieldProfile,
    GoneRecord,
    HarvestRun,
    HarvestWindow,
    QuarantinedRecord,
    SourceState,
    Spending,
    Watermark,
)
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.services.comparison import can_be_compared
from wovepaper.harvest.services.freshness import why_stale
from wovepaper.harvest.services.progress_of_lookups import LookupProgress, progress_of_lookups
from wovepaper.harvest.services.spending import account_of, budget_of, from_json


@dataclass(frozen=True, slots=True)
class SourceOverview:
    """One source at a glance. ``lag_days`` counts the closed days that are not harvested yet."""

    name: str
    registered: bool
    paused_at: dt.datetime | None
    paused_because: str
    not_before: dt.datetime | None
    last_success_at: dt.datetime | None
    watermark: dt.date | None
    lag_days: int | None
    stopped_windows: int
    quarantined: int
    requests_today: int
    bytes_today: int
    quota: Mapping[str, str]
    last_run: HarvestRun | None
    warning: str
    postponed_because: str = ""
    account: str = ""
    """Whose budget, quota and pauses it shares; its own name, where it shares none."""
    budget: int | None = None
    """Requests a day that the account may send."""
    spent: int = 0
    """Requests that the account was charged with today."""
    allowance: Quota | None = None
    """What the source itself last said is left."""
    lookups: LookupProgress | None = None
    """``None`` where the source is not asked by identifier."""
    lookups_configured: bool = False
    is_compared: bool = False
    reconciled_at: dt.datetime | None = None
    gone: int = 0
    """Records that are here, and that the source no longer has."""


def source_overview(*, today: dt.date | None = None, options: HarvestOptions | None = None) -> list[SourceOverview]:
    """All sources that are registered or were once harvested, by name. ``today`` in UTC."""
    today = today or timezone.now().date()
    options = options or HarvestOptions.from_settings()
    states = {state.name: state for state in SourceState.objects.all()}
    known = set(registry.names())
    quarantined = _count_by_source(QuarantinedRecord.objects.unresolved())
    stopped = _count_by_source(HarvestWindow.objects.stopped())
    used: dict[str, tuple[int, int]] = {
        row["source"]: (row["all_requests"], row["all_bytes"])
        for row in HarvestRun.objects.filter(started_at__date=today)
        .values("source")
        .annotate(all_requests=Sum("requests"), all_bytes=Sum("bytes_received"))
    }
    last_runs = {
        run.source: run for run in HarvestRun.objects.order_by("source", "-started_at", "-pk").distinct("source")
    }
    overview = []
    marks = dict(Watermark.objects.filter(set_spec="").values_list("source", "day"))
    gone = _count_by_source(GoneRecord.objects.all())
    lookups = progress_of_lookups(timezone.now())
    spent = dict(Spending.objects.filter(day=today).values_list("account", "requests"))
    for name in sorted(known | states.keys()):
        state = states.get(name) or SourceState(name=name)
        source = registry.get(name).source if name in known else None
        account = account_of(source) if source else name
        shared = states.get(account) or SourceState(name=account)
        mark = marks.get(name)
        overview.append(
            SourceOverview(
                name=name,
                registered=name in known,
                paused_at=state.paused_at,
                paused_because=state.paused_because,
                not_before=shared.not_before,
                last_success_at=state.last_success_at,
                watermark=mark,
                lag_days=None if mark is None else max(0, (today - mark).days - 1),
                stopped_windows=stopped.get(name, 0),
                quarantined=quarantined.get(name, 0),
                requests_today=used.get(name, (0, 0))[0],
                bytes_today=used.get(name, (0, 0))[1],
                quota=state.quota,
                last_run=last_runs.get(name),
                warning=why_stale(source=name, day=mark, options=options, today=today) or "",
                postponed_because=shared.postponed_because,
                account=account,
                budget=budget_of(source) if source else None,
                spent=spent.get(account, 0),
                allowance=from_json(shared.allowance),
                lookups=lookups.get(name, LookupProgress()) if isinstance(source, Lookups) else None,
                lookups_configured=isinstance(source, Lookups) and source.lookups_configured,
                is_compared=name in known and can_be_compared(name),
                reconciled_at=state.reconciled_at,
                gone=gone.get(name, 0),
            )
        )
    return overview


def _count_by_source(queryset: QuerySet[Any]) -> dict[str, int]:
    return dict(queryset.order_by().values_list("source").annotate(rows=Count("pk")))


def pause_source(*, name: str, reason: str = "") -> None:
    """Take nothing in from this source until it is resumed; a run under way ends at its next page."""
    SourceState.objects.update_or_create(name=name, defaults={"paused_at": timezone.now(), "paused_because": reason})


def resume_source(*, name: str) -> None:
    """Undo a pause, and what the source itself asked for: the next run asks it again."""
    SourceState.objects.update_or_create(name=name, defaults={"paused_at": None, "paused_because": ""})
    account = account_of(registry.get(name).source) if name in registry.names() else name
    SourceState.objects.filter(name=account).update(not_before=None, postponed_because="")


def forget_field_profile(*, name: str) -> None:
    """A field that vanished is gone for good, and rightly: let the volume brake learn anew."""
    FieldProfile.objects.filter(source=name).delete()
