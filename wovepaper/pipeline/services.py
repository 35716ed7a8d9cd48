"""The pipeline as other apps use it."""

from wovepaper.pipeline.drain import DrainReport, drain
from wovepaper.pipeline.queue import enqueue, has_due_items, parked, retry_parked, waiting

__all__ = ["DrainReport", "drain", "enqueue", "has_due_items", "parked", "retry_parked", "waiting"]
