"""A progress bar for people; nothing at all where nobody watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from wovepaper.harvest.counts import Counts
from wovepaper.harvest.reporter import Reporter, SilentReporter


class RichReporter:
    """Draws the steps done, the step under way, and the figures so far."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None, label="", figures="")

    def begin(self, *, total: int | None, what: str) -> None:
        """See ``Reporter``."""
        self._progress.update(self._task, total=total, description=what)

    def working_on(self, label: str) -> None:
        """See ``Reporter``."""
        self._progress.update(self._task, label=label)

    def page(self, counts: Counts) -> None:
        """See ``Reporter``."""
        self._progress.update(self._task, figures=str(counts))

    def waiting(self, seconds: float, reason: str) -> None:
        """See ``Reporter``."""
        self._progress.update(self._task, label=f"waits {seconds:.0f} s: {reason}")

    def step_done(self) -> None:
        """See ``Reporter``."""
        self._progress.advance(self._task)


@contextmanager
def progress_bar(console: Console) -> Iterator[Reporter]:
    """A bar on a terminal, silence elsewhere."""
    if not console.is_terminal:
        yield SilentReporter()
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[label]}", markup=False),
        TextColumn("{task.fields[figures]}", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield RichReporter(progress)
