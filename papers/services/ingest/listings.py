"""Where and when a paper appeared in arXiv's listings. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from papers.models import CategoryListing
from papers.sources.arxiv.announcements import announced_on as announced_on_schedule
from papers.sources.records import PartialDate, VersionRecord


class Listing(NamedTuple):
    """One appearance."""

    category: str
    day: dt.date
    kind: str


NEW = CategoryListing.Kind.NEW.value
CROSS_LIST = CategoryListing.Kind.CROSS_LIST.value
REVISED = CategoryListing.Kind.REVISED.value


def announced(versions: Sequence[VersionRecord], published: PartialDate | None) -> dt.date | None:
    """The day the paper was listed as new: from its first version; while none is known, from its full date."""
    if versions:
        first = versions[0]
        return announced_on_schedule(first.submitted_at) if first.number == 1 and first.submitted_at else None
    if published is None or published.precision != "day":
        return None
    return announced_on_schedule(dt.datetime.combine(published.first_day, dt.time(12), dt.UTC))


def appearances(
    categories: Sequence[str], versions: Sequence[VersionRecord], announced_on: dt.date | None
) -> frozenset[Listing]:
    """New in the primary category, cross-listed in the others, and revised in all on the days of later versions.

    When a cross-listing was added later no source tells; it is taken to be there from the first day. A version that
    was replaced before the first was announced does not appear.
    """
    if announced_on is None or not categories:
        return frozenset()
    found = {Listing(category, announced_on, CROSS_LIST if index else NEW) for index, category in enumerate(categories)}
    for version in versions:
        if version.number > 1 and version.submitted_at is not None:
            day = announced_on_schedule(version.submitted_at)
            if day > announced_on:
                found.update(Listing(category, day, REVISED) for category in categories)
    return frozenset(found)
