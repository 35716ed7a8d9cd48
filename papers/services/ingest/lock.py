"""The lock that all writers of papers take."""

from __future__ import annotations

from django.db import connection

INGEST_LOCK = (0x776F7665, 2)
"""Two 32-bit keys of the advisory lock: the project's, and that of ingest."""


def lock_writers() -> None:
    """Wait until no other transaction writes papers from sources, and keep them out until this one ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", INGEST_LOCK)
