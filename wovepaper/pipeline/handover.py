"""Telling a worker that there is work. Only a hint: the database is the queue of record, the sweep needs none."""

from __future__ import annotations

import logging
import time

from celery import current_app
from django.conf import settings
from django.db import transaction

from wovepaper.pipeline.single_flight import is_draining

logger = logging.getLogger(__name__)

DRAIN_TASK = "wovepaper.pipeline.drain"
SWEEP_TASK = "wovepaper.pipeline.sweep"
SEND_INTERVAL = 2.0
"""Seconds between two messages of one process; pages may commit more often than that."""
MESSAGE_LIFE = 60
"""Seconds after which a message nobody took is worthless: the sweep has come by."""
SILENCE_AFTER_FAILURE = 30.0
"""Seconds in which a process does not try a broker again that did not answer."""


class _Sender:
    """Spaces out the messages of this process, and still sends one after the last commit."""

    def __init__(self) -> None:
        self.last = float("-inf")
        """When the latest message is due; in the future while one waits in the broker."""
        self.silent_until = float("-inf")

    def delay(self, now: float) -> float | None:
        """Seconds after which a message sent now shall be worked on; ``None`` when none is needed."""
        if now < self.silent_until or self.last > now:
            return None
        return max(0.0, self.last + SEND_INTERVAL - now)


_sender = _Sender()


def broker_is_configured() -> bool:
    """Whether workers of their own drain the pipeline here."""
    return bool(settings.BROKER_URL)


def hand_over_on_commit() -> None:
    """Send a message to the workers once the current transaction is committed, if there is a broker."""
    if broker_is_configured():
        transaction.on_commit(hand_over, robust=True)


def hand_over() -> bool:
    """Ask the workers to drain the pipeline. Returns whether a message was sent.

    None is sent while a drain goes on, since it looks again before it ends, nor while a message is under way. A broker
    that does not answer is logged and otherwise ignored.
    """
    now = time.monotonic()
    delay = _sender.delay(now)
    if not broker_is_configured() or delay is None or is_draining():
        return False
    try:
        current_app.send_task(DRAIN_TASK, countdown=delay or None, expires=MESSAGE_LIFE, retry=False)
    except Exception as error:  # whatever the transport raises, the work is safe in the database
        _sender.silent_until = now + SILENCE_AFTER_FAILURE
        logger.warning("The broker did not take a message; the sweep will do the work: %s", error)
        return False
    _sender.last = now + delay
    return True
