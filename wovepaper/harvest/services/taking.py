"""Taking a page of a window in: records, quarantine, raw page and checkpoint in one transaction."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from wovepaper.harvest.client import Answer
from wovepaper.harvest.contracts import Page
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.errors import HarvestError, WindowStopped
from wovepaper.harvest.models import HarvestWindow, SourceState
from wovepaper.harvest.models.window import Progress
from wovepaper.harvest.services import raw
from wovepaper.harvest.services.braking import Braked, brake
from wovepaper.harvest.services.database import retrying_deadlocks
from wovepaper.harvest.services.pages import ParsedPage, first_of, parse_page, size_of, take_in
from wovepaper.harvest.services.runs import RunContext, add_to_run


def take_page(
    context: RunContext, window: HarvestWindow, page: Page, *, answer: Answer | None, moves_on: bool = True
) -> None:
    """Take a page in and bring ``window`` up to date. Raises ``WindowStopped`` where the volume brake forbids it.

    With ``moves_on`` the checkpoint is the page's next token, or the end; else it stays, and only figures change.
    A page cut by the run's limit leaves the checkpoint before it.
    """
    cut = first_of(page, context.room(size_of(page)))
    parsed = parse_page(context.source, cut)

    def work() -> tuple[HarvestWindow, Counts]:
        with transaction.atomic():
            return _take(context, window, page, parsed, answer=answer, whole=cut is page, moves_on=moves_on)

    try:
        after, counts = retrying_deadlocks(work, interruption=context.interruption)
    except Braked as braked:
        if answer is not None:
            keep_refused(window, answer, str(braked))
        raise WindowStopped(str(braked)) from braked
    context.counts += counts
    context.reporter.page(context.counts)
    for field in after._meta.concrete_fields:
        setattr(window, field.attname, getattr(after, field.attname))


def keep_refused(window: HarvestWindow, answer: Answer, reason: str) -> None:
    """Keep an answer that is not taken in, in the place of the page it should have been."""
    raw.store_refused_answer(window=window, answer=answer, number=window.pages + 1, reason=reason)


def finish_window(window: HarvestWindow) -> None:
    """There is nothing more in it."""
    window.state, window.next_token = Progress.DONE, ""
    window.finished_at = window.checkpoint_at = timezone.now()
    window.save(update_fields=["state", "next_token", "finished_at", "checkpoint_at"])


def _take(
    context: RunContext,
    window: HarvestWindow,
    page: Page,
    parsed: ParsedPage,
    *,
    answer: Answer | None,
    whole: bool,
    moves_on: bool,
) -> tuple[HarvestWindow, Counts]:
    locked = HarvestWindow.objects.select_for_update().get(pk=window.pk)
    if (locked.attempt, locked.pages, locked.next_token) != (window.attempt, window.pages, window.next_token):
        raise HarvestError(f"Another process reads {window}; this one stops.")
    raw_page = None
    if whole and answer is not None:
        raw_page = raw.store_answer(window=locked, answer=answer, page=page, number=locked.pages + 1)
    intake = take_in(source=context.source, sink=context.sink, page=parsed, raw_page=raw_page)
    brake(
        source=locked.source,
        stream=locked.stream,
        profile=parsed.profile,
        counts=intake.counts,
        so_far=locked.counts + intake.counts,
        options=context.options,
        where="window",
    )
    if intake.counts.new or intake.counts.changed:
        SourceState.objects.filter(name=locked.source).exclude(last_new_day__gte=locked.last_day).update(
            last_new_day=locked.last_day
        )
    add_to_run(context.run, intake.counts)
    if whole:
        locked.counts += intake.counts
        locked.pages += answer is not None
        if moves_on:
            _move(locked, page)
        locked.save()
    return locked, intake.counts


def _move(window: HarvestWindow, page: Page) -> None:
    """The checkpoint after a page."""
    now = timezone.now()
    window.next_token = page.next_token or ""
    window.complete_size = page.complete_size if page.complete_size is not None else window.complete_size
    window.checkpoint_at = now
    if not page.next_token:
        window.state, window.finished_at = Progress.DONE, now
