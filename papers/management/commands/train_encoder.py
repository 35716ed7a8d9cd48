"""``manage.py train_encoder``: learn from the catalogue which texts are near in meaning, and use it."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from papers.services.embedding import count_missing, embed_missing, keep_neighbours_together
from papers.services.training import MOST_PAPERS, texts_to_learn_from
from wovepaper.lib.progress_bar import progress_bar
from wovepaper.search.meaning.encoders import current_encoder, table_folder
from wovepaper.search.meaning.tables import base_encoder
from wovepaper.search.meaning.training import Options, TooFewTexts, train_table


class Command(BaseCommand):
    """See ``wovepaper.search.meaning.training`` for how."""

    help = "Learn from the catalogue which texts are near in meaning, encode every paper, and search by it."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """How much to learn from, and whether to forget."""
        parser.add_argument(
            "--papers", type=int, default=MOST_PAPERS, help=f"papers to learn from at most ({MOST_PAPERS:,})"
        )
        parser.add_argument("--epochs", type=int, default=Options().epochs, help="how often each is looked at (30)")
        parser.add_argument(
            "--forget", action="store_true", help="go back to the table that was not learnt from the catalogue"
        )

    def handle(self, *args: Any, papers: int, epochs: int, forget: bool, **options: Any) -> None:
        """Train, put the table in use, encode. Raises ``CommandError``."""
        if papers < 1 or epochs < 1:
            raise CommandError("--papers and --epochs must be at least 1.")
        if forget:
            table_folder().forget()
            self.stdout.write("Forgotten: searches go by words alone until there is another table.")
            return
        with progress_bar() as progress:
            task = progress.add_task("learning", total=None)

            def on_step(step: int, steps: int, loss: float) -> None:
                progress.update(task, total=steps, completed=step, description=f"learning (loss {loss:.2f})")

            try:
                table = train_table(
                    texts_to_learn_from(papers), base_encoder(), Options(epochs=epochs), on_step=on_step
                )
            except TooFewTexts as error:
                raise CommandError(str(error)) from error
            version = table_folder().put_in_use(table)
            if current_encoder().version != version:
                self.stdout.write(f"{version} is ready, but ENCODER names another encoder, which stays in use.")
                return
            encoding = progress.add_task("encoding", total=count_missing())
            encoded = embed_missing(on_batch=lambda count: progress.advance(encoding, count))
            progress.add_task("arranging neighbours", total=None)
            keep_neighbours_together()
        self.stdout.write(f"{version} is in use: {encoded:,} papers encoded; searches go by words and meaning.")
