"""Where and when a paper appeared in arXiv's listings. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from papers.models import CategoryListing
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
        return announcement_day(first.submitted_at) if first.number == 1 and first.submitted_at else None
    if published is None or published.precision != "day":
        return None
    return announcement_day(dt.datetime.combine(published.first_day, dt.time(12), dt.UTC))


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
            day = announcement_day(version.submitted_at)
            if day > announced_on:
                found.update(Listing(category, day, REVISED) for category in categories)
    return frozenset(found)


def announcement_day(submitted_at: dt.datetime) -> dt.date:
    """As arXiv's schedule has it."""
    from papers.sources.arxiv.announcements import announced_on

    return announced_on(submitted_at)
