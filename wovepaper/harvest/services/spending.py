"""What an account may still ask for: the day's budget, and what the source says is left. Neither is ever slept out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.utils import timezone

from wovepaper.harvest.contracts import Metered, Quota, Source
from wovepaper.harvest.errors import SourcePostponed
from wovepaper.harvest.models import SourceState, Spending
from wovepaper.harvest.options import HarvestOptions

_CHARGE = """
    INSERT INTO harvest_spending AS spent (account, day, requests) VALUES (%(account)s, %(day)s, 1)
    ON CONFLICT (account, day) DO UPDATE SET requests = spent.requests + 1
    WHERE %(most)s::bigint IS NULL OR spent.requests < %(most)s
    RETURNING requests
"""
_DAY = dt.timedelta(days=1)


def account_of(source: Source) -> str:
    """Under which name its requests are counted, and its pauses kept."""
    return source.account if isinstance(source, Metered) else source.name


def budget_of(source: Source) -> int | None:
    """Requests a day; ``None`` for no limit of this installation's."""
    return source.daily_requests if isinstance(source, Metered) else None


def spent_on(account: str, day: dt.date) -> int:
    """Requests that an account was charged with."""
    return Spending.objects.filter(account=account, day=day).values_list("requests", flat=True).first() or 0


@dataclass(slots=True)
class Purse:
    """Charges each request before it is sent, and listens to what the answers say of the quota."""

    source: Source
    options: HarvestOptions
    quota: Quota | None = field(default=None)

    def charge(self) -> None:
        """For ``PoliteClient.before_request``. Raises ``SourcePostponed`` where nothing is left."""
        now = timezone.now()
        self._check_quota(now)
        most = budget_of(self.source)
        if most is not None and most <= 0:
            raise self._spent(most, now)
        with connection.cursor() as cursor:
            cursor.execute(_CHARGE, {"account": account_of(self.source), "day": now.date(), "most": most})
            if cursor.fetchone() is None:
                raise self._spent(most or 0, now)

    def _check_quota(self, now: dt.datetime) -> None:
        quota = self.quota
        if quota is None or quota.remaining is None or quota.remaining > 0 or quota.resets_at is None:
            return
        if (quota.resets_at - now).total_seconds() > self.options.longest_wait:
            raise SourcePostponed(
                f"{self.source.name} has no {quota.unit} left until {quota.resets_at:%Y-%m-%d %H:%M} UTC: "
                "the run stops here and goes on then.",
                quota.resets_at,
            )

    def _spent(self, most: int, now: dt.datetime) -> SourcePostponed:
        tomorrow = dt.datetime.combine(now.date() + _DAY, dt.time(), dt.UTC)
        return SourcePostponed(
            f"The day's budget of {account_of(self.source)}, {most} requests, is spent: "
            f"the run stops here and goes on after {tomorrow:%Y-%m-%d %H:%M} UTC.",
            tomorrow,
        )

    def listen(self, headers: Mapping[str, str]) -> float | None:
        """For ``PoliteClient.on_headers``: the interval that the source asks for, in seconds."""
        if not isinstance(self.source, Metered):
            return None
        lower = {name.lower(): value for name, value in headers.items()}
        quota = self.source.read_quota(lower, now=timezone.now())
        if quota is None:
            return None
        self.quota = quota
        return quota.interval

    def keep(self) -> None:
        """Note for the console what the source last said."""
        if self.quota is not None:
            state, _ = SourceState.objects.get_or_create(name=account_of(self.source))
            state.allowance = as_json(self.quota)
            state.save(update_fields=["allowance"])


def as_json(quota: Quota) -> dict[str, Any]:
    """A quota as it is kept."""
    return {
        "remaining": quota.remaining,
        "limit": quota.limit,
        "resets_at": quota.resets_at.isoformat() if quota.resets_at else None,
        "unit": quota.unit,
        "interval": quota.interval,
    }


def from_json(kept: Mapping[str, Any]) -> Quota | None:
    """The inverse of ``as_json``; ``None`` where nothing was kept."""
    if not kept:
        return None
    resets_at = kept.get("resets_at")
    return Quota(
        kept.get("remaining"),
        kept.get("limit"),
        dt.datetime.fromisoformat(resets_at) if resets_at else None,
        kept.get("unit") or "requests",
        kept.get("interval"),
    )
