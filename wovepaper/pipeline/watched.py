"""Draining while a person watches."""

from __future__ import annotations

from wovepaper.lib.progress_bar import progress_bar
from wovepaper.pipeline.drain import DrainReport, drain
from wovepaper.pipeline.queue import waiting


def drain_with_progress() -> DrainReport:
    """Drain all stages, with a progress bar where there is a terminal."""
    with progress_bar() as progress:
        task = progress.add_task("pipeline", total=waiting().count())

        def advance(stage: str, count: int) -> None:
            progress.update(task, description=stage, advance=count)

        return drain(on_progress=advance)
