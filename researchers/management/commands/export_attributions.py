"""``manage.py export_attributions``: who wrote what, one JSON line per author, to the standard output."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from researchers.services.attribution import export_lines


class Command(BaseCommand):
    """See the module."""

    help = "Write one JSON line per author to the standard output: paper, position, printed name, researcher."

    def handle(self, *args: Any, **options: Any) -> None:
        """Stream."""
        for line in export_lines():
            self.stdout.write(line)
