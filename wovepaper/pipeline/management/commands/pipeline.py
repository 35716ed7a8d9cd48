"""``manage.py pipeline``: drain all stages and say what is parked."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from wovepaper.pipeline.services import drain_with_progress, parked, retry_parked, waiting

SHOWN = 20


class Command(BaseCommand):
    """Drain all stages."""

    help = "Drain all stages of the pipeline and exit; says what is parked."

    def add_arguments(self, parser: CommandParser) -> None:
        """One option."""
        parser.add_argument("--retry-parked", action="store_true", help="Give parked items a fresh start first.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Drain with a progress bar where there is a terminal, then report; parked items are no failure."""
        if options["retry_parked"]:
            self.stdout.write(f"{retry_parked()} parked items get a fresh start.")
        report = drain_with_progress()
        for stage, count in report.done.items():
            self.stdout.write(f"{stage}: {count} done")
        for stage, count in report.failed.items():
            self.stdout.write(f"{stage}: {count} failed")
        for stage, reason in report.stopped.items():
            self.stdout.write(f"{stage}: stopped, the rest waits. {reason}")
        left = waiting().count()
        if left:
            self.stdout.write(f"{left} items wait: they failed and are tried again later, or another worker has them.")
        self._say_what_is_parked()

    def _say_what_is_parked(self) -> None:
        count = parked().count()
        if not count:
            self.stdout.write("Nothing is parked.")
            return
        self.stdout.write(f"{count} items are parked:")
        for item in parked()[:SHOWN]:
            first_line = item.error.partition("\n")[0]
            self.stdout.write(f"  {item.kind} {item.object_id} at {item.stage}: {first_line}")
        if count > SHOWN:
            self.stdout.write(f"  and {count - SHOWN} more, in the admin.")
        self.stdout.write("Once the cause is mended: manage.py pipeline --retry-parked, or retry them in the admin.")
