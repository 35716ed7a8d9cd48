"""``manage.py find_duplicates``: fill the curators' queue anew."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from researchers.models import Researcher
from researchers.services.attribution import find_duplicates
from wovepaper.lib.progress_bar import progress_bar


class Command(BaseCommand):
    """See the module."""

    help = "Look for researchers who may be one, or several, among all of them; what curators decided stands."

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and say what came of it."""
        with progress_bar() as progress:
            task = progress.add_task("find duplicates", total=Researcher.objects.visible().count())
            report = find_duplicates(advance=lambda count: progress.advance(task, count))
        self.stdout.write(
            f"{report.researchers} researchers: {report.filed} candidates are open, {report.removed} went"
            " that nothing speaks for any more"
        )
