"""Which days are harvested, and the checkpoints of their windows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count
from django.utils import timezone

from wovepaper.harvest.contracts import Source, WholeLists
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.errors import BadRange
from wovepaper.harvest.models import HarvestWindow, Watermark
from wovepaper.harvest.models.window import Progress
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.services.runs import RunContext

_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DayRange:
    """Days, both included; empty when the first is after the last."""

    first: dt.date
    last: dt.date

    def __iter__(self) -> Iterator[dt.date]:
        return (self.first + number * _DAY for number in range(len(self)))

    def __len__(self) -> int:
        return max(0, (self.last - self.first).days + 1)


def watermark_of(source: str, set_spec: str = "") -> dt.date | None:
    """The day up to which everything is harvested."""
    return Watermark.objects.filter(source=source, set_spec=set_spec).values_list("day", flat=True).first()


def plan_days(
    *,
    source: Source,
    set_spec: str,
    first_day: dt.date | None,
    last_day: dt.date | None,
    options: HarvestOptions,
    today: dt.date,
) -> DayRange:
    """The days of a run. Windows are single closed days: an offset token shifts when a record leaves its window, and
    the records of one day leave it least.

    Without a first day: from where the last run ended, less the overlap. Raises ``BadRange``.
    """
    yesterday = today - _DAY
    if isinstance(source, WholeLists):
        refuse_days(source=source, first_day=first_day, last_day=last_day)
        return DayRange(yesterday, yesterday)
    if last_day is not None and last_day > yesterday:
        raise BadRange(f"{last_day} is not over yet: the last day that can be harvested is {yesterday} (UTC).")
    if first_day is not None and first_day < source.earliest:
        raise BadRange(f"{source.name} begins on {source.earliest}: ask for that day or a later one.")
    last = last_day or yesterday
    if first_day is None:
        done_until = watermark_of(source.name, set_spec)
        first = source.earliest
        if done_until is not None:
            first = max(first, min(done_until, last) - (options.overlap_days - 1) * _DAY)
    else:
        first = first_day
        if first > last:
            raise BadRange(f"The first day ({first}) is after the last ({last}).")
    return DayRange(first, last)


def refuse_days(*, source: Source, first_day: dt.date | None, last_day: dt.date | None) -> None:
    """For a source whose list is always whole. Raises ``BadRange``."""
    if first_day is not None or last_day is not None:
        raise BadRange(f"{source.name} is always taken as a whole, as it is now: leave out --from and --until.")


def set_watermark(*, source: Source, day: dt.date) -> None:
    """The source was taken as a whole, as it was on ``day``: days before it do not matter any more."""
    Watermark.objects.update_or_create(source=source.name, set_spec="", defaults={"day": day})


def left_behind(*, source: Source, set_spec: str, before: dt.date) -> list[tuple[dt.date, str]]:
    """(day, stream) of the windows before a day that are not done: stopped in an overlap, or left from a range."""
    if isinstance(source, WholeLists):
        return []
    windows = HarvestWindow.objects.of_line(source.name, set_spec).filter(
        first_day__lt=before, stream__in=source.streams
    )
    return list(windows.exclude(state=Progress.DONE).order_by("first_day", "pk").values_list("first_day", "stream"))


def open_window(
    context: RunContext, *, stream: str, day: dt.date, set_spec: str, restart: bool = False
) -> HarvestWindow | None:
    """The window to read, at its checkpoint or at its beginning; ``None`` when this pass has already done with it."""
    now = timezone.now()
    window, created = HarvestWindow.objects.get_or_create(
        source=context.source.name,
        stream=stream,
        set_spec=set_spec,
        first_day=day,
        last_day=day,
        defaults={"started_at": now},
    )
    if created:
        return window
    run = context.run
    if window.state == Progress.DONE:
        if not restart and _is_done_for_good(window, since=run.pass_started_at, now=now, options=context.options):
            return None
        return begin_again(window)
    too_old = window.checkpoint_at is not None and now - window.checkpoint_at > dt.timedelta(
        hours=context.options.checkpoint_hours
    )
    restart = restart and window.started_at < run.pass_started_at
    if restart or (window.next_token and too_old):
        return begin_again(window)
    if window.state == Progress.STOPPED:
        window.state, window.reason = Progress.OPEN, ""
        window.save(update_fields=["state", "reason"])
    return window


def _is_done_for_good(window: HarvestWindow, *, since: dt.datetime, now: dt.datetime, options: HarvestOptions) -> bool:
    """Done in this pass, and either today or when the day had been closed long enough."""
    if window.finished_at is None or window.finished_at < since:
        return False
    settled = window.finished_at.date() - window.last_day > options.overlap_days * _DAY
    return settled or window.finished_at.date() == now.date()


def begin_again(window: HarvestWindow) -> HarvestWindow:
    """Forget the checkpoint and the figures; what was taken in stays."""
    window.state, window.reason = Progress.OPEN, ""
    window.attempt += 1
    window.pages = 0
    window.next_token = ""
    window.complete_size = None
    window.counts = Counts()
    window.started_at = timezone.now()
    window.checkpoint_at = window.finished_at = None
    window.save()
    return window


def stop_window(window: HarvestWindow, *, reason: str, from_start: bool) -> None:
    """Leave it for the next run, at its checkpoint or from its beginning."""
    window.refresh_from_db()
    if from_start:
        begin_again(window)
    window.state, window.reason = Progress.STOPPED, reason
    window.save(update_fields=["state", "reason"])


def advance_watermark(*, source: Source, set_spec: str, day: dt.date) -> None:
    """``day`` is done in all streams: move the mark over it and over every later day that is done without a gap.

    The first day ever harvested is where the line begins. A day beyond a gap moves nothing.
    """
    mark, created = Watermark.objects.get_or_create(source=source.name, set_spec=set_spec, defaults={"day": day})
    if not created and day > mark.day + _DAY:
        return
    complete = set(
        HarvestWindow.objects.of_line(source.name, set_spec)
        .done()
        .filter(first_day__gt=mark.day, stream__in=source.streams)
        .values("first_day")
        .annotate(streams=Count("stream"))
        .filter(streams=len(source.streams))
        .values_list("first_day", flat=True)
    )
    reached = max(mark.day, day) if created or day == mark.day + _DAY else mark.day
    while reached + _DAY in complete:
        reached += _DAY
    if reached != mark.day:
        Watermark.objects.filter(pk=mark.pk).update(day=reached)
