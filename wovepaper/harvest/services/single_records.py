"""The way round a page that its server cannot serve: the ids of the window, and then each record by itself."""

from __future__ import annotations

from collections.abc import Iterator

from wovepaper.harvest.client import PoliteClient
from wovepaper.harvest.contracts import DamagedRecord, Page, SingleRecords, TokenExpired, Window
from wovepaper.harvest.errors import HarvestError, UpstreamFailed, UpstreamUnavailable, WindowStopped
from wovepaper.harvest.models import HarvestWindow, QuarantinedRecord, RawPage
from wovepaper.harvest.services.fetching import Unusable, fetch_page
from wovepaper.harvest.services.runs import RunContext
from wovepaper.harvest.services.taking import finish_window, take_page


def can_go_round(context: RunContext, error: Unusable) -> bool:
    """The server failed on this page alone, and the source can be asked for its records."""
    failed = error.error
    return (
        context.options.max_single_records > 0
        and isinstance(context.source, SingleRecords)
        and isinstance(failed, UpstreamFailed)
        and not isinstance(failed, UpstreamUnavailable)
        and failed.status is not None
        and failed.status >= 500
    )


def read_one_by_one(context: RunContext, client: PoliteClient, window: HarvestWindow, reason: str) -> None:
    """Read what the window has left, record by record. One the server cannot serve goes into quarantine.

    Every record is a transaction, and an interrupted reading goes on where it stopped. Raises ``WindowStopped``.
    """
    source = context.source
    assert isinstance(source, SingleRecords)
    taken = _taken(context, window)
    ids = [each for each in dict.fromkeys(_ids(context, client, window, reason)) if each not in taken]
    if len(ids) > context.options.max_single_records:
        raise WindowStopped(f"{reason} Its {len(ids)} records are too many to be asked for one by one.")
    failed = failed_in_a_row = 0
    for number, external_id in enumerate(ids, start=1):
        context.check()
        context.reporter.working_on(f"{window.first_day} {window.stream} record {number} of {len(ids)}")
        request = source.record_request(stream=window.stream, external_id=external_id)
        try:
            answer, page = fetch_page(context, client, request, stream=window.stream)
        except (Unusable, TokenExpired) as error:
            if isinstance(error, Unusable) and isinstance(error.error, UpstreamUnavailable):
                raise HarvestError(f"{window}, record {external_id}: {error}") from error
            failed += 1
            failed_in_a_row += 1
            if failed_in_a_row >= context.options.max_single_failures:
                raise WindowStopped(f"{reason} Its records fail one by one as well: {error}") from error
            damaged = DamagedRecord(external_id, window.stream, b"", f"The source cannot serve this record: {error}")
            take_page(context, window, Page((), (damaged,)), answer=None, moves_on=False)
        else:
            failed_in_a_row = 0
            take_page(context, window, page, answer=answer, moves_on=False)
    finish_window(window)
    context.warnings.append(
        f"{window}: {reason} Its last {len(ids)} records were asked for one by one; {failed} of them failed."
    )


def _taken(context: RunContext, window: HarvestWindow) -> set[str]:
    """The ids of this attempt's pages, and those that failed in it."""
    taken: set[str] = set()
    pages = RawPage.objects.taken().filter(window=window, attempt=window.attempt).order_by("number")
    for row in pages.iterator(chunk_size=1):
        page = context.source.read_page(row.body, stream=window.stream)
        taken.update(record.external_id for record in page.records)
        taken.update(damaged.external_id for damaged in page.damaged)
    failed = QuarantinedRecord.objects.unresolved().filter(
        source=window.source, format=window.stream, damaged=True, last_seen_at__gte=window.started_at
    )
    return taken | set(failed.values_list("external_id", flat=True))


def _ids(context: RunContext, client: PoliteClient, window: HarvestWindow, reason: str) -> Iterator[str]:
    """The ids of everything in the window. Raises ``WindowStopped`` where the server cannot tell them either."""
    source = context.source
    assert isinstance(source, SingleRecords)
    headers = Window(source.headers_stream, window.first_day, window.last_day, window.set_spec)
    request = source.first_request(headers)
    tokens: set[str] = set()
    while True:
        context.check()
        try:
            _answer, page = fetch_page(context, client, request, stream=source.headers_stream)
        except (Unusable, TokenExpired) as error:
            raise WindowStopped(f"{reason} Nor can its ids be listed: {error}") from error
        yield from (each.external_id for each in page.records)
        if page.next_token is None:
            return
        if page.next_token in tokens or len(tokens) >= context.options.max_pages:
            raise WindowStopped(f"{reason} Nor can its ids be listed: the tokens go round in circles.")
        tokens.add(page.next_token)
        request = source.next_request(headers, page.next_token)
