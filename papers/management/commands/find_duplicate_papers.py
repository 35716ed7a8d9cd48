"""``manage.py find_duplicate_papers``: compare papers of one title, and papers that claim one identifier."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from papers.fusing import find_duplicates
from papers.models import Paper, PaperCandidate, PaperMergeEvent
from wovepaper.lib.progress_bar import progress_bar

BATCH = 2_000


class Command(BaseCommand):
    """Does for the whole catalogue what ingest does for the papers of a page."""

    help = (
        "Merge papers that are certainly one work, and list the doubtful for curators, among all papers; what curators"
        " decided stands. Ingest does the same for what comes in."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Batch by batch, each in a transaction of its own."""
        merges = PaperMergeEvent.objects.filter(kind="merge").count()
        with progress_bar() as progress:
            task = progress.add_task("compare papers", total=Paper.objects.visible().count())
            after = compared = 0
            while True:
                after, pairs = find_duplicates(after=after, limit=BATCH)
                if not after:
                    break
                compared += pairs
                progress.advance(task, BATCH)
        merged = PaperMergeEvent.objects.filter(kind="merge").count() - merges
        waiting = PaperCandidate.objects.filter(state__in=("open", "snoozed")).count()
        self.stdout.write(f"{compared} pairs compared: {merged} merged; {waiting} wait for curators.")
