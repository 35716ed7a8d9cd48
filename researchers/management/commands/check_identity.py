"""``manage.py check_identity``: proof that every shown researcher is the root of its base, with the right figures."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from papers.merging import ADAPTER as PAPERS
from researchers.checking import SAMPLE, CheckedFigures, check_figures
from researchers.merging import ADAPTER
from researchers.models import Researcher
from wovepaper.curation.services import audit
from wovepaper.lib.progress_bar import progress_bar


class Command(BaseCommand):
    """Reads everything, writes nothing; ends with 1 if something is wrong."""

    help = (
        "Check that every shown researcher and paper is the root of its base, that merges and journal agree, that no"
        " decision is broken, and that the figures of researchers follow from their papers."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """One option."""
        parser.add_argument(
            "--figures",
            default=str(SAMPLE),
            metavar="N",
            help=f"of how many researchers, chosen by chance, to count the figures again: a number or all ({SAMPLE})",
        )

    def handle(self, *args: Any, figures: str, **options: Any) -> None:
        """Name each kind of fault with examples. Raises ``CommandError`` if there is any."""
        if not (figures == "all" or figures.isdecimal()):
            raise CommandError("--figures takes a number of researchers, or all.")
        faults = [*audit(ADAPTER), *audit(PAPERS)]
        counted = self._count(None if figures == "all" else int(figures))
        faults += counted.faults
        for fault in faults:
            self.stdout.write(f"{fault.what}: {fault.count}")
            for example in fault.examples:
                self.stdout.write(f"  {example}")
        if faults:
            raise CommandError(f"{sum(fault.count for fault in faults)} faults. Nothing was changed.")
        self.stdout.write("Every shown researcher is the root of its base, and no decision is broken.")
        self.stdout.write(
            f"The figures of {counted.checked} researchers follow from their papers;"
            f" {counted.waiting} more wait for the pipeline."
        )

    def _count(self, sample: int | None) -> CheckedFigures:
        with progress_bar() as progress:
            total = Researcher.objects.count()
            task = progress.add_task("figures", total=total if sample is None else min(sample, total))
            return check_figures(sample=sample, advance=lambda number: progress.advance(task, number))
