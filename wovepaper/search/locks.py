"""A lock between processes that dies with its holder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from haystack.exceptions import SearchBackendError


class FileLock:
    """An advisory lock (flock) on a file. Not re-entrant; the kernel releases it when the holder dies, however."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextlib.contextmanager
    def held(self, timeout: float) -> Iterator[None]:
        """Hold the lock; waits at most ``timeout`` seconds, then raises ``SearchBackendError``."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            self._wait(descriptor, timeout)
            yield
        finally:
            os.close(descriptor)

    def _wait(self, descriptor: int, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        pause = 0.001
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise SearchBackendError(
                        f"{self._path} is held by another process for more than {timeout:g} seconds."
                    ) from None
                time.sleep(pause)
                pause = min(pause * 2, 0.05)
            else:
                return

    def is_held(self) -> bool:
        """Whether some process holds the lock now."""
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False
