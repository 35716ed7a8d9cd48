"""Stopping cleanly: at once while waiting for time or for the network, else at the next page boundary."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from wovepaper.harvest.errors import HarvestInterrupted

_MESSAGE = "Interrupted; everything up to the last page is kept."


class Interruption:
    """Asked to stop or not. Without ``listening`` it only stops when ``request`` is called."""

    def __init__(self) -> None:
        self._asked = False
        self._idle = False
        self._before: dict[int, Any] = {}

    def request(self) -> None:
        """Stop at the next page boundary."""
        self._asked = True

    def check(self) -> None:
        """Raises ``HarvestInterrupted`` when asked to stop."""
        if self._asked:
            raise HarvestInterrupted(_MESSAGE)

    @contextmanager
    def idle(self) -> Iterator[None]:
        """Nothing is at stake in this block, and no database command under way: a signal ends it at once."""
        self._idle = True
        try:
            self.check()
            yield
        finally:
            self._idle = False

    def sleep(self, seconds: float) -> None:
        """Sleep. Raises ``HarvestInterrupted`` as soon as asked to stop."""
        with self.idle():
            time.sleep(max(0.0, seconds))

    @contextmanager
    def listening(self) -> Iterator[None]:
        """React to SIGINT and SIGTERM. A second SIGINT ends the process the hard way, which loses nothing either."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self._before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        for number in self._before:
            signal.signal(number, self._on_signal)
        try:
            yield
        finally:
            self.listen_no_more()

    def listen_no_more(self) -> None:
        """The harvest is over: signals do again what they did before."""
        while self._before:
            signal.signal(*self._before.popitem())

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        self._asked = True
        if self._idle:
            raise HarvestInterrupted(_MESSAGE)
