"""Dates, conference and notices of a paper, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.formats import date_format

from papers.connections import Notices, ShownNotice
from papers.models import Paper, PaperVersion
from papers.sources.records import PartialDate
from papers.views.shown import ShownArticle, ShownDate, ShownEvent
from wovepaper.lib.dates import parse_partial

_LABELS = {
    "posted": "Posted",
    "accepted": "Accepted",
    "approved": "Approved",
    "published-online": "Published online",
    "published-print": "In print",
    "published-other": "Published",
}
"""What is printed of the kinds of dates. A publisher's date of submission is not: arXiv's is another one."""
_PUBLISHED = ("published-online", "published-print", "published-other")
ALARMING = {"retracted": ("retraction",), "withdrawn": ("withdrawal", "removal")}
"""The notices behind a status: they are in the banner, and all others in the list of notices."""


def shown_dates(found: Paper, versions: Sequence[PaperVersion]) -> list[ShownDate]:
    """When it was submitted, revised, published and listed, as far as anyone said. ``versions`` are newest first."""
    dates = []
    dated = [one for one in versions if one.submitted_at]
    if dated and dated[-1].number == 1:
        dates.append(ShownDate("Submitted", dated[-1].submitted_at))
    if len(versions) > 1 and versions[0].submitted_at:
        dates.append(ShownDate("Revised", versions[0].submitted_at))
    told = [(kind, read_date(found.dates[kind])) for kind in _LABELS if kind in found.dates]
    says_when = any(kind in _PUBLISHED or kind == "posted" for kind, _ in told) and "published_on" not in found.pinned
    if found.published_on and not says_when and (found.kind != Paper.Kind.PREPRINT or not dates):
        label = "Submitted" if found.kind == Paper.Kind.PREPRINT else "Published"
        dates.append(ShownDate(label, found.published_on, found.published_precision))
    dates += [ShownDate(_LABELS[kind], date.first_day, date.precision) for kind, date in told]
    if found.announced_on:
        dates.append(ShownDate("Listed", found.announced_on))
    return dates


def published_article(found: Paper) -> ShownArticle | None:
    """What a preprint was published as: the last of its versions. ``None`` where no source knows of that."""
    if found.kind == Paper.Kind.PREPRINT or not (found.doi or found.venue):
        return None
    told = [read_date(found.dates[kind]) for kind in _PUBLISHED if kind in found.dates]
    first = min(told, key=lambda date: date.first_day, default=None)
    return ShownArticle(
        kind=found.get_kind_display(),
        venue=found.venue,
        doi=found.doi,
        date=ShownDate("Published", first.first_day, first.precision) if first else None,
    )


def shown_event(said: dict[str, Any] | None) -> ShownEvent | None:
    """The conference, with its days in one piece: ``12–17 November 2023``."""
    if not said:
        return None
    acronym = said.get("acronym", "")
    return ShownEvent(
        name=said["name"],
        acronym="" if acronym.casefold() in said["name"].casefold() else acronym,
        place=said.get("place", ""),
        days=days_of(*(read_date(said[key]) if key in said else None for key in ("start", "end"))),
    )


def days_of(start: PartialDate | None, end: PartialDate | None) -> str:
    """From when to when, with what both have in common said once."""
    if start is None or end is None or start == end:
        known = start or end
        return _written(known) if known else ""
    if start.day and end.day and (start.year, start.month) == (end.year, end.month):
        return f"{start.day}–{_written(end)}"
    if start.year == end.year and start.month and end.month:
        return f"{_written(start).removesuffix(f' {start.year:04d}')} – {_written(end)}"
    return f"{_written(start)} – {_written(end)}"


def _written(date: PartialDate) -> str:
    return date_format(date.first_day, {"day": "j F Y", "month": "F Y", "year": "Y"}[date.precision])


def read_date(said: str) -> PartialDate:
    """A date as it is kept, with its precision."""
    return PartialDate(*parse_partial(said))


def banner_notices(found: Paper, notices: Notices) -> list[ShownNotice]:
    """The notices that say why the paper is retracted or withdrawn."""
    return notices.of(*ALARMING.get(found.status, ()))


def quiet_notices(found: Paper, notices: Notices) -> list[ShownNotice]:
    """Corrections and all else that the banner does not tell."""
    loud = ALARMING.get(found.status, ())
    return [notice for notice in notices.about if notice.kind not in loud]
