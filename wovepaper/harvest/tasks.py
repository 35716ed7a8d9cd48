"""Harvesting in the background."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence

from celery import Task, shared_task
from django.db.models import Max, Q
from django.utils import timezone

from wovepaper.harvest import registry, services
from wovepaper.harvest.contracts import Lookups, Rhythm
from wovepaper.harvest.errors import HarvestError, SourceBusy
from wovepaper.harvest.models import HarvestRun, SourceState, Watermark
from wovepaper.harvest.options import HarvestOptions
from wovepaper.harvest.services import RunSummary
from wovepaper.harvest.services.spending import account_of

logger = logging.getLogger(__name__)

_BUSY_SECONDS = 600
_ATTEMPTS = 60
"""So for ten hours."""
_HALF_A_DAY = 43_200
_UNTIL_THE_NEXT = 280
"""Seconds after which a message that nobody took is dropped: beat sends another."""
_SLACK = dt.timedelta(hours=12)
"""A source that is followed every 30 days is due a little before the 30 days are over: beat comes once a day."""


@shared_task(name="wovepaper.harvest.source", bind=True, max_retries=_ATTEMPTS, expires=_HALF_A_DAY)
def harvest_source(self: Task[[str], str], name: str) -> str:
    """Follow one source up to yesterday. Says so where it may not run now; the next beat tries again.

    Where another run of the source is under way, such as look-ups that beat began, it comes back a little later.
    """
    try:
        summaries = services.follow_source(name=name)
    except SourceBusy as error:
        if not (self.request.called_directly or self.request.is_eager) and self.request.retries < _ATTEMPTS:
            raise self.retry(exc=error, countdown=_BUSY_SECONDS) from error
        logger.info("%s", error)
        return str(error)
    except HarvestError as error:
        logger.info("%s", error)
        return str(error)
    return _logged(summaries)


@shared_task(name="wovepaper.harvest.enrich_source", expires=_UNTIL_THE_NEXT)
def enrich_source(name: str) -> str:
    """Ask one source about what is new here and what is old. Says so where it may not run now."""
    options = HarvestOptions.from_settings()
    try:
        summary = services.enrich_source(name=name, limit=options.background_lookups, options=options)
    except HarvestError as error:
        logger.info("%s", error)
        return str(error)
    return _logged([summary])


@shared_task(name="wovepaper.harvest.compare_source", expires=_HALF_A_DAY)
def compare_source(name: str) -> str:
    """Compare one source's list of ids with what is here. Says so where it may not run now."""
    try:
        summary = services.compare_source(name=name)
    except HarvestError as error:
        logger.info("%s", error)
        return str(error)
    return _logged([summary])


@shared_task(name="wovepaper.harvest.compare")
def compare_sources() -> None:
    """Queue the comparison of every source that is harvested here and lists its ids. For beat, once a week."""
    for name in _begun():
        if services.can_be_compared(name):
            compare_source.delay(name)


def _logged(summaries: Sequence[RunSummary]) -> str:
    for summary in summaries:
        for problem in summary.problems:
            logger.error("%s", problem)
        for warning in summary.warnings:
            logger.warning("%s", warning)
    return "; ".join(summary.line for summary in summaries)


@shared_task(name="wovepaper.harvest.follow")
def follow_sources() -> None:
    """Queue every source that somebody began to harvest from the network, in its rhythm. For beat, once a day.

    A source is never begun by itself: from where on is a decision, and arXiv's whole past a long harvest.
    """
    for name in _begun():
        if _is_time_to_follow(name):
            harvest_source.delay(name)


def _begun() -> list[str]:
    """The sources that are harvested from the network here."""
    begun = Watermark.objects.filter(source__in=registry.names()).order_by("source")
    names = begun.values_list("source", flat=True).distinct()
    return [name for name in names if registry.get(name).source.streams]


def _is_time_to_follow(name: str) -> bool:
    source = registry.get(name).source
    days = source.follow_every_days if isinstance(source, Rhythm) else 1
    if days <= 1:
        return True
    done = HarvestRun.objects.filter(
        source=name, kind=HarvestRun.Kind.NETWORK, outcome=HarvestRun.Outcome.COMPLETED
    ).aggregate(last=Max("started_at"))["last"]
    return done is None or timezone.now() - done > dt.timedelta(days=days) - _SLACK


@shared_task(name="wovepaper.harvest.enrich")
def enrich_sources() -> None:
    """Queue the look-ups of every source that is set up for them and has some to do. For beat, every few minutes.

    So what came in a moment ago is asked about at once, and what is old when its time has come.
    """
    for name in _configured_for_lookups():
        if not _may_not_ask(name) and services.has_lookups_to_do(name):
            enrich_source.delay(name)


def _configured_for_lookups() -> list[str]:
    found = []
    for name in registry.names():
        source = registry.get(name).source
        if isinstance(source, Lookups) and source.lookups_configured:
            found.append(name)
    return found


def _may_not_ask(name: str) -> bool:
    """Paused by a person, or postponed by the source or the budget."""
    resting = Q(paused_at__isnull=False, name=name) | Q(
        not_before__isnull=False, name__in={name, account_of(registry.get(name).source)}
    )
    return SourceState.objects.filter(resting).exists()


@shared_task(name="wovepaper.harvest.postponed")
def harvest_postponed() -> None:
    """Queue the sources whose pause, which they or a budget asked for, is over. For beat, every quarter of an hour."""
    due = set(SourceState.objects.filter(not_before__lte=timezone.now(), paused_at=None).values_list("name", flat=True))
    begun, configured = set(_begun()), set(_configured_for_lookups())
    for name in registry.names():
        if not due & {name, account_of(registry.get(name).source)}:
            continue
        if name in begun or (registry.get(name).source.streams and name not in configured):
            harvest_source.delay(name)
        if name in configured:
            enrich_source.delay(name)
