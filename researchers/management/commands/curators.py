"""``manage.py curators``: the group of curators, and who is in it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from researchers.services.curators import CURATORS, ensure_curators


class Command(BaseCommand):
    """See ``--help``."""

    help = f"Make the group “{CURATORS}” if it is not there, put accounts into it or take them out, and list it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whom to put in and take out."""
        parser.add_argument("--add", nargs="+", default=[], metavar="ADDRESS", help="e-mail addresses of accounts")
        parser.add_argument("--remove", nargs="+", default=[], metavar="ADDRESS", help="e-mail addresses of accounts")

    @transaction.atomic
    def handle(self, *args: Any, add: list[str], remove: list[str], **options: Any) -> None:
        """All or nothing; ends with the list of members."""
        group = ensure_curators()
        for user in map(self._find, add):
            user.groups.add(group)
            if not user.is_staff:  # the admin lets in nobody else; it shows them what the group may, and no more
                user.is_staff = True
                user.save(update_fields=["is_staff"])
        for user in map(self._find, remove):
            user.groups.remove(group)
        members = get_user_model().objects.filter(groups=group).order_by("email")
        if not members:
            self.stdout.write("There is no curator yet: manage.py curators --add ADDRESS")
        for user in members:
            self.stdout.write(f"{user.email}{'' if user.is_active else ' (asleep)'}")

    @staticmethod
    def _find(address: str) -> Any:
        user = get_user_model().objects.filter(email__iexact=address).first()
        if user is None:
            raise CommandError(f"There is no account {address}: let them sign up first, or make it in the admin.")
        return user
