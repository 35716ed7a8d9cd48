"""Parsing again what is stored, without the network."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from wovepaper.harvest import registry
from wovepaper.harvest.contracts import Lookups, Page, PageRefused, RawRecord
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import HarvestRun, QuarantinedRecord, RawPage
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.reporter import Reporter
from wovepaper.harvest.services import raw
from wovepaper.harvest.services.database import retrying_deadlocks
from wovepaper.harvest.services.fetching import read_lookup
from wovepaper.harvest.services.pages import Intake, first_of, parse_page, size_of, take_in
from wovepaper.harvest.services.runs import RunContext, RunSummary, add_to_run, running, summary_of

logger = logging.getLogger(__name__)

_BATCH = 500


def replay_pages(
    *,
    name: str,
    limit: int | None = None,
    options: HarvestOptions | None = None,
    reporter: Reporter | None = None,
    interruption: Interruption | None = None,
) -> RunSummary:
    """Parse every stored page of a source again, oldest first, one transaction for each. Raises ``SourceBusy``."""
    with _replaying(name, limit, options, reporter, interruption) as context:
        pages = RawPage.objects.filter(source=name).taken()
        context.reporter.begin(total=pages.count(), what="pages")
        for page_id in _ids(pages):
            context.check()
            _replay_page(context, page_id)
            context.reporter.step_done()
    return summary_of(context)


def replay_quarantined(
    *,
    name: str,
    ids: list[int] | None = None,
    limit: int | None = None,
    options: HarvestOptions | None = None,
    reporter: Reporter | None = None,
    interruption: Interruption | None = None,
) -> RunSummary:
    """Try the quarantined records of a source again, or only those with these ``ids``.

    A damaged piece is no record: the page it came from is read again instead, and it is let go when that page now
    has no such piece. Raises ``SourceBusy``.
    """
    with _replaying(name, limit, options, reporter, interruption) as context:
        waiting = QuarantinedRecord.objects.of_source(name).unresolved()
        if ids is not None:
            waiting = waiting.filter(pk__in=ids)
        whole = waiting.filter(damaged=False)
        pieces = waiting.filter(damaged=True, raw_page__isnull=False).values_list("raw_page", flat=True).distinct()
        page_ids = sorted(pieces)
        context.reporter.begin(total=whole.count() + len(page_ids), what="records")
        for record_ids in _batches(_ids(whole)):
            context.check()
            _replay_records(context, record_ids)
        for page_id in page_ids:
            context.check()
            _replay_damaged(context, page_id)
            context.reporter.step_done()
        lost = waiting.filter(damaged=True, raw_page=None).count()
        if lost:
            context.warnings.append(f"{lost} damaged pieces cannot be tried again: their pages are no longer kept.")
    return summary_of(context)


def _replaying(
    name: str,
    limit: int | None,
    options: HarvestOptions | None,
    reporter: Reporter | None,
    interruption: Interruption | None,
) -> AbstractContextManager[RunContext]:
    registration = registry.get(name)
    return running(
        source=registration.source,
        sink=registration.replay_sink,
        kind=HarvestRun.Kind.REPLAY,
        options=options or HarvestOptions.from_settings(),
        reporter=reporter,
        interruption=interruption,
        limit=limit,
    )


def _replay_page(context: RunContext, page_id: int) -> None:
    """One stored page, as if it had just come. A page that can no longer be read is a problem, and the rest goes on."""
    row = RawPage.objects.get(pk=page_id)
    try:
        page = _read(context, row)
    except PageRefused as error:
        context.problems.append(f"The stored page {row.pk} cannot be read: {error.reason}")
        return
    _take(context, first_of(page, context.room(size_of(page))), row)


def _read(context: RunContext, row: RawPage) -> Page:
    if row.kind == RawPage.Kind.RECORDS:
        return raw.unpack(row.body)
    try:
        if row.kind == RawPage.Kind.LOOKUP and isinstance(context.source, Lookups):
            found = read_lookup(
                context.source, row.body, raw.asked_of(row), status=row.status, fetched_at=row.fetched_at
            )
            return Page(found.records, found.damaged)
        return context.source.read_page(row.body, stream=row.stream)
    except PageRefused:
        raise
    except Exception as error:
        logger.exception("The stored page %s cannot be read.", row.pk)
        raise PageRefused(f"{type(error).__name__}: {error}", retry=False) from error


def _replay_damaged(context: RunContext, page_id: int) -> None:
    begun = timezone.now()
    problems = len(context.problems)
    _replay_page(context, page_id)
    if len(context.problems) == problems:
        QuarantinedRecord.objects.filter(raw_page=page_id, damaged=True, last_seen_at__lt=begun).update(
            resolved_at=timezone.now()
        )


def _replay_records(context: RunContext, ids: list[int]) -> None:
    rows = list(QuarantinedRecord.objects.filter(pk__in=ids).order_by("pk"))
    records = tuple(RawRecord(row.external_id, row.format, row.stamp, row.payload) for row in rows)
    _take(context, first_of(Page(records), context.room(len(records))), None)
    for _ in rows:
        context.reporter.step_done()


def _take(context: RunContext, page: Page, row: RawPage | None) -> None:
    parsed = parse_page(context.source, page)

    def work() -> Intake:
        with transaction.atomic():
            intake = take_in(source=context.source, sink=context.sink, page=parsed, raw_page=row)
            add_to_run(context.run, intake.counts)
        return intake

    context.counts += retrying_deadlocks(work, interruption=context.interruption).counts
    context.reporter.page(context.counts)


def _ids(queryset: QuerySet[Any]) -> Iterator[int]:
    """Primary keys in order, fetched in batches, so that what the work itself changes does not disturb the reading."""
    last = 0
    while batch := list(queryset.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:_BATCH]):
        yield from batch
        last = batch[-1]


def _batches(ids: Iterator[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for each in ids:
        batch.append(each)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
