"""How a run tells what it is doing. The engine speaks to this; a command draws a progress bar."""

from __future__ import annotations

from typing import Protocol

from wovepaper.harvest.counts import Counts


class Reporter(Protocol):
    """Gets told what goes on. All calls come from one thread."""

    def begin(self, *, total: int | None, what: str) -> None:
        """``total`` steps (windows, files or pages) lie ahead, where that is known."""
        ...

    def working_on(self, label: str) -> None:
        """The step under way."""
        ...

    def page(self, counts: Counts) -> None:
        """A page was taken in; ``counts`` are those of the whole run so far."""
        ...

    def waiting(self, seconds: float, reason: str) -> None:
        """Nothing happens for a while."""
        ...

    def step_done(self) -> None:
        """One of the total steps is over."""
        ...


class SilentReporter:
    """Says nothing."""

    def begin(self, *, total: int | None, what: str) -> None:
        """Nothing."""

    def working_on(self, label: str) -> None:
        """Nothing."""

    def page(self, counts: Counts) -> None:
        """Nothing."""

    def waiting(self, seconds: float, reason: str) -> None:
        """Nothing."""

    def step_done(self) -> None:
        """Nothing."""
