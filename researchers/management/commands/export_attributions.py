"""``manage.py export_attributions``: who wrote what, one JSON line per author, to the standard output."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand

from researchers.services.attribution import export_lines


class Command(BaseCommand):
    """See the module."""

    help = "Write one JSON line per author to the standard output: paper, position, printed name, researcher."

    def handle(self, *args: Any, **options: Any) -> None:
        """Stream, until whoever reads has read enough, such as ``head``."""
        try:
            for line in export_lines():
                self.stdout.write(line)
            self.stdout.flush()
        except BrokenPipeError:
            # What is left in the buffer would break the pipe once more when the process ends.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.stdout.fileno())
            os.close(nowhere)
