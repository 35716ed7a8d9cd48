"""``manage.py train_matching``: learn what evidence weighs from papers whose authors are known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from papers.models import Paper
from researchers.services.training import TrainingError, read_gold, train_weights
from researchers.services.weights import keep_weights, own_weights_file
from wovepaper.lib.progress_bar import progress_bar


class Command(BaseCommand):
    """See the module."""

    help = (
        "Learn the weights of evidence from labelled authorships (tab-separated: doi, position, tier, person) of papers"
        " in the catalogue, and use them from now on. What is decided stays until `attribute --all`."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The labels, where to write, and whom not to trust."""
        parser.add_argument("--gold", required=True, type=Path, help="file of labels, .tsv or .tsv.gz")
        parser.add_argument("--out", type=Path, help="file to write; by default the one this instance works with")
        parser.add_argument(
            "--leave-out", action="append", default=[], metavar="PERSON", help="ignore this person's labels; repeatable"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and say what it was learnt from. Raises ``CommandError``."""
        out: Path = options["out"] or own_weights_file()
        try:
            gold = read_gold(options["gold"])
            with progress_bar() as progress:
                total = Paper.objects.filter(redirect_to=None).count()
                task = progress.add_task("read papers", total=total)
                weights = train_weights(
                    gold,
                    leave_out=options["leave_out"],
                    on=timezone.localdate(),
                    advance=lambda number: progress.advance(task, number),
                )
            keep_weights(weights, out)
        except TrainingError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{out} cannot be written ({error.strerror}).") from error
        learnt = weights.provenance
        self.stdout.write(
            f"Learnt from {learnt['labelled_pairs']:,} pairs of papers, {learnt['labelled_groups']:,} of groups and"
            f" {learnt['labelled_variants']:,} of names; version {weights.version}, written to {out}."
        )
