"""Application wiring."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class PapersConfig(AppConfig):
    name = "papers"
    label = "papers"
    verbose_name = "Papers"

    def ready(self) -> None:
        """Register what the engines run for papers, and keep the taxonomy in every database that is migrated."""
        from papers.harvesting import register_sources
        from papers.institutions.search_entrance import register_search as register_search_for_institutions
        from papers.pipeline import register_stages
        from papers.search_entrance import register_search
        from papers.services.categories import load_categories_after_migration

        register_stages()
        register_sources()
        register_search()
        register_search_for_institutions()
        post_migrate.connect(load_categories_after_migration, sender=self, dispatch_uid="papers.categories")
