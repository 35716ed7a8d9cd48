"""Working off the queue: batch by batch, each in a transaction of its own, the guilty ones singled out."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from django.db import connection, transaction

from wovepaper.pipeline import queue, registry
from wovepaper.pipeline.registry import Stage, StageUnavailable

logger = logging.getLogger(__name__)

FAILURES_IN_A_ROW = 8
"""So many single objects failing one after the other, none succeeding, and the stage itself is taken to be ill."""


@dataclass(slots=True)
class DrainReport:
    """What a drain did. Counts are objects, per stage name."""

    done: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    """Objects that failed and will be tried again, or are parked."""
    parked: int = 0
    """Objects parked by this drain."""
    stopped: dict[str, str] = field(default_factory=dict)
    """Stages that were given up for this time, with the reason."""
    seconds: float = 0.0

    @property
    def total(self) -> int:
        """Objects worked on successfully, over all stages."""
        return sum(self.done.values())


class _StageStopped(Exception):
    """Nothing more to be had from this stage in this drain."""


class _Drain:
    def __init__(
        self,
        *,
        limit: int | None,
        deadline: float | None,
        on_progress: Callable[[str, int], None] | None,
    ) -> None:
        self.report = DrainReport()
        self._left = limit
        self._deadline = deadline
        self._on_progress = on_progress
        self._in_a_row = 0

    @property
    def exhausted(self) -> bool:
        """Whether the limit or the time is used up."""
        return self._left == 0 or (self._deadline is not None and time.monotonic() >= self._deadline)

    def work_stage(self, stage: Stage) -> int:
        """Batches of one stage until it has nothing due. Returns the number of objects that went through."""
        before = self.report.done.get(stage.name, 0)
        self._in_a_row = 0
        try:
            while not self.exhausted:
                size = stage.batch_size if self._left is None else min(stage.batch_size, self._left)
                if not self._attempt(stage, limit=size, among=None):
                    break
        except _StageStopped:
            pass
        return self.report.done.get(stage.name, 0) - before

    def _attempt(self, stage: Stage, *, limit: int, among: Sequence[int] | None) -> bool:
        """One transaction: claim, handle, move on. On failure halves of the batch. Returns whether any was claimed."""
        claimed = queue.Claim((), ())
        session = None
        try:
            with transaction.atomic():
                session = connection.connection
                claimed = queue.claim(stage, limit=limit, among=among)
                if not claimed.objects:
                    return False
                stage.handle(claimed.objects)
                queue.finish(stage, claimed)
        except StageUnavailable as error:
            logger.warning("Stage %s is not available: %s", stage.name, error)
            self.report.stopped[stage.name] = str(error) or type(error).__name__
            raise _StageStopped from error
        except Exception as error:
            # Django opens another connection for a lost one: then no object is to blame.
            if not claimed.objects or connection.connection is not session:
                raise
            self._single_out(stage, claimed.objects, error)
            return True
        self._in_a_row = 0
        self.report.done[stage.name] = self.report.done.get(stage.name, 0) + len(claimed.objects)
        if self._left is not None:
            self._left -= len(claimed.objects)
        if self._on_progress is not None:
            self._on_progress(stage.name, len(claimed.objects))
        return True

    def _single_out(self, stage: Stage, objects: Sequence[int], error: Exception) -> None:
        if len(objects) > 1:
            middle = len(objects) // 2
            for half in (objects[:middle], objects[middle:]):
                self._attempt(stage, limit=2**31, among=half)
            return
        logger.warning("Stage %s failed for %s %s.", stage.name, stage.kind, objects[0], exc_info=error)
        with transaction.atomic():
            claimed = queue.claim(stage, limit=2**31, among=objects)
            if claimed.items and queue.note_failure(stage, claimed, error):
                self.report.parked += 1
        self.report.failed[stage.name] = self.report.failed.get(stage.name, 0) + 1
        if self._left is not None:
            self._left = max(0, self._left - 1)
        self._in_a_row += 1
        if self._in_a_row >= FAILURES_IN_A_ROW:
            self.report.stopped[stage.name] = (
                f"{FAILURES_IN_A_ROW} objects in a row failed; the last: {type(error).__name__}: {error}"
            )
            raise _StageStopped from error


def drain(
    *,
    stages: Collection[str] | None = None,
    limit: int | None = None,
    time_budget: float | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> DrainReport:
    """Work off what is due, stage by stage in the order of the line, until nothing is.

    ``stages`` restricts it to some stages, ``limit`` to about so many objects over all stages, ``time_budget`` to so
    many seconds (the batch in hand is finished). ``on_progress`` is called after each batch with the stage's name and
    the number of objects. Must not be called inside a transaction: each batch commits by itself. An object whose
    handler raises is set back and tried again later, at last parked; it never keeps the others waiting. A lost
    connection is raised.
    """
    started = time.monotonic()
    run = _Drain(
        limit=limit,
        deadline=None if time_budget is None else started + time_budget,
        on_progress=on_progress,
    )
    wanted = [stage for stage in registry.all_stages() if stages is None or stage.name in stages]
    moved = True
    while moved and not run.exhausted:
        moved = False
        for stage in wanted:
            if stage.name not in run.report.stopped and run.work_stage(stage):
                moved = True
    run.report.seconds = time.monotonic() - started
    return run.report
