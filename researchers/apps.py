"""Application wiring."""

from django.apps import AppConfig


class ResearchersConfig(AppConfig):
    name = "researchers"
    label = "researchers"
    verbose_name = "Researchers"

    def ready(self) -> None:
        """Register what the engines run for researchers."""
        from researchers.harvesting import register_profiles
        from researchers.indexing import register_indexing
        from researchers.pipeline import register_stages
        from researchers.search_entrance import register_search

        register_profiles()
        register_stages()
        register_indexing()
        register_search()
