"""``manage.py check_identity``: proof that every shown researcher is the root of its base."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from researchers.merging import ADAPTER
from wovepaper.curation.services import audit


class Command(BaseCommand):
    """Reads everything, writes nothing; ends with 1 if something is wrong."""

    help = (
        "Check that every shown researcher is the root of its base, that merges and their journal agree, and that no"
        " decision is broken."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Name each kind of fault with examples. Raises ``CommandError`` if there is any."""
        faults = audit(ADAPTER)
        for fault in faults:
            self.stdout.write(f"{fault.what}: {fault.count}")
            for example in fault.examples:
                self.stdout.write(f"  {example}")
        if faults:
            raise CommandError(f"{sum(fault.count for fault in faults)} faults. Nothing was changed.")
        self.stdout.write("Every shown researcher is the root of its base, and no decision is broken.")
