"""``manage.py harvest SOURCE``: take in what a source has, from the network or from files, or what it knows of ours."""

from __future__ import annotations

import argparse
import datetime as dt
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from wovepaper.harvest.errors import HarvestError
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.models import HarvestRun
from wovepaper.harvest.progress import progress_bar
from wovepaper.harvest.registry import UnknownSource
from wovepaper.harvest.services import RunSummary, compare_source, enrich_source, harvest_files, harvest_source


def day(value: str) -> dt.date:
    """A day as ``YYYY-MM-DD``. Raises ``ArgumentTypeError``."""
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is not a day: write it like 2025-07-31.") from None


def positive(value: str) -> int:
    """A number from 1. Raises ``ArgumentTypeError``."""
    if not (value.isascii() and value.isdigit() and int(value)):
        raise argparse.ArgumentTypeError(f"{value!r} is not a number of records: give 1 or more.")
    return int(value)


class Command(BaseCommand):
    """See the module."""

    help = (
        "Harvest a source: closed days up to yesterday (UTC) from the network, going on where the last run stopped, "
        "files in one of the source's own dump formats, or, by identifier, what the source knows of what is here."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The contract of the command line."""
        parser.add_argument("source", help="its name, for example arxiv")
        parser.add_argument("--from", dest="first_day", type=day, metavar="DAY", help="first day, like 2025-07-31")
        parser.add_argument("--until", dest="last_day", type=day, metavar="DAY", help="last day, included")
        parser.add_argument("--set", dest="set_spec", default="", metavar="SET", help="only this set of the source")
        parser.add_argument("--file", dest="paths", nargs="+", type=Path, metavar="PATH", help="harvest these files")
        parser.add_argument(
            "--enrich",
            action="store_true",
            help="ask by identifier about what is here: first what the source was never asked about, then what is old",
        )
        parser.add_argument(
            "--compare",
            action="store_true",
            help="go through the source's list of ids: fetch what is lacking here, note what is gone there",
        )
        parser.add_argument(
            "--limit", type=positive, metavar="N", help="stop after N records; of --enrich: after N papers"
        )
        parser.add_argument("--restart", action="store_true", help="begin anew instead of going on")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run it, and say what came of it."""
        paths: list[Path] | None = options["paths"]
        if paths and (options["first_day"] or options["last_day"] or options["set_spec"]):
            raise CommandError(
                "--from, --until and --set choose what to ask the network for: leave them out with --file."
            )
        if options["compare"] and (options["enrich"] or options["limit"]):
            raise CommandError("--compare goes through a whole list: leave out --enrich and --limit.")
        asks_for_more = paths or options["first_day"] or options["last_day"] or options["set_spec"]
        if (options["enrich"] or options["compare"]) and asks_for_more:
            raise CommandError(
                "--enrich and --compare are about what is here: leave out --file, --from, --until and --set."
            )
        interruption = Interruption()
        common: dict[str, Any] = {
            "limit": options["limit"],
            "restart": options["restart"],
            "interruption": interruption,
        }
        try:
            with interruption.listening(), progress_bar(Console(stderr=True)) as reporter:
                if options["compare"]:
                    common.pop("limit")
                    summary = compare_source(name=options["source"], reporter=reporter, **common)
                elif options["enrich"]:
                    summary = enrich_source(name=options["source"], reporter=reporter, **common)
                elif paths:
                    summary = harvest_files(name=options["source"], paths=paths, reporter=reporter, **common)
                else:
                    summary = harvest_source(
                        name=options["source"],
                        first_day=options["first_day"],
                        last_day=options["last_day"],
                        set_spec=options["set_spec"],
                        reporter=reporter,
                        **common,
                    )
        except UnknownSource as error:
            raise CommandError(str(error.args[0])) from error
        except HarvestError as error:
            raise CommandError(str(error)) from error
        report(self, summary, how_to_go_on="Run the same command again to go on from there.")


def report(command: BaseCommand, summary: RunSummary, *, how_to_go_on: str) -> None:
    """Print warnings and the summary line. Raises ``CommandError`` when the run did not reach its goal."""
    for warning in summary.warnings:
        command.stderr.write(command.style.WARNING(warning))
    for problem in summary.problems[:-1]:
        command.stderr.write(problem)
    command.stdout.write(summary.line)
    if summary.ok:
        return
    last = summary.problems[-1] if summary.problems else "The run did not end well."
    code = 130 if summary.outcome == HarvestRun.Outcome.INTERRUPTED else 1
    if summary.outcome == HarvestRun.Outcome.INTERRUPTED:
        last = f"{last} {how_to_go_on}"
    raise CommandError(last, returncode=code)
