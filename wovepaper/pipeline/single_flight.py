"""One drain at a time among the workers: an advisory lock of the database session, gone when the session is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

LOCK = (0x776F7665, 1)
"""Two 32-bit keys of ``pg_try_advisory_lock``: the project's, and the drain's."""


@contextmanager
def single_flight() -> Iterator[bool]:
    """Yields whether this process may drain; lets go at the end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", LOCK)
        (mine,) = cursor.fetchone()
    try:
        yield mine
    finally:
        if mine and connection.connection is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", LOCK)


def is_draining() -> bool:
    """Whether some session holds the lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objid = %s"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
            LOCK,
        )
        return bool(cursor.fetchone()[0])
