"""Harvesting a source from the network: day by day, stream by stream, one transaction for each page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone

from wovepaper.harvest import registry
from wovepaper.harvest.client import Answer, PoliteClient
from wovepaper.harvest.contracts import Choosy, Dumps, ExactSizes, Page, PageRequest, TokenExpired, WholeLists
from wovepaper.harvest.errors import HarvestError, UpstreamUnavailable, WindowStopped
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import HarvestRun, HarvestWindow, Watermark
from wovepaper.harvest.models.window import Progress
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.reporter import Reporter
from wovepaper.harvest.services.dumps import harvest_dump
from wovepaper.harvest.services.fetching import Unusable, fetch_page, open_client
from wovepaper.harvest.services.freshness import why_stale
from wovepaper.harvest.services.probing import choose_stream
from wovepaper.harvest.services.progress_guard import why_no_progress
from wovepaper.harvest.services.retention import purge_raw_pages
from wovepaper.harvest.services.runs import RunContext, RunSummary, running, summary_of
from wovepaper.harvest.services.single_records import can_go_round, read_one_by_one
from wovepaper.harvest.services.taking import keep_refused, take_page
from wovepaper.harvest.services.windows import (
    DayRange,
    advance_watermark,
    begin_again,
    left_behind,
    open_window,
    plan_days,
    refuse_days,
    set_watermark,
    stop_window,
    watermark_of,
)


def harvest_source(
    *,
    name: str,
    first_day: dt.date | None = None,
    last_day: dt.date | None = None,
    set_spec: str = "",
    limit: int | None = None,
    restart: bool = False,
    options: HarvestOptions | None = None,
    reporter: Reporter | None = None,
    interruption: Interruption | None = None,
    today: dt.date | None = None,
) -> RunSummary:
    """Harvest closed days up to yesterday (UTC), going on where the last run stopped.

    Not one transaction but one for each page. What the source does wrong is in the summary; raised are only
    ``UnknownSource``, ``BadRange``, ``BadSet``, ``SourceBusy``, ``SourcePaused`` and ``SourcePostponed``, before
    anything is done.
    """
    registration = registry.get(name)
    source = registration.source
    if not source.streams:
        raise HarvestError(f"{name} is not harvested from the network: give it files with --file.")
    options = options or HarvestOptions.from_settings()
    today = today or timezone.now().date()
    days = plan_days(
        source=source, set_spec=set_spec, first_day=first_day, last_day=last_day, options=options, today=today
    )
    if isinstance(source, Choosy):
        begun = first_day is not None or watermark_of(source.name, set_spec) is not None
        source.check_asked(set_spec=set_spec, from_the_beginning=not begun)
    if isinstance(source, Dumps) and source.dump_request() is not None:
        refuse_days(source=source, first_day=first_day, last_day=last_day)
        return harvest_dump(
            registration=registration,
            limit=limit,
            restart=restart,
            options=options,
            reporter=reporter,
            interruption=interruption,
            today=today,
        )
    with running(
        source=source,
        sink=registration.sink,
        kind=HarvestRun.Kind.NETWORK,
        options=options,
        reporter=reporter,
        interruption=interruption,
        limit=limit,
        set_spec=set_spec,
        first_day=first_day,
        last_day=last_day,
        fresh=restart,
    ) as context:
        with open_client(context, days.last) as client:
            choose_stream(context, client, days.last)
            source = context.source
            old = left_behind(source=source, set_spec=set_spec, before=days.first) if first_day is None else []
            context.reporter.begin(total=len(days) * len(source.streams) + len(old), what="windows")
            _NetworkHarvest(context, client, set_spec, restart).harvest(days, old)
        mark = None if isinstance(source, WholeLists) else watermark_of(source.name, set_spec)
        stale = why_stale(source=source.name, day=mark, options=options, today=today)
        if stale:
            context.warnings.append(stale)
        purge_raw_pages(source=source.name, options=options)
    return summary_of(context)


def follow_source(*, name: str) -> list[RunSummary]:
    """Harvest what somebody began, each set by itself and one after the other; all of the source where nobody did.

    Raises what ``harvest_source`` raises.
    """
    sets = Watermark.objects.filter(source=name).order_by("set_spec").values_list("set_spec", flat=True)
    return [harvest_source(name=name, set_spec=set_spec) for set_spec in list(sets) or [""]]


@dataclass(slots=True)
class _NetworkHarvest:
    context: RunContext
    client: PoliteClient
    set_spec: str
    restart: bool
    stopped_in_a_row: int = 0

    def harvest(self, days: DayRange, old: Sequence[tuple[dt.date, str]]) -> None:
        """All windows, and then those left behind. Raises ``HarvestError`` when there is no point in going on."""
        source = self.context.source
        for day in days:
            done = [self._harvest_window(stream, day) for stream in source.streams]
            if all(done):
                with transaction.atomic():
                    if isinstance(source, WholeLists):
                        set_watermark(source=source, day=day)
                    else:
                        advance_watermark(source=source, set_spec=self.set_spec, day=day)
        for day, stream in old:
            self._harvest_window(stream, day)

    def _harvest_window(self, stream: str, day: dt.date) -> bool:
        """Whether the window is done."""
        context = self.context
        context.reporter.working_on(f"{day} {stream}")
        context.check()
        window = open_window(context, stream=stream, day=day, set_spec=self.set_spec, restart=self.restart)
        if window is not None:
            try:
                self._read(window)
            except WindowStopped as error:
                self._give_up(window, error)
                return False
        context.reporter.step_done()
        self.stopped_in_a_row = 0
        return True

    def _give_up(self, window: HarvestWindow, error: WindowStopped) -> None:
        """Note it and go on with the next. Raises ``HarvestError`` after too many of them."""
        context = self.context
        stop_window(window, reason=str(error), from_start=error.from_start)
        context.problems.append(f"{window}: {error}")
        context.reporter.step_done()
        self.stopped_in_a_row += 1
        if self.stopped_in_a_row >= context.options.max_stopped_windows:
            raise HarvestError(f"{self.stopped_in_a_row} windows stopped one after another; the run ends.") from error

    def _read(self, window: HarvestWindow) -> None:
        """Read the window to its end. Raises ``WindowStopped`` or what ends the run."""
        restarts = 0
        while window.state == Progress.OPEN:
            self.context.check()
            try:
                fetched = self._next(window)
            except TokenExpired as error:
                restarts += 1
                if not window.next_token or restarts > self.context.options.max_token_restarts:
                    raise WindowStopped(
                        f"Its token expired {restarts} times, last after {window.pages} pages: {error.reason}",
                        from_start=True,
                    ) from error
                begin_again(window)
                continue
            if fetched is not None:
                self._take(window, *fetched)
            if _is_short(window) and isinstance(self.context.source, ExactSizes):
                restarts += 1
                if restarts > self.context.options.max_token_restarts:
                    raise WindowStopped(
                        f"It ended {restarts} times short of the {window.complete_size} records that were announced, "
                        f"last after {window.seen}.",
                        from_start=True,
                    )
                begin_again(window)
        if _is_short(window):
            self.context.warnings.append(
                f"{window}: the source announced {window.complete_size} records and delivered {window.seen}."
            )

    def _next(self, window: HarvestWindow) -> tuple[Answer, Page] | None:
        """The next page; ``None`` when the window was read to its end in another way. Raises ``WindowStopped``."""
        context = self.context
        try:
            answer, page = fetch_page(context, self.client, _request(context, window), stream=window.stream)
        except Unusable as error:
            reason = f"page {window.pages + 1}: {error}"
            if error.answer is not None:
                keep_refused(window, error.answer, str(error))
            if isinstance(error.error, UpstreamUnavailable):
                raise HarvestError(f"{window}, {reason}") from error
            if not can_go_round(context, error):
                raise WindowStopped(reason) from error
            read_one_by_one(context, self.client, window, reason)
            return None
        if isinstance(context.source, WholeLists):
            page = replace(page, next_token=context.source.token_after(page, token=window.next_token))
        return answer, page

    def _take(self, window: HarvestWindow, answer: Answer, page: Page) -> None:
        """Take the page in, and judge whether the window may go on. Raises ``WindowStopped``."""
        no_progress = why_no_progress(window, page, self.context.options)
        if no_progress is not None and no_progress.page_is_known:
            keep_refused(window, answer, no_progress.reason)
            raise WindowStopped(no_progress.reason, from_start=True)
        take_page(self.context, window, page, answer=answer)
        if no_progress is not None:
            raise WindowStopped(no_progress.reason, from_start=True)


def _request(context: RunContext, window: HarvestWindow) -> PageRequest:
    if window.next_token:
        return context.source.next_request(window.value, window.next_token)
    return context.source.first_request(window.value)


def _is_short(window: HarvestWindow) -> bool:
    """It was read to its end, and has fewer records than the source announced."""
    return window.state == Progress.DONE and window.complete_size is not None and window.seen < window.complete_size
