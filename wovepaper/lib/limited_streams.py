"""Long answers sent piece by piece, a few at a time: each holds a thread of its web process until its last piece."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable, Iterator
from typing import Self


class TooManyStreams(Exception):
    """As many streams as may be sent at once are being sent."""


class LimitedStreams:
    """Lets at most ``most`` streams be sent at once by this process. Safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self._free = threading.BoundedSemaphore(most)

    def begin(self, pieces: Iterable[str]) -> HeldStream:
        """The same pieces, counted as being sent from now until they end in whatever way. Raises `TooManyStreams`."""
        if not self._free.acquire(blocking=False):
            raise TooManyStreams
        return HeldStream(pieces, self._free)


class HeldStream(Iterator[str]):
    """Pieces that hold a place among the streams being sent.

    The place is given back once: after the last piece, at an error, by ``close`` whether or not a piece was read, or
    when nothing refers to the stream any more.
    """

    def __init__(self, pieces: Iterable[str], free: threading.BoundedSemaphore) -> None:
        # An answer that is dropped on its way out, as by a middleware that fails, is never closed. A generator's
        # `finally` would not do: it does not run where the generator has not begun.
        self._give_back = weakref.finalize(self, free.release)
        self._give_back.atexit = False
        self._pieces = iter(pieces)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        try:
            return next(self._pieces)
        except BaseException:  # StopIteration too
            self.close()
            raise

    def close(self) -> None:
        """Send no more, and give the place back. May be called again."""
        try:
            if (close := getattr(self._pieces, "close", None)) is not None:
                close()
        finally:
            self._give_back()
