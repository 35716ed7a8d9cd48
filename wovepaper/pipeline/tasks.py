"""What workers do: one drain at a time, on a hint or on the minute."""

from __future__ import annotations

from celery import shared_task

from wovepaper.pipeline.drain import drain
from wovepaper.pipeline.handover import DRAIN_TASK, SWEEP_TASK
from wovepaper.pipeline.queue import has_due_items
from wovepaper.pipeline.single_flight import single_flight

IDLE_ROUNDS = 3
"""Drains that find nothing although something is due: another process holds it, and goes on with it."""


def drain_single_flight() -> int:
    """Drain unless another session does. Returns the number of objects worked on.

    Looks again after letting go of the lock, so that what was committed in between, by somebody who saw the lock held
    and sent no message, is not left to the sweep.
    """
    total = idle = 0
    while idle < IDLE_ROUNDS:
        with single_flight() as mine:
            if not mine:
                break
            report = drain()
        total += report.total
        idle = 0 if report.total else idle + 1
        if report.stopped or not has_due_items():
            break
    return total


@shared_task(name=DRAIN_TASK, ignore_result=True)
def drain_pipeline() -> None:
    """Sent when something was enqueued."""
    drain_single_flight()


@shared_task(name=SWEEP_TASK, ignore_result=True)
def sweep_pipeline() -> None:
    """Sent by beat every minute: what no message announced, and what was set back and is due again."""
    drain_single_flight()
