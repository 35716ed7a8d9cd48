"""How far the look-ups by identifier have come, for those who look after the sources."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Q

from wovepaper.harvest.models import Enrichment


@dataclass(frozen=True, slots=True)
class LookupProgress:
    """Numbers of subjects of one source."""

    total: int = 0
    waiting: int = 0
    """Never asked about."""
    due: int = 0
    """Asked about before, and due again."""
    found: int = 0
    unknown: int = 0
    nameless: int = 0

    @property
    def asked(self) -> int:
        """Those that are done with for now."""
        return self.total - self.waiting

    @property
    def percent(self) -> int:
        """Of all that were put on the list, those not waiting; 100 only when none is."""
        return 100 if not self.waiting else 100 * self.asked // self.total


def progress_of_lookups(now: dt.datetime) -> dict[str, LookupProgress]:
    """By source. One query."""
    is_ = {outcome: Q(outcome=outcome) for outcome in Enrichment.Outcome.values}
    rows = (
        Enrichment.objects.order_by()
        .values_list("source")
        .annotate(
            total=Count("pk"),
            waiting=Count("pk", filter=is_["waiting"]),
            due=Count("pk", filter=~is_["waiting"] & Q(due_at__lte=now)),
            found=Count("pk", filter=is_["found"]),
            unknown=Count("pk", filter=is_["unknown"]),
            nameless=Count("pk", filter=is_["nameless"]),
        )
    )
    return {source: LookupProgress(*figures) for source, *figures in rows}
