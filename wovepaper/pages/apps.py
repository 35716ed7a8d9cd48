"""Application wiring."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class PagesConfig(AppConfig):
    name = "wovepaper.pages"
    label = "pages"
    verbose_name = "Pages"

    def ready(self) -> None:
        """Write the first texts once the tables of flat pages and sites are there."""
        post_migrate.connect(_write_first_texts, dispatch_uid="pages.first_texts")


def _write_first_texts(sender: AppConfig, using: str, **kwargs: Any) -> None:
    # The signal comes once for each app; the last of those concerned is the one that sees all tables.
    if sender.label == "flatpages":
        from wovepaper.pages.services import write_first_texts

        write_first_texts(using=using)
