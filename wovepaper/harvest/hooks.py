"""What happens after a run is the installation's business: it registers here, and the harvest knows no one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from wovepaper.harvest.counts import Counts
from wovepaper.harvest.models import HarvestRun

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """What a callback is told."""

    run_id: int
    source: str
    outcome: str
    counts: Counts

    @property
    def was_interrupted(self) -> bool:
        """Whether somebody broke it off."""
        return self.outcome == HarvestRun.Outcome.INTERRUPTED


_callbacks: list[Callable[[FinishedRun], None]] = []


def on_run_finished(callback: Callable[[FinishedRun], None]) -> Callable[[FinishedRun], None]:
    """Call ``callback`` whenever a run has ended, however it ended. Usable as a decorator."""
    if callback not in _callbacks:
        _callbacks.append(callback)
    return callback


def forget(callback: Callable[[FinishedRun], None]) -> None:
    """Undo ``on_run_finished``."""
    if callback in _callbacks:
        _callbacks.remove(callback)


def announce(finished: FinishedRun) -> None:
    """Call all. What one of them raises is logged: the harvest itself is already committed."""
    for callback in list(_callbacks):
        try:
            callback(finished)
        except Exception:
            logger.exception("A callback after the harvest of %s failed.", finished.source)
