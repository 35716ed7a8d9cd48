"""``manage.py evaluate_search``: how well the search finds papers of this catalogue, by each of its modes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.progress import TaskID

from papers.services.judging import Score, judge_search
from wovepaper.lib.progress_bar import progress_bar
from wovepaper.search.meaning.encoders import Encoder, EncoderUnavailable, current_encoder

SETS = {
    "title": "a title, for the paper without it",
    "sentence": "a sentence of an abstract, for the rest",
    "citing": "the title of a citing paper, for what it cites",
}


class Command(BaseCommand):
    """See ``papers.services.judging`` for what is asked."""

    help = "Judge the search by the catalogue: mean reciprocal rank and nDCG@10 of each mode."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """How much to ask of how many."""
        parser.add_argument("--queries", type=int, default=300, help="queries of each set at most (300)")
        parser.add_argument("--papers", type=int, default=50_000, help="papers to search at most (50,000)")
        parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a table")

    def handle(self, *args: Any, queries: int, papers: int, **options: Any) -> None:
        """Ask and print. Raises ``CommandError``."""
        if queries < 1 or papers < 1:
            raise CommandError("--queries and --papers must be at least 1.")
        encoder: Encoder | None
        try:
            encoder = current_encoder()
        except EncoderUnavailable as error:
            self.stderr.write(f"Only words are judged: {error}")
            encoder = None
        tasks: dict[str, TaskID] = {}
        with TemporaryDirectory() as folder, progress_bar() as progress:

            def on_step(what: str, done: int, total: int) -> None:
                if what not in tasks:
                    tasks[what] = progress.add_task(what, total=total)
                progress.update(tasks[what], completed=done)

            scores = judge_search(Path(folder) / "index", encoder, queries=queries, papers=papers, on_step=on_step)
        if not scores:
            raise CommandError("There is nothing to judge by: no paper has a title and an abstract.")
        if options["json"]:
            for score in scores:
                self.stdout.write(json.dumps({name: getattr(score, name) for name in Score.__slots__}))
            return
        if encoder is not None and not encoder.is_trained:
            self.stdout.write("Nothing was learnt from this catalogue yet: run manage.py train_encoder.")
        self.stdout.write(f"{'set':10}{'mode':9}{'queries':>8}{'MRR':>8}{'nDCG@10':>9}{'ms':>7}")
        for score in scores:
            self.stdout.write(
                f"{score.kind:10}{score.mode:9}{score.queries:8}{score.mrr:8.3f}{score.ndcg:9.3f}"
                f"{score.milliseconds:7.1f}"
            )
        for kind, meaning in SETS.items():
            if any(score.kind == kind for score in scores):
                self.stdout.write(f"{kind}: {meaning}")
