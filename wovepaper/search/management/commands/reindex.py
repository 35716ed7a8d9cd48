"""``manage.py reindex``: build the search index anew from the database, while the site is up."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from haystack import connections
from haystack.constants import DEFAULT_ALIAS
from haystack.exceptions import HaystackError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from wovepaper.search.backend import TantivySearchBackend
from wovepaper.search.rebuild import indexed_models, rebuild


class Command(BaseCommand):
    """See ``wovepaper.search.rebuild`` for how."""

    help = "Build the search index anew from the database, aside, and put it in use in one step."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Two flags."""
        parser.add_argument("--batch-size", type=int, default=1000, help="objects read at a time (1000)")
        parser.add_argument("--using", default=DEFAULT_ALIAS, help="the search connection (default)")

    def handle(self, *args: Any, batch_size: int, using: str, **options: Any) -> None:
        """Rebuild and say in one line what was done. Raises ``CommandError``."""
        if batch_size < 1:
            raise CommandError("--batch-size must be at least 1.")
        if using not in connections.connections_info:
            raise CommandError(f"There is no search connection {using!r} in HAYSTACK_CONNECTIONS.")
        backend = connections[using].get_backend()
        if not isinstance(backend, TantivySearchBackend):
            raise CommandError(
                "reindex builds the embedded index. For a search server use Haystack's commands: "
                "manage.py update_index, or rebuild_index to clear it first."
            )
        try:
            result = self._rebuild(backend, batch_size)
        except HaystackError as error:
            raise CommandError(str(error)) from error
        rate = result.documents / result.seconds if result.seconds else 0.0
        self.stdout.write(
            f"Indexed {result.documents} documents in {result.seconds:.1f} s ({rate:.0f}/s); "
            f"{result.replayed} changes came in meanwhile."
        )

    def _rebuild(self, backend: TantivySearchBackend, batch_size: int) -> Any:
        console = Console(file=sys.stderr)
        if not console.is_terminal:
            return rebuild(backend, batch_size=batch_size)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console) as bar:
            tasks: dict[str, TaskID] = {
                label: bar.add_task(label, total=index.index_queryset(using=backend.connection_alias).count())
                for label, index in indexed_models(backend)
            }
            return rebuild(
                backend, batch_size=batch_size, progress=lambda label, done: bar.update(tasks[label], completed=done)
            )
