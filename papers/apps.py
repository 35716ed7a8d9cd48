"""Application wiring."""

from django.apps import AppConfig


class PapersConfig(AppConfig):
    name = "papers"
    label = "papers"
    verbose_name = "Papers"

    def ready(self) -> None:
        """Register what the engines run for papers."""
        from papers.pipeline import register_stages

        register_stages()
