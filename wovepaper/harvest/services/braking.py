"""The volume brake in a page's transaction: what is unusual takes the page back."""

from __future__ import annotations

from wovepaper.harvest.brake import Profile, why_field_vanished, why_refused_too_much
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.models import FieldProfile
from wovepaper.harvest.options import HarvestOptions


class Braked(Exception):
    """The volume brake takes back the page."""


def brake(
    *, source: str, stream: str, profile: Profile, counts: Counts, so_far: Counts, options: HarvestOptions, where: str
) -> None:
    """Compare a page with what is usual for its stream, and add it to that.

    ``so_far`` are the figures of ``where`` (the window, the run) with this page. Raises ``Braked``; the transaction
    around it takes back the page.
    """
    row, _ = FieldProfile.objects.select_for_update().get_or_create(source=source, stream=stream)
    before = Profile(row.records, row.filled)
    reason = (
        why_refused_too_much(refused=counts.quarantined, seen=counts.seen, options=options, where="page")
        or why_refused_too_much(refused=so_far.quarantined, seen=so_far.seen, options=options, where=where)
        or why_field_vanished(now=profile, before=before, options=options)
    )
    if reason:
        raise Braked(reason)
    after = before + profile
    if after != before:
        row.records, row.filled = after.records, dict(after.filled)
        row.save(update_fields=["records", "filled"])
