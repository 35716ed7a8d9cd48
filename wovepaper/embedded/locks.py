"""Locks between processes. The kernel lets go of them when their holder ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class FileLock:
    """An advisory ``flock`` on one file, shared or exclusive. The file stays; only the lock means anything."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def acquire(self, *, shared: bool = False, timeout: float = 0.0) -> bool:
        """Take the lock, or turn a held one into the other kind; wait up to ``timeout`` seconds.

        Returns whether it is held now. A failed conversion loses what was held.
        """
        if self._descriptor is None:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        mode = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB
        deadline = time.monotonic() + timeout
        while True:
            try:
                fcntl.flock(self._descriptor, mode)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    self.release()
                    return False
                time.sleep(0.02)
            else:
                return True

    def release(self) -> None:
        """Let go. Harmless when nothing is held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def fileno(self) -> int:
        """The open descriptor, to hand the held lock to a child process."""
        if self._descriptor is None:
            raise ValueError("the lock is not held")
        return self._descriptor

    @contextmanager
    def hold(self, *, timeout: float) -> Iterator[None]:
        """Hold it exclusively for a block. Raises ``TimeoutError`` when another holds it for longer."""
        if not self.acquire(timeout=timeout):
            raise TimeoutError(f"{self.path} is held by another process")
        try:
            yield
        finally:
            self.release()
