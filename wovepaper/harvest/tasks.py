"""Harvesting in the background."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone

from wovepaper.harvest import registry, services
from wovepaper.harvest.errors import HarvestError
from wovepaper.harvest.models import SourceState, Watermark

logger = logging.getLogger(__name__)


@shared_task(name="wovepaper.harvest.source")
def harvest_source(name: str) -> str:
    """Follow one source up to yesterday. Says so where it may not run now; the next beat tries again."""
    try:
        summaries = services.follow_source(name=name)
    except HarvestError as error:
        logger.info("%s", error)
        return str(error)
    for summary in summaries:
        for problem in summary.problems:
            logger.error("%s", problem)
        for warning in summary.warnings:
            logger.warning("%s", warning)
    return "; ".join(summary.line for summary in summaries)


@shared_task(name="wovepaper.harvest.follow")
def follow_sources() -> None:
    """Queue every source that somebody began to harvest from the network. For beat, once a day.

    A source is never begun by itself: from where on is a decision, and arXiv's whole past a long harvest.
    """
    begun = Watermark.objects.filter(source__in=registry.names()).order_by("source")
    for name in begun.values_list("source", flat=True).distinct():
        if registry.get(name).source.streams:
            harvest_source.delay(name)


@shared_task(name="wovepaper.harvest.postponed")
def harvest_postponed() -> None:
    """Queue the sources that asked for a pause which is over. For beat, every quarter of an hour."""
    due = SourceState.objects.filter(not_before__lte=timezone.now(), paused_at=None, name__in=registry.names())
    for name in due.values_list("name", flat=True):
        harvest_source.delay(name)
