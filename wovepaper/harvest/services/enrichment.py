"""Looking up by identifier: what a source has not been asked about yet, and what it said long ago."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.utils import timezone

from wovepaper.harvest import registry
from wovepaper.harvest.client import PoliteClient
from wovepaper.harvest.contracts import Identifier, Lookups, Picky, Subject, Subjects
from wovepaper.harvest.errors import HarvestError, LimitReached, UpstreamFailed, UpstreamUnavailable
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import Enrichment, HarvestRun, SourceState
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.reporter import Reporter
from wovepaper.harvest.services.fetching import Unusable, fetch_lookup, open_client
from wovepaper.harvest.services.lookups import Settled, keep_refused_lookup, settle, take_lookup
from wovepaper.harvest.services.retention import purge_raw_pages
from wovepaper.harvest.services.runs import RunContext, RunSummary, running, summary_of

ENROL_BATCH = 5_000
ENROL_OVERLAP = 1_000
"""Ids below the last one enrolled that are looked at again: transactions do not end in the order of their ids."""
_BATCHES_AT_ONCE = 5
"""Requests' worth of subjects that are chosen together, so that those of one scheme fill whole requests."""
_REFUSED = frozenset({401, 403})
_ENROL = """
    INSERT INTO harvest_enrichment (source, subject, outcome, due_at, misses)
    SELECT %s, unnest(%s::bigint[]), 'waiting', now(), 0
    ON CONFLICT (source, subject) DO NOTHING
"""


def enrich_source(
    *,
    name: str,
    limit: int | None = None,
    restart: bool = False,
    options: HarvestOptions | None = None,
    reporter: Reporter | None = None,
    interruption: Interruption | None = None,
) -> RunSummary:
    """Ask a source for everything it was not asked about yet, the newest first, and then for what is due again.

    Not one transaction but one for each answer, so that it goes on where it was stopped. ``limit`` is a number of
    subjects; with ``restart`` everything is due. Raises ``UnknownSource``, ``SourceBusy``, ``SourcePaused``,
    ``SourcePostponed``, and ``HarvestError`` for a source that cannot be asked by identifier.
    """
    registration = registry.get(name)
    source, subjects = registration.source, registration.subjects
    if not isinstance(source, Lookups) or subjects is None:
        raise HarvestError(f"{name} cannot be asked by identifier.")
    options = options or HarvestOptions.from_settings()
    with running(
        source=registration.source,
        sink=registration.sink,
        kind=HarvestRun.Kind.ENRICH,
        options=options,
        reporter=reporter,
        interruption=interruption,
    ) as context:
        context.reporter.begin(total=None, what=subjects.noun)
        enrol(source=name, subjects=subjects)
        mine = Enrichment.objects.of_source(name)
        if restart:
            mine.exclude(outcome=Enrichment.Outcome.WAITING).update(due_at=timezone.now())
        total = mine.waiting().count() + mine.due(timezone.now()).count()
        context.reporter.begin(total=total if limit is None else min(total, limit), what=subjects.noun)
        with open_client(context, timezone.now().date()) as client:
            _Enriching(context, client, source, subjects, limit, ask_fresh=restart).work()
        purge_raw_pages(source=name, options=options)
    return summary_of(context)


def has_lookups_to_do(name: str) -> bool:
    """Whether anything is new, or due again."""
    registration = registry.get(name)
    if not isinstance(registration.source, Lookups) or registration.subjects is None:
        return False
    mine = Enrichment.objects.of_source(name)
    if mine.waiting().exists() or mine.due(timezone.now()).exists():
        return True
    state = SourceState.objects.filter(name=name).first()
    return bool(registration.subjects.after(state.enrolled_until if state else 0, 1))


def enrol(*, source: str, subjects: Subjects) -> int:
    """Put subjects that are new on the list; one transaction for each batch. Returns how many were looked at."""
    looked_at = 0
    state, _ = SourceState.objects.get_or_create(name=source)
    last = max(0, state.enrolled_until - ENROL_OVERLAP)
    while ids := list(subjects.after(last, ENROL_BATCH)):
        last = max(ids)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_ENROL, [source, ids])
            SourceState.objects.filter(name=source, enrolled_until__lt=last).update(enrolled_until=last)
        looked_at += len(ids)
    return looked_at


@dataclass(slots=True)
class _Pending:
    """A subject on its way: by which schemes it can still be asked, and which of its identifiers are open."""

    subject: Subject
    schemes: list[str]
    usable: dict[str, list[Identifier]]
    open: set[Identifier] = field(default_factory=set)
    was_found: bool = False


@dataclass(slots=True)
class _Enriching:
    context: RunContext
    client: PoliteClient
    source: Lookups
    subjects: Subjects
    limit: int | None
    ask_fresh: bool
    started: dt.datetime = field(default_factory=timezone.now)
    asked_about: int = 0
    requests: int = 0
    failed_in_a_row: int = 0

    def work(self) -> None:
        """Until nothing is left. Raises ``HarvestError`` when there is no point in going on."""
        while ids := self._next():
            pending = self._choose(ids)
            for scheme in self.source.lookup_schemes:
                of_scheme = [each for each in pending if each.schemes and each.schemes[0] == scheme]
                for batch in self._batches(of_scheme, scheme):
                    self._ask(batch, list(dict.fromkeys(i for each in batch for i in sorted(each.open))))

    def _next(self) -> list[int]:
        """The subjects that come next: new ones, the youngest first, and then the one that is due longest."""
        if self.limit is not None and self.asked_about >= self.limit:
            raise LimitReached(f"Stopped at the limit of {self.limit} {self.subjects.noun}.")
        size = _BATCHES_AT_ONCE * self.source.lookup_size
        if self.limit is not None:
            size = min(size, self.limit - self.asked_about)
        mine = Enrichment.objects.of_source(self.context.source.name)
        ids = list(mine.waiting().order_by("-subject").values_list("subject", flat=True)[:size])
        if len(ids) < size:
            due = mine.due(self.started).exclude(asked_at__gte=self.started).order_by("due_at", "subject")
            ids += due.values_list("subject", flat=True)[: size - len(ids)]
        self.asked_about += len(ids)
        return ids

    def _choose(self, ids: Sequence[int]) -> list[_Pending]:
        """Those to ask about; what became of the others is noted."""
        context = self.context
        described = {each.id: each for each in self.subjects.describe(ids, source=context.source.name)}
        refresh = dt.timedelta(days=context.options.refresh_days)
        settled, pending = Settled(gone=[each for each in ids if each not in described]), []
        for subject in (described[each] for each in ids if each in described):
            usable = self._usable(subject)
            schemes = [scheme for scheme in self.source.lookup_schemes if usable.get(scheme)]
            if not schemes:
                settled.nameless.append(subject.id)
            elif subject.known_at and subject.known_at + refresh > timezone.now() and not self.ask_fresh:
                settled.fresh.append((subject.id, subject.known_at))
            else:
                pending.append(_Pending(subject, schemes, usable))
        with transaction.atomic():
            settle(context.source.name, settled, context.options)
        self._report(settled)
        return pending

    def _usable(self, subject: Subject) -> dict[str, list[Identifier]]:
        """What the source can be asked by, by scheme; no more of one than a request has room for."""
        usable: dict[str, list[Identifier]] = {}
        for identifier in subject.identifiers:
            if not isinstance(self.source, Picky) or self.source.may_be_known(identifier):
                usable.setdefault(identifier.scheme, []).append(identifier)
        return {scheme: found[: self.source.lookup_size] for scheme, found in usable.items()}

    def _batches(self, pending: Iterable[_Pending], scheme: str) -> Iterator[list[_Pending]]:
        """As many subjects as one request has room for; no subject's identifiers are torn apart."""
        most = self.source.lookup_size
        batch: list[_Pending] = []
        used = 0
        for each in pending:
            each.schemes.pop(0)
            each.open = set(each.usable[scheme])
            if batch and used + len(each.open) > most:
                yield batch
                batch, used = [], 0
            batch.append(each)
            used += len(each.open)
        if batch:
            yield batch

    def _ask(self, batch: Sequence[_Pending], asked: list[Identifier], *, alone: bool = False) -> None:
        """One request for these identifiers, and what follows from its answer."""
        context = self.context
        context.check()
        context.reporter.working_on(
            f"{asked[0].scheme} {asked[0].value}" if alone else f"{len(asked)} by {asked[0].scheme}"
        )
        self.requests += 1
        try:
            answer, found = fetch_lookup(context, self.client, asked)
        except Unusable as error:
            self._failed(batch, asked, error)
            return
        self.failed_in_a_row = 0
        singly = set() if alone else set(found.singly)
        unknown = set(found.unknown)
        for each in batch:
            mine = each.open.intersection(asked)
            each.open -= mine - singly
            each.was_found = each.was_found or bool(mine - singly - unknown)
        settled = self._settle(batch)
        take_lookup(
            context,
            subjects=self.subjects,
            asked=asked,
            answer=answer,
            found=found,
            settled=settled,
            number=self.requests,
        )
        self._report(settled)
        for identifier in sorted(singly):
            self._ask([each for each in batch if identifier in each.open], [identifier], alone=True)

    def _settle(self, batch: Sequence[_Pending]) -> Settled:
        """Those of whom all is known now. One that is unknown in this scheme may be known in the next."""
        settled = Settled()
        for each in batch:
            if each.open:
                continue
            if each.was_found:
                each.schemes.clear()
                settled.found.append(each.subject.id)
            elif not each.schemes:
                settled.unknown.append(each.subject.id)
        return settled

    def _failed(self, batch: Sequence[_Pending], asked: list[Identifier], error: Unusable) -> None:
        """Ask for halves, until what the source cannot answer stands alone. Raises ``HarvestError``."""
        context = self.context
        name = context.source.name
        if error.answer is not None:
            keep_refused_lookup(context, asked=asked, answer=error.answer, number=self.requests, reason=str(error))
        failed = error.error
        status = failed.status if isinstance(failed, UpstreamFailed) else None
        if isinstance(failed, UpstreamUnavailable) or status is None or status in _REFUSED:
            raise HarvestError(f"{name}, look-up {self.requests}: {error}") from error
        if len(asked) > 1:
            middle = len(asked) // 2
            for half in (asked[:middle], asked[middle:]):
                self._ask([each for each in batch if each.open.intersection(half)], half)
            return
        self.failed_in_a_row += 1
        if self.failed_in_a_row >= context.options.max_single_failures:
            raise HarvestError(f"{name}: {self.failed_in_a_row} look-ups failed one after another: {error}") from error
        context.warnings.append(f"{asked[0].scheme} {asked[0].value} cannot be looked up: {error}")
        for each in batch:
            each.open -= set(asked)
        settled = self._settle(batch)
        with transaction.atomic():
            settle(name, settled, context.options)
        self._report(settled)

    def _report(self, settled: Settled) -> None:
        for _ in range(len(settled)):
            self.context.reporter.step_done()
