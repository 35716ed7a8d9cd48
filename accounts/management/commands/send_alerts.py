"""``manage.py send_alerts``: what beat does every minute, by hand."""

from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.dateparse import parse_datetime

from accounts.services.deliveries import send_alerts


class Command(BaseCommand):
    """Send the mail that is due."""

    help = "Put together the mail that is due to readers and send what waits; safe to run at any time, also twice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """``--now``."""
        parser.add_argument(
            "--now", metavar="T", default="", help="As if it were then: 2026-11-30T07:00+05:45; UTC without an offset."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises ``CommandError`` for a time that is none."""
        done = send_alerts(now=_moment(options["now"]))
        self.stdout.write(
            f"{done.settled} put together, {done.sent} sent, {done.failed} failed, {done.withheld} withheld."
        )


def _moment(text: str) -> dt.datetime | None:
    if not text:
        return None
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None:
        raise CommandError(f"{text!r} is no time: write it as 2026-11-30T07:00 or 2026-11-30T07:00+05:45.")
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
