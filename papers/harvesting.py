"""The sources that papers come from: wired here, in one place."""

from __future__ import annotations

from django.conf import settings

from papers.services.ingest import ingest_again, ingest_records
from papers.sources.arxiv import ArxivSource
from papers.sources.crossref import CrossrefSource
from papers.sources.openalex import OpenAlexSource
from wovepaper.harvest import registry


def register_sources() -> None:
    """Called once all apps are loaded. Base URLs are read when a request is made, so that settings can change."""
    registry.register(ArxivSource(lambda: settings.ARXIV_OAI_URL), sink=ingest_records, replay_sink=ingest_again)
    registry.register(
        CrossrefSource(lambda: settings.CROSSREF_API_URL, lambda: settings.CONTACT_EMAIL),
        sink=ingest_records,
        replay_sink=ingest_again,
    )
    registry.register(OpenAlexSource(), sink=ingest_records, replay_sink=ingest_again)
