"""At most one request at a time to a host, and none sooner than its interval allows, over all processes and machines.

Two parts, both in the database. An advisory lock is held from the moment a request is prepared until its answer is
read, so there is one connection to a host; the lock dies with its session, so a crash frees it. A row holds the next
moment at which a request may start, by the clock of the database; it is written before the request, with a margin for
the way to the host, and corrected afterwards to the moment the request had certainly arrived.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection

HOST_LOCKS = 0x77686F73
"""First key of the advisory locks that stand for hosts; nothing else may use it, the second being a checksum."""
MARGIN = 0.25
"""Seconds that a request may take on its way to the host, unless its answer came sooner."""
_POLL = 0.02

_RESERVE = """
    INSERT INTO harvest_hostlease AS lease (host, next_allowed_at)
    VALUES (%(host)s, clock_timestamp() + make_interval(secs => %(hold)s))
    ON CONFLICT (host) DO UPDATE
    SET next_allowed_at = GREATEST(lease.next_allowed_at, clock_timestamp()) + make_interval(secs => %(hold)s)
    RETURNING EXTRACT(EPOCH FROM next_allowed_at - clock_timestamp()) - %(hold)s
"""
_SETTLE = """
    UPDATE harvest_hostlease
    SET next_allowed_at = clock_timestamp() + make_interval(secs => %(rest)s)
    WHERE host = %(host)s
"""


class HostTurn:
    """The right to send one request. Say ``sent`` and ``arrived`` (the first byte of its answer is there) in time."""

    def __init__(self, interval: float = 0.0) -> None:
        self.interval = interval
        """Seconds until the next request; an answer may ask for more."""
        self._sent = time.monotonic()
        self._arrived: float | None = None

    def sent(self) -> None:
        """The request has left this machine only now: making the connection took its time."""
        self._sent = time.monotonic()

    def arrived(self) -> None:
        """The request has reached the host by now."""
        if self._arrived is None:
            self._arrived = time.monotonic()

    @property
    def latest_arrival(self) -> float:
        """The last moment at which the request can have arrived, on the monotonic clock."""
        bound = self._sent + MARGIN
        return bound if self._arrived is None else min(bound, self._arrived)


@contextmanager
def host_turn(host: str, *, interval: float, wait: Callable[[float], None] = time.sleep) -> Iterator[HostTurn]:
    """Wait until a request to ``host`` may start; ``interval`` in seconds.

    ``wait`` sleeps for the given seconds; it may raise to give up, and then no request was sent.
    """
    key = zlib.crc32(host.encode()) - 2**31
    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [HOST_LOCKS, key])
            if cursor.fetchone()[0]:
                break
            wait(max(_POLL, min(interval / 10, 0.25)))
        try:
            cursor.execute(_RESERVE, {"host": host, "hold": interval + MARGIN})
            seconds = float(cursor.fetchone()[0])
            if seconds > 0:
                wait(seconds)
            turn = HostTurn(interval)
            try:
                yield turn
            finally:
                rest = turn.interval - (time.monotonic() - turn.latest_arrival)
                cursor.execute(_SETTLE, {"host": host, "rest": rest})
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [HOST_LOCKS, key])
