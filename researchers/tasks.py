"""What beat asks for."""

from __future__ import annotations

import logging

from celery import shared_task

from researchers.checking import check_figures
from researchers.merging import ADAPTER
from wovepaper.curation.services import audit

logger = logging.getLogger(__name__)


@shared_task(name="wovepaper.researchers.check")
def check_identity() -> int:
    """Nightly: what ``manage.py check_identity`` does, faults going to the log. Returns how many there are."""
    faults = [*audit(ADAPTER), *check_figures().faults]
    for fault in faults:
        logger.error("%s: %s, for example %s", fault.what, fault.count, "; ".join(fault.examples[:3]))
    return sum(fault.count for fault in faults)
