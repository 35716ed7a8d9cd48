"""A progress bar for people; nothing at all where nobody watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

_watched: ContextVar[Progress | None] = ContextVar("watched progress", default=None)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Counted tasks, one below the other, on the standard error stream if that is a terminal."""
    # Loaded here: it costs 7 MB, and most processes that import this never show a bar.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        token = _watched.set(progress)
        try:
            yield progress
        finally:
            _watched.reset(token)


@contextmanager
def progress_step(description: str, *, total: int) -> Iterator[Callable[[int], None]]:
    """A line below the bar that is shown just now, for one long step of it; yields what counts the step on.

    Where no bar is shown nothing is. The line goes when the step is done.
    """
    progress = _watched.get()
    if progress is None:
        yield lambda count: None
        return
    task = progress.add_task(description, total=total)
    try:
        yield lambda count: progress.advance(task, count)
    finally:
        progress.remove_task(task)
