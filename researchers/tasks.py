"""What beat asks for."""

from __future__ import annotations

import logging

from celery import shared_task

from researchers.checking import check_figures
from researchers.merging import ADAPTER
from researchers.services.attribution import attribute_all_grown, find_duplicates
from wovepaper.curation.services import audit

logger = logging.getLogger(__name__)


@shared_task(name="wovepaper.researchers.attribute_grown")
def attribute_grown() -> int:
    """Nightly: what ``manage.py attribute --grown`` does. Returns how many authors were decided anew."""
    report = attribute_all_grown()
    if report.decided:
        logger.info(
            "Of names that had grown %s authors were decided anew: %s changed.", report.regrouped, report.written
        )
    return report.regrouped


@shared_task(name="wovepaper.researchers.find_duplicates")
def look_for_duplicates() -> int:
    """Weekly: what ``manage.py find_duplicates`` does. Returns how many candidates are open of those it found."""
    report = find_duplicates()
    logger.info("%s researchers: %s candidates open, %s gone.", report.researchers, report.filed, report.removed)
    return report.filed


@shared_task(name="wovepaper.researchers.check")
def check_identity() -> int:
    """Nightly: what ``manage.py check_identity`` does, faults going to the log. Returns how many there are."""
    faults = [*audit(ADAPTER), *check_figures().faults]
    for fault in faults:
        logger.error("%s: %s, for example %s", fault.what, fault.count, "; ".join(fault.examples[:3]))
    return sum(fault.count for fault in faults)
