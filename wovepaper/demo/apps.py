"""Application wiring."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "wovepaper.demo"
    label = "demo"
    verbose_name = "Demo catalogue"

    def ready(self) -> None:
        """Register the source, so that the harvest engine can read and replay it."""
        from papers.services.ingest import ingest_again, ingest_records
        from wovepaper.demo.source import DemoSource
        from wovepaper.harvest import registry

        registry.register(DemoSource(), sink=ingest_records, replay_sink=ingest_again)
