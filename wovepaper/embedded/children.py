"""Child processes that end with their parent, whatever ends it."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LARGEST_LOG = 10 * 1024 * 1024
"""Bytes after which a log is set aside as ``.1``, replacing the one before."""

MOST_RESTARTS = 3
RESTART_WINDOW = 60.0
"""More than ``MOST_RESTARTS`` deaths of a child within so many seconds are a fault that restarting does not mend."""

_PR_SET_PDEATHSIG = 1


@dataclass(slots=True)
class Child:
    """One program, started again when it dies."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    folder: Path
    patience: float = 10.0
    """Seconds it may take to end after SIGTERM."""

    process: subprocess.Popen[bytes] | None = None
    _deaths: list[float] = field(default_factory=list)

    def start(self) -> None:
        """Run it, with its output appended to its log. Raises ``OSError``."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        rotate(self.log)
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=dict(self.environment),
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C in the terminal is for the parent, which stops its children in order
                preexec_fn=die_with_parent(),
            )

    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self.process is not None and self.process.poll() is None

    def may_restart(self) -> bool:
        """Note a death, and tell whether another start is worth trying."""
        now = time.monotonic()
        self._deaths = [*(then for then in self._deaths if now - then < RESTART_WINDOW), now]
        return len(self._deaths) <= MOST_RESTARTS

    def stop(self, *, hurry: Callable[[], bool] = lambda: False) -> None:
        """Ask it to end, then, after its patience or once ``hurry`` says so, kill it with all its own children."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
            deadline = time.monotonic() + self.patience
            while self.process.poll() is None and time.monotonic() < deadline and not hurry():
                time.sleep(0.05)
        try:
            # Its session is its own, so this reaches what it left behind, and nobody else.
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.process.wait()
        self.process = None

    def last_words(self) -> str:
        """The last line it wrote, for the sentence that reports its end."""
        try:
            with self.log.open("rb") as file:
                file.seek(max(0, self.log.stat().st_size - 4096))
                lines = [line.strip() for line in file.read().decode(errors="replace").splitlines() if line.strip()]
        except OSError:
            return ""
        return lines[-1] if lines else ""


def rotate(log: Path) -> None:
    """Set a large log aside. Copied and emptied, since its writer holds it open for appending."""
    try:
        if log.stat().st_size <= LARGEST_LOG:
            return
        log.with_name(log.name + ".1").write_bytes(log.read_bytes())
        os.truncate(log, 0)
    except FileNotFoundError:
        return


def die_with_parent() -> Callable[[], None] | None:
    """What a new child does first: have the kernel send it SIGTERM when its parent ends, killed or not (Linux only)."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = os.getpid()

    def ask_the_kernel() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:  # it ended in between
            os._exit(1)

    return ask_the_kernel
