"""Harvesting a source from the network: day by day, stream by stream, one transaction for each page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from wovepaper.harvest import registry
from wovepaper.harvest.brake import Profile, why_field_vanished, why_refused_too_much
from wovepaper.harvest.client import AllowedHosts, Answer, PoliteClient
from wovepaper.harvest.contracts import Page, PageRefused, PageRequest, TokenExpired, Window
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.errors import HarvestError, SourcePostponed, UpstreamUnavailable, WindowStopped
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import FieldProfile, HarvestRun, HarvestWindow, SourceState
from wovepaper.harvest.models.window import Progress
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.reporter import Reporter
from wovepaper.harvest.retry import with_retries
from wovepaper.harvest.services import raw
from wovepaper.harvest.services.database import retrying_deadlocks
from wovepaper.harvest.services.freshness import why_stale
from wovepaper.harvest.services.pages import first_of, parse_page, size_of, take_in
from wovepaper.harvest.services.progress_guard import why_no_progress
from wovepaper.harvest.services.retention import purge_raw_pages
from wovepaper.harvest.services.runs import RunContext, RunSummary, add_to_run, running, summary_of
from wovepaper.harvest.services.windows import (
    DayRange,
    advance_watermark,
    begin_again,
    open_window,
    plan_days,
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
    ``UnknownSource``, ``BadRange``, ``SourceBusy``, ``SourcePaused`` and ``SourcePostponed``, before anything is done.
    """
    registration = registry.get(name)
    source = registration.source
    if not source.streams:
        raise HarvestError(f"{name} is on no network: give it files with --file.")
    options = options or HarvestOptions.from_settings()
    today = today or timezone.now().date()
    days = plan_days(
        source=source, set_spec=set_spec, first_day=first_day, last_day=last_day, options=options, today=today
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
        context.reporter.begin(total=len(days) * len(source.streams), what="windows")
        with _client(context, days.last) as client:
            _NetworkHarvest(context, client, set_spec, restart).harvest(days)
        stale = why_stale(source=source.name, day=watermark_of(source.name, set_spec), options=options, today=today)
        if stale:
            context.warnings.append(stale)
        purge_raw_pages(source=source.name, options=options)
    return summary_of(context)


@contextmanager
def _client(context: RunContext, day: dt.date) -> Iterator[PoliteClient]:
    """A client for the hosts of the source's own addresses; what it used is noted in the run."""
    source = context.source
    urls = {source.first_request(Window(stream, day, day)).url for stream in source.streams}
    contact = f"; mailto:{settings.CONTACT_EMAIL}" if settings.CONTACT_EMAIL else ""
    client = PoliteClient(
        allowed=AllowedHosts.of(*urls),
        interval=source.host_interval,
        options=context.options,
        user_agent=f"wovepaper (+{settings.SITE_URL}{contact})",
        interruption=context.interruption,
    )
    try:
        with client:
            yield client
    finally:
        HarvestRun.objects.filter(pk=context.run.pk).update(
            requests=client.requests, bytes_received=client.bytes_received
        )
        if client.quota:
            SourceState.objects.filter(name=source.name).update(quota=client.quota)


@dataclass(slots=True)
class _NetworkHarvest:
    context: RunContext
    client: PoliteClient
    set_spec: str
    restart: bool
    stopped_in_a_row: int = 0

    def harvest(self, days: DayRange) -> None:
        """All windows. Raises ``HarvestError`` when there is no point in going on."""
        source = self.context.source
        for day in days:
            done = [self._harvest_window(stream, day) for stream in source.streams]
            if all(done):
                with transaction.atomic():
                    advance_watermark(source=source, set_spec=self.set_spec, day=day)

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
                answer, page = self._fetch(window)
            except TokenExpired as error:
                restarts += 1
                if not window.next_token or restarts > self.context.options.max_token_restarts:
                    raise WindowStopped(
                        f"Its token expired {restarts} times, last after {window.pages} pages: {error.reason}",
                        from_start=True,
                    ) from error
                begin_again(window)
                continue
            self._take(window, answer, page)
        if window.complete_size is not None and window.seen < window.complete_size:
            self.context.warnings.append(
                f"{window}: the source announced {window.complete_size} records and delivered {window.seen}."
            )

    def _fetch(self, window: HarvestWindow) -> tuple[Answer, Page]:
        """The next page, asked for again as often as makes sense."""
        source = self.context.source
        request = _request(self.context, window)
        answer: Answer | None = None

        def once() -> tuple[Answer, Page]:
            nonlocal answer
            answer = None
            answer = self.client.get(request.url, request.params)
            try:
                return answer, source.read_page(answer.body, stream=window.stream)
            except PageRefused:
                raise
            except Exception as error:
                raise PageRefused(
                    f"The answer could not be read ({type(error).__name__}: {error}).", retry=False
                ) from error

        try:
            return with_retries(
                once,
                options=self.context.options,
                interruption=self.context.interruption,
                on_wait=self.context.reporter.waiting,
            )
        except (TokenExpired, SourcePostponed):
            raise
        except PageRefused as error:
            reason = f"page {window.pages + 1}: {error.reason}"
            if answer is not None:
                raw.store_refused_answer(window=window, answer=answer, number=window.pages + 1, reason=error.reason)
            if isinstance(error, UpstreamUnavailable):
                raise HarvestError(f"{window}, {reason}") from error
            raise WindowStopped(reason) from error

    def _take(self, window: HarvestWindow, answer: Answer, page: Page) -> None:
        """Take the page in, in one transaction, and judge whether the window may go on."""
        no_progress = why_no_progress(window, page, self.context.options)
        if no_progress is not None and no_progress.page_is_known:
            raw.store_refused_answer(window=window, answer=answer, number=window.pages + 1, reason=no_progress.reason)
            raise WindowStopped(no_progress.reason, from_start=True)
        try:
            retrying_deadlocks(
                lambda: self._take_in_one_transaction(window, answer, page), interruption=self.context.interruption
            )
        except _Braked as brake:
            raw.store_refused_answer(window=window, answer=answer, number=window.pages + 1, reason=str(brake))
            raise WindowStopped(str(brake)) from brake
        if no_progress is not None:
            raise WindowStopped(no_progress.reason, from_start=True)

    def _take_in_one_transaction(self, window: HarvestWindow, answer: Answer, page: Page) -> None:
        context = self.context
        cut = first_of(page, context.room(size_of(page)))
        whole = cut is page
        parsed = parse_page(context.source, cut)
        with transaction.atomic():
            locked = HarvestWindow.objects.select_for_update().get(pk=window.pk)
            if (locked.attempt, locked.pages, locked.next_token) != (window.attempt, window.pages, window.next_token):
                raise HarvestError(f"Another process reads {window}; this one stops.")
            raw_page = None
            if whole:
                raw_page = raw.store_answer(window=locked, answer=answer, page=page, number=locked.pages + 1)
            intake = take_in(source=context.source, sink=context.sink, page=parsed, raw_page=raw_page)
            self._brake(locked, parsed.profile, intake.counts)
            _note_new_day(context, locked, intake.counts)
            add_to_run(context.run, intake.counts)
            if whole:
                _move(locked, page, intake.counts)
        context.counts += intake.counts
        context.reporter.page(context.counts)
        for field in locked._meta.concrete_fields:
            setattr(window, field.attname, getattr(locked, field.attname))

    def _brake(self, window: HarvestWindow, profile: Profile, counts: Counts) -> None:
        """Raises ``_Braked``; the transaction around it takes back the page."""
        options = self.context.options
        so_far = window.counts + counts
        row, _ = FieldProfile.objects.select_for_update().get_or_create(source=window.source, stream=window.stream)
        before = Profile(row.records, row.filled)
        reason = (
            why_refused_too_much(refused=counts.quarantined, seen=counts.seen, options=options, where="page")
            or why_refused_too_much(refused=so_far.quarantined, seen=so_far.seen, options=options, where="window")
            or why_field_vanished(now=profile, before=before, options=options)
        )
        if reason:
            raise _Braked(reason)
        after = before + profile
        if after != before:
            row.records, row.filled = after.records, dict(after.filled)
            row.save(update_fields=["records", "filled"])


class _Braked(Exception):
    """The volume brake takes back the page."""


def _request(context: RunContext, window: HarvestWindow) -> PageRequest:
    if window.next_token:
        return context.source.next_request(window.value, window.next_token)
    return context.source.first_request(window.value)


def _move(window: HarvestWindow, page: Page, counts: Counts) -> None:
    """The checkpoint after a page."""
    now = timezone.now()
    total = window.counts + counts
    window.seen, window.new, window.changed = total.seen, total.new, total.changed
    window.unchanged, window.quarantined = total.unchanged, total.quarantined
    window.pages += 1
    window.next_token = page.next_token or ""
    window.complete_size = page.complete_size if page.complete_size is not None else window.complete_size
    window.checkpoint_at = now
    if not page.next_token:
        window.state, window.finished_at = Progress.DONE, now
    window.save()


def _note_new_day(context: RunContext, window: HarvestWindow, counts: Counts) -> None:
    if counts.new or counts.changed:
        SourceState.objects.filter(name=context.source.name).exclude(last_new_day__gte=window.last_day).update(
            last_new_day=window.last_day
        )
