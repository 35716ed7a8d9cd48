"""The pipeline as other apps use it."""

from wovepaper.pipeline.drain import DrainReport, drain
from wovepaper.pipeline.queue import enqueue, has_due_items, parked, retry_parked, waiting
from wovepaper.pipeline.watched import drain_with_progress

__all__ = [
    "DrainReport",
    "drain",
    "drain_with_progress",
    "enqueue",
    "has_due_items",
    "parked",
    "retry_parked",
    "waiting",
]
