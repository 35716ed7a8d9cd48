"""Application wiring."""

from django.apps import AppConfig


class InstitutionsConfig(AppConfig):
    name = "institutions"
    label = "institutions"
    verbose_name = "Institutions"

    def ready(self) -> None:
        """Register what the engines run for institutions."""
        from institutions.harvesting import register_sources

        register_sources()
