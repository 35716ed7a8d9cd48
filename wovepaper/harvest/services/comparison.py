"""Comparing what is here with the source's own list of ids: what we lack is fetched, what it lacks is noted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.db.models import Min
from django.utils import timezone

from wovepaper.harvest import registry
from wovepaper.harvest.client import Answer, PoliteClient
from wovepaper.harvest.contracts import Holdings, Page, RecordGone, SingleRecords, TokenExpired, Window
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.errors import HarvestError, UpstreamUnavailable
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import GoneRecord, HarvestRun, HarvestWindow, ListedRecord, SourceState, Watermark
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.reporter import Reporter
from wovepaper.harvest.services import raw
from wovepaper.harvest.services.database import retrying_deadlocks
from wovepaper.harvest.services.fetching import Unusable, fetch_page, open_client
from wovepaper.harvest.services.pages import parse_page, take_in
from wovepaper.harvest.services.runs import RunContext, RunSummary, add_to_run, running, summary_of

WINDOW_DAYS = 30
"""Days whose ids are listed together. What changes meanwhile shifts the list, and is asked for by itself at the end."""
_LIST = """
    INSERT INTO harvest_listedrecord (source, external_id) SELECT %s, unnest(%s::text[])
    ON CONFLICT (source, external_id) DO NOTHING
"""
_DAY = dt.timedelta(days=1)


def can_be_compared(name: str) -> bool:
    """Whether the source lists its ids and serves single records, and it is known what is here."""
    registration = registry.get(name)
    return isinstance(registration.source, SingleRecords) and registration.holdings is not None


def compare_source(
    *,
    name: str,
    restart: bool = False,
    options: HarvestOptions | None = None,
    reporter: Reporter | None = None,
    interruption: Interruption | None = None,
) -> RunSummary:
    """Go through the source's ids of all days that are harvested here, a month at a time.

    One transaction for each list and each record, so that it goes on where it was stopped, unless ``restart``.
    Raises ``UnknownSource``, ``SourceBusy``, ``SourcePaused``, ``SourcePostponed``, and ``HarvestError`` for a source
    that cannot be compared, or of which nothing is harvested by day.
    """
    registration = registry.get(name)
    source, holdings = registration.source, registration.holdings
    if not isinstance(source, SingleRecords) or holdings is None:
        raise HarvestError(f"{name} cannot be compared: it has no list of ids.")
    last = Watermark.objects.filter(source=name, set_spec="").values_list("day", flat=True).first()
    if last is None:
        raise HarvestError(f"{name} is not harvested by day as a whole, so there is nothing to compare.")
    first = HarvestWindow.objects.of_line(name).done().aggregate(first=Min("first_day"))["first"] or last
    with (
        running(
            source=registration.source,
            sink=registration.sink,
            kind=HarvestRun.Kind.COMPARE,
            options=options or HarvestOptions.from_settings(),
            reporter=reporter,
            interruption=interruption,
        ) as context,
        open_client(context, last) as client,
    ):
        _Comparing(context, client, source, holdings, first, last).work(restart=restart)
    return summary_of(context)


@dataclass(slots=True)
class _Comparing:
    context: RunContext
    client: PoliteClient
    source: SingleRecords
    holdings: Holdings
    first: dt.date
    last: dt.date
    fetched: int = 0
    gone: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Of the source."""
        return self.context.source.name

    def work(self, *, restart: bool) -> None:
        """Raises ``HarvestError`` when there is no point in going on."""
        windows = list(self._windows(restart=restart))
        self.context.reporter.begin(total=len(windows) + 1, what="lists")
        for first, last in windows:
            self.context.check()
            self.context.reporter.working_on(f"{first} to {last}")
            ids = self._list(first, last)
            for stream in self.context.source.streams:
                for external_id in self.holdings.lacking(ids, source=self.name, stream=stream):
                    self._fetch(stream, external_id)
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(_LIST, [self.name, ids])
                SourceState.objects.filter(name=self.name).update(reconciled_until=last)
            self.context.reporter.step_done()
        self._find_gone()
        with transaction.atomic():
            ListedRecord.objects.filter(source=self.name).delete()
            SourceState.objects.filter(name=self.name).update(reconciled_until=None, reconciled_at=timezone.now())
        self.context.reporter.step_done()

    def _windows(self, *, restart: bool) -> Iterator[tuple[dt.date, dt.date]]:
        """Where the last one was stopped, or from the beginning, with nothing listed yet."""
        state = SourceState.objects.get(name=self.name)
        first = self.first
        if restart or state.reconciled_until is None or not self.first <= state.reconciled_until <= self.last:
            with transaction.atomic():
                ListedRecord.objects.filter(source=self.name).delete()
                SourceState.objects.filter(name=self.name).update(reconciled_until=None)
        else:
            first = state.reconciled_until + _DAY
        while first <= self.last:
            last = min(first + (WINDOW_DAYS - 1) * _DAY, self.last)
            yield first, last
            first = last + _DAY

    def _list(self, first: dt.date, last: dt.date) -> list[str]:
        """The ids of these days; begun again where the token expires. Raises ``HarvestError``."""
        for _ in range(self.context.options.max_token_restarts):
            try:
                return self._read_list(first, last)
            except TokenExpired:
                continue
        return self._read_list(first, last)

    def _read_list(self, first: dt.date, last: dt.date) -> list[str]:
        context, stream = self.context, self.source.headers_stream
        window = Window(stream, first, last)
        request = context.source.first_request(window)
        ids: dict[str, None] = {}
        tokens: set[str] = set()
        while True:
            context.check()
            try:
                _answer, page = fetch_page(context, self.client, request, stream=stream)
            except Unusable as error:
                raise HarvestError(f"{self.name}: the ids of {first} to {last} cannot be listed: {error}") from error
            ids |= dict.fromkeys(record.external_id for record in page.records)
            if page.next_token is None:
                return list(ids)
            if page.next_token in tokens or len(tokens) >= context.options.max_pages:
                raise HarvestError(f"{self.name}: the list of {first} to {last} goes round in circles.")
            tokens.add(page.next_token)
            request = context.source.next_request(window, page.next_token)

    def _fetch(self, stream: str, external_id: str) -> bool:
        """Take in one record; whether the source has it. Raises ``HarvestError``."""
        context = self.context
        context.check()
        self.fetched += 1
        if self.fetched > context.options.max_single_records:
            raise HarvestError(
                f"{self.name}: more than {context.options.max_single_records} records are to be asked for one by one; "
                "the next comparison goes on from here."
            )
        request = self.source.record_request(stream=stream, external_id=external_id)
        try:
            answer, page = fetch_page(context, self.client, request, stream=stream)
        except Unusable as error:
            if isinstance(error.error, RecordGone):
                return False
            if isinstance(error.error, UpstreamUnavailable):
                raise HarvestError(f"{self.name}, record {external_id}: {error}") from error
            context.warnings.append(f"{self.name}, record {external_id}: {error}")
            return True
        self._take(stream, answer, page)
        return True

    def _take(self, stream: str, answer: Answer, page: Page) -> None:
        context = self.context
        parsed = parse_page(context.source, page)

        def work() -> Counts:
            with transaction.atomic():
                row = raw.store_single(source=self.name, stream=stream, answer=answer, page=page, number=self.fetched)
                intake = take_in(source=context.source, sink=context.sink, page=parsed, raw_page=row)
                add_to_run(context.run, intake.counts)
            return intake.counts

        context.counts += retrying_deadlocks(work, interruption=context.interruption)
        context.reporter.page(context.counts)

    def _find_gone(self) -> None:
        """What is here and was not listed may have changed meanwhile: each is asked for before it is called gone."""
        self.context.reporter.working_on("what is gone")
        stream = self.context.source.streams[0]
        known = set(GoneRecord.objects.filter(source=self.name).values_list("external_id", flat=True))
        back: list[str] = []
        for ids in self.holdings.stamped(self.first, self.last, source=self.name):
            listed = set(
                ListedRecord.objects.filter(source=self.name, external_id__in=ids).values_list("external_id", flat=True)
            )
            back += [each for each in ids if each in listed and each in known]
            self._verify([each for each in ids if each not in listed and each not in known], stream)
        GoneRecord.objects.filter(source=self.name, external_id__in=back).delete()
        if self.gone:
            self.context.warnings.append(
                f"{self.name} no longer has {len(self.gone)} records that are here, among them "
                f"{', '.join(self.gone[:5])}: see Gone records in the admin."
            )

    def _verify(self, suspects: Sequence[str], stream: str) -> None:
        for external_id in suspects:
            if not self._fetch(stream, external_id):
                GoneRecord.objects.get_or_create(
                    source=self.name, external_id=external_id, defaults={"noticed_at": timezone.now()}
                )
                self.gone.append(external_id)
