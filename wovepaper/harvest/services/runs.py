"""Beginning and ending a run: one at a time for a source, its figures, and what it says at the end."""

from __future__ import annotations

import datetime as dt
import logging
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from wovepaper.harvest import hooks
from wovepaper.harvest.contracts import Sink, Source
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.errors import (
    HarvestError,
    HarvestInterrupted,
    LimitReached,
    SourceBusy,
    SourcePaused,
    SourcePostponed,
)
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import HarvestRun, SourceState
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.reporter import Reporter, SilentReporter
from wovepaper.harvest.services.spending import account_of

logger = logging.getLogger(__name__)

SOURCE_LOCKS = 0x77737263
"""First key of the advisory locks that stand for sources."""


_BROKEN_OFF = frozenset({HarvestRun.Outcome.INTERRUPTED, HarvestRun.Outcome.LIMITED})
_UNFINISHED: dict[str, frozenset[str]] = {
    HarvestRun.Kind.NETWORK: _BROKEN_OFF | {HarvestRun.Outcome.POSTPONED, HarvestRun.Outcome.FAILED},
    HarvestRun.Kind.FILES: _BROKEN_OFF,
    HarvestRun.Kind.REPLAY: frozenset(),
    HarvestRun.Kind.ENRICH: frozenset(),
    HarvestRun.Kind.COMPARE: frozenset(),
}
_ASKING = frozenset({HarvestRun.Kind.NETWORK, HarvestRun.Kind.ENRICH, HarvestRun.Kind.COMPARE})
"""Kinds of runs that ask the source for something."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run came to. ``problems`` are sentences; with any of them the run did not reach its goal."""

    run_id: int
    source: str
    outcome: str
    counts: Counts
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The summary, in one line."""
        return f"{self.source}: {self.counts}"

    @property
    def ok(self) -> bool:
        """Nothing went wrong."""
        return not self.problems and self.outcome in {HarvestRun.Outcome.COMPLETED, HarvestRun.Outcome.LIMITED}


@dataclass(slots=True)
class RunContext:
    """What every step of a run needs."""

    source: Source
    sink: Sink
    run: HarvestRun
    options: HarvestOptions
    reporter: Reporter = field(default_factory=SilentReporter)
    interruption: Interruption = field(default_factory=Interruption)
    limit: int | None = None
    counts: Counts = field(default_factory=Counts)
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    outcome: str = HarvestRun.Outcome.COMPLETED

    def room(self, wanted: int) -> int:
        """How many of ``wanted`` records may still be taken in."""
        return wanted if self.limit is None else max(0, min(wanted, self.limit - self.counts.seen))

    def check(self) -> None:
        """At every page boundary. Raises ``HarvestInterrupted``, ``LimitReached`` or ``SourcePaused``."""
        self.interruption.check()
        if self.limit is not None and self.counts.seen >= self.limit:
            raise LimitReached(f"Stopped at the limit of {self.limit} records.")
        pausable = self.run.kind != HarvestRun.Kind.REPLAY
        if pausable and SourceState.objects.filter(name=self.source.name, paused_at__isnull=False).exists():
            raise SourcePaused(f"{self.source.name} was paused.")


@contextmanager
def source_lock(name: str) -> Iterator[None]:
    """Hold the source for this database session; a crash frees it. Raises ``SourceBusy``."""
    key = zlib.crc32(name.encode()) - 2**31
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [SOURCE_LOCKS, key])
        if not cursor.fetchone()[0]:
            raise SourceBusy(f"{name} is being harvested by another process: wait for it to end.")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [SOURCE_LOCKS, key])


def _check_allowed(source: Source, kind: str) -> None:
    """Raises ``SourcePaused`` or ``SourcePostponed``. A replay asks nobody and may always run."""
    name = source.name
    state, _ = SourceState.objects.get_or_create(name=name)
    if kind != HarvestRun.Kind.REPLAY and state.paused_at is not None:
        because = f" ({state.paused_because})" if state.paused_because else ""
        raise SourcePaused(f"{name} is paused{because}: resume it in the admin first.")
    if kind not in _ASKING:
        return
    account = state if account_of(source) == name else SourceState.objects.get_or_create(name=account_of(source))[0]
    if account.not_before is not None and account.not_before > timezone.now():
        raise SourcePostponed(
            f"{name} is not to be asked again before {account.not_before:%Y-%m-%d %H:%M} UTC: "
            "run the same command then.",
            account.not_before,
        )
    if account.not_before is not None:
        SourceState.objects.filter(pk=account.pk).update(not_before=None, postponed_because="")


@contextmanager
def running(
    *,
    source: Source,
    sink: Sink,
    kind: str,
    options: HarvestOptions,
    reporter: Reporter | None = None,
    interruption: Interruption | None = None,
    limit: int | None = None,
    set_spec: str = "",
    first_day: dt.date | None = None,
    last_day: dt.date | None = None,
    paths_sha256: str = "",
    fresh: bool = False,
) -> Iterator[RunContext]:
    """Open a run, and close it whatever happens inside.

    A run with the same arguments that did not reach its end is gone on with, unless ``fresh``; one of files only when
    it was interrupted, since a file that cannot be read never lets it succeed. Of what goes wrong inside,
    every ``HarvestError`` is noted as the run's problem; anything else is noted and raised.
    Raises ``SourceBusy``, ``SourcePaused``, ``SourcePostponed`` before the run is opened.
    """
    context: RunContext | None = None
    try:
        with source_lock(source.name):
            _check_allowed(source, kind)
            now = timezone.now()
            mine = HarvestRun.objects.filter(source=source.name)
            mine.filter(outcome=HarvestRun.Outcome.RUNNING).update(
                outcome=HarvestRun.Outcome.INTERRUPTED, ended_at=now, message="The process ended without a word."
            )
            asked = {
                "source": source.name,
                "kind": kind,
                "set_spec": set_spec,
                "first_day": first_day,
                "last_day": last_day,
                "paths_sha256": paths_sha256,
            }
            last = mine.filter(**asked).order_by("-started_at", "-id").first()
            goes_on = last is not None and last.outcome in _UNFINISHED[kind] and not fresh
            run = HarvestRun.objects.create(
                **asked,
                pass_started_at=last.pass_started_at if last is not None and goes_on else now,
                started_at=now,
            )
            context = RunContext(
                source, sink, run, options, reporter or SilentReporter(), interruption or Interruption(), limit
            )
            try:
                yield context
            except HarvestError as error:
                _note(context, error)
            except BaseException as error:
                by_hand = isinstance(error, KeyboardInterrupt)
                context.outcome = HarvestRun.Outcome.INTERRUPTED if by_hand else HarvestRun.Outcome.FAILED
                context.problems.append(f"The harvest broke off: {type(error).__name__}.")
                _try_to_close(context)
                raise
            else:
                if context.problems:
                    context.outcome = HarvestRun.Outcome.FAILED
            _close(context)
    finally:
        if context is not None:
            run = context.run
            context.interruption.listen_no_more()
            hooks.announce(hooks.FinishedRun(run.pk, run.source, context.outcome, context.counts))


def _note(context: RunContext, error: HarvestError) -> None:
    match error:
        case LimitReached():
            context.outcome = HarvestRun.Outcome.LIMITED
            context.warnings.append(str(error))
            return
        case HarvestInterrupted() | SourcePaused():
            context.outcome = HarvestRun.Outcome.INTERRUPTED
        case SourcePostponed():
            context.outcome = HarvestRun.Outcome.POSTPONED
            SourceState.objects.update_or_create(
                name=account_of(context.source),
                defaults={"not_before": error.until, "postponed_because": str(error)},
            )
        case _:
            context.outcome = HarvestRun.Outcome.FAILED
    context.problems.append(str(error))


def _try_to_close(context: RunContext) -> None:
    """The database may be what failed."""
    try:
        _close(context)
    except Exception:
        logger.warning("The run %s could not be closed.", context.run.pk, exc_info=True)


def _close(context: RunContext) -> None:
    run = context.run
    with transaction.atomic():
        run.ended_at = timezone.now()
        run.outcome = context.outcome
        run.message = "\n".join(context.problems)
        run.warnings = context.warnings
        run.save(update_fields=["ended_at", "outcome", "message", "warnings"])
        if context.outcome == HarvestRun.Outcome.COMPLETED and run.kind in _ASKING:
            SourceState.objects.filter(name=run.source).update(last_success_at=run.ended_at)


def add_to_run(run: HarvestRun, counts: Counts) -> None:
    """Add a page's figures to the row of its run, in the page's transaction."""
    HarvestRun.objects.filter(pk=run.pk).update(
        seen=F("seen") + counts.seen,
        new=F("new") + counts.new,
        changed=F("changed") + counts.changed,
        unchanged=F("unchanged") + counts.unchanged,
        quarantined=F("quarantined") + counts.quarantined,
    )


def summary_of(context: RunContext) -> RunSummary:
    """The summary of a run that has ended."""
    return RunSummary(
        context.run.pk,
        context.source.name,
        context.outcome,
        context.counts,
        tuple(context.problems),
        tuple(context.warnings),
    )
