"""``manage.py demo``: an invented catalogue, through the same pipeline as a real one."""

from __future__ import annotations

import argparse
import datetime as dt
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.progress import Progress, TaskID

from wovepaper.demo.catalogue import RealPapersPresent, bring_in, last_day, write_files
from wovepaper.demo.history import play_history
from wovepaper.demo.recipe import Recipe
from wovepaper.demo.truth import write_truth
from wovepaper.demo.users import ensure_demo_users
from wovepaper.harvest.counts import Counts
from wovepaper.harvest.errors import HarvestError
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.reporter import SilentReporter
from wovepaper.lib.progress_bar import progress_bar
from wovepaper.pipeline.services import drain

DEFAULT_PAPERS = 2_000


class _Bar(SilentReporter):
    """Shows the records of the one file that is read, instead of files."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    def page(self, counts: Counts) -> None:
        """Move on to the number of records seen."""
        self._progress.update(self._task, completed=counts.seen)


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day: write it like 2026-03-16.") from None


class Command(BaseCommand):
    """Invent a catalogue and bring it in, and make accounts to sign in as."""

    help = "Bring in an invented catalogue, seeded and of any size, and make accounts to sign in as."

    def add_arguments(self, parser: CommandParser) -> None:
        """Size, seed and last day; what to write instead; accounts only."""
        parser.add_argument(
            "--papers", type=int, default=DEFAULT_PAPERS, metavar="N",
            help=f"how many papers, up to a million (default {DEFAULT_PAPERS})",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="another seed invents others (default 1)")
        parser.add_argument(
            "--until", type=_day, metavar="D",
            help="the last day on which anything happens (default: that of the catalogue that is here, else today)",
        )  # fmt: skip
        parser.add_argument("--force", action="store_true", help="even among real papers")
        parser.add_argument(
            "--write-to", type=Path, metavar="FOLDER", help="only write the documents, for `harvest demo --file`"
        )
        parser.add_argument(
            "--truth", type=Path, metavar="FILE",
            help="only write who truly wrote what: lines of JSON, or with the ending .tsv or .tsv.gz the columns that "
            "tools score by",
        )  # fmt: skip
        parser.add_argument("--accounts", action="store_true", help="only make the accounts and tell how to sign in")

    def handle(
        self, *args: Any, papers: int, seed: int, until: dt.date | None, force: bool, write_to: Path | None,
        truth: Path | None, accounts: bool, **options: Any,
    ) -> None:  # fmt: skip
        """Exits with an error, in one sentence, when the catalogue could not be brought in whole."""
        if accounts:
            self._tell_accounts()
            return
        try:
            recipe = Recipe(papers, seed, until or last_day())
        except ValueError as error:
            raise CommandError(str(error)) from error
        if write_to is not None:
            self._write(recipe, write_to)
        if truth is not None:
            self._write_truth(recipe, truth)
        if write_to is None and truth is None:
            self._bring_in(recipe, force=force)
            self._tell_accounts()
            self._go_through_history(recipe)

    def _bring_in(self, recipe: Recipe, *, force: bool) -> None:
        interruption = Interruption()
        with interruption.listening(), progress_bar() as progress:
            task = progress.add_task("records", total=recipe.papers * 5 // 2)
            stages: dict[str, TaskID] = {}

            def drained(stage: str, count: int) -> None:
                if stage not in stages:
                    stages[stage] = progress.add_task(stage, total=recipe.papers)
                progress.update(stages[stage], advance=count)

            try:
                brought = bring_in(
                    recipe,
                    force=force,
                    reporter=_Bar(progress, task),
                    interruption=interruption,
                    on_drain=drained,
                )
            except (HarvestError, RealPapersPresent) as error:
                raise CommandError(str(error)) from error
        self.stdout.write(brought.summary.line)
        for warning in brought.summary.warnings:
            self.stderr.write(warning)
        if brought.drained.failed or brought.drained.stopped:
            self.stderr.write("Not all papers went through the pipeline: `manage.py pipeline` says more.")
        if not brought.summary.ok:
            raise CommandError(" ".join((*brought.summary.problems, "Run the same command again to go on from there.")))

    def _write(self, recipe: Recipe, folder: Path) -> None:
        with progress_bar() as progress:
            task = progress.add_task("papers", total=recipe.papers)
            count = 0
            try:
                for count, _ in enumerate(write_files(recipe, folder), start=1):
                    progress.update(task, completed=min(recipe.papers, (count + 1) // 2 * 1_000))
            except OSError as error:
                raise CommandError(f"Cannot write to {folder}: {error.strerror}.") from error
        self.stdout.write(
            f"{recipe.papers} papers, seed {recipe.seed}, until {recipe.until}: {count} files in {folder}"
        )

    def _write_truth(self, recipe: Recipe, path: Path) -> None:
        try:
            count = write_truth(recipe, path)
        except OSError as error:
            raise CommandError(f"Cannot write {path}: {error.strerror}.") from error
        self.stdout.write(f"{count} authorships of {recipe.papers} papers, seed {recipe.seed}, in {path}")

    def _go_through_history(self, recipe: Recipe) -> None:
        if play_history(recipe):
            drain()

    def _tell_accounts(self) -> None:
        users = ensure_demo_users()
        if not users:
            self.stdout.write(
                "No demo accounts: they are only made on a machine where nothing is configured; "
                "`manage.py createsuperuser` makes a real one."
            )
            return
        self.stdout.write("Sign in as")
        for user in users:
            self.stdout.write(f"  {user.email}  {user.password or '(its password was changed)'}  ({user.role})")
