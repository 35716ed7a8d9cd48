"""``manage.py replay SOURCE``: parse what is stored again, without the network."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from wovepaper.harvest.errors import HarvestError
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.management.commands.harvest import report
from wovepaper.harvest.progress import progress_bar
from wovepaper.harvest.registry import UnknownSource
from wovepaper.harvest.services import replay_pages, replay_quarantined


class Command(BaseCommand):
    """See the module."""

    help = "Parse the stored raw pages of a source again, or only its quarantined records. Asks no network."

    def add_arguments(self, parser: CommandParser) -> None:
        """The contract of the command line."""
        parser.add_argument("source", help="its name, for example arxiv")
        parser.add_argument("--quarantined", action="store_true", help="only what is in quarantine")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run it, and say what came of it."""
        replay = replay_quarantined if options["quarantined"] else replay_pages
        interruption = Interruption()
        try:
            with interruption.listening(), progress_bar(Console(stderr=True)) as reporter:
                summary = replay(name=options["source"], reporter=reporter, interruption=interruption)
        except UnknownSource as error:
            raise CommandError(str(error.args[0])) from error
        except HarvestError as error:
            raise CommandError(str(error)) from error
        report(self, summary, how_to_go_on="Run the same command again: what was replayed already is unchanged then.")
