"""What a batch does to be alone and quick: the lock of the stage, and no garbage collection."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

STAGE_LOCK = (0x776F7665, 4)
"""Two 32-bit keys of the advisory lock: the project's, and that of attribution. One batch at a time: two would both
make a new researcher of the same new person."""


def lock_stage() -> None:
    """Wait for the batches of other processes, and keep them out until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", STAGE_LOCK)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """The matching makes millions of small objects and no cycles: looking for some costs more than the matching."""
    was_on = gc.isenabled()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was_on:
            gc.enable()
