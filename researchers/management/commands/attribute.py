"""``manage.py attribute``: decide who wrote what, of what waits or of everything."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from researchers.services.attribution import (
    attribute_all_grown,
    attribute_everything,
    count_authors,
    count_grown,
    enqueue_unattributed,
)
from wovepaper.lib.progress_bar import progress_bar
from wovepaper.pipeline.services import drain, waiting


class Command(BaseCommand):
    """See the module."""

    help = (
        "Attribute the authors of papers that wait, or were never attributed, to researchers. With --all everything "
        "that a model decided is decided anew, with --grown what it decided of names that have grown by a quarter. "
        "What people decided stands."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """One option, or the other."""
        scope = parser.add_mutually_exclusive_group()
        scope.add_argument("--all", action="store_true", dest="everything", help="begin anew, with all papers")
        scope.add_argument("--grown", action="store_true", help="names that have grown, as every night")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and say what came of it."""
        if options["everything"]:
            self._everything()
        elif options["grown"]:
            self._grown()
        else:
            self._waiting()

    def _waiting(self) -> None:
        enqueue_unattributed()
        with progress_bar() as progress:
            items = waiting().filter(stage__in=["affiliate", "attribute"], kind="paper")
            task = progress.add_task("attribute", total=items.count())
            report = drain(
                stages={"affiliate", "attribute"},
                on_progress=lambda stage, count: progress.advance(task, count if stage == "attribute" else 0),
            )
        done, failed = report.done.get("attribute", 0), report.failed.get("attribute", 0)
        self.stdout.write(f"attribute: {done} papers done, {failed} failed, in {report.seconds:.0f} s")
        for stage, reason in report.stopped.items():
            self.stdout.write(f"{stage}: stopped, the rest waits. {reason}")
        if failed:
            self.stdout.write("Those that failed are tried again later; manage.py pipeline says which are parked.")

    def _grown(self) -> None:
        with progress_bar() as progress:
            task = progress.add_task("attribute", total=count_grown())
            report = attribute_all_grown(advance=lambda count: progress.advance(task, count))
        self.stdout.write(
            f"{report.regrouped} authors of names that have grown decided anew: {report.written} changed,"
            f" {report.newcomers} new researchers, {report.candidates} open candidates"
        )

    def _everything(self) -> None:
        with progress_bar() as progress:
            task = progress.add_task("attribute", total=count_authors())
            report = attribute_everything(advance=lambda count: progress.advance(task, count))
        self.stdout.write(
            f"{report.papers} papers: {report.decided} authors decided, {report.written} changed,"
            f" {report.newcomers} new researchers, {report.candidates} open candidates"
        )
        if report.refused:
            self.stdout.write(f"{len(report.refused)} authors were left as they are: a person decided, or they left.")
        self.stdout.write("The search index follows with manage.py pipeline, or by the workers.")
