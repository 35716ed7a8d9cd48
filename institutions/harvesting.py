"""The source that institutions come from: wired here, in one place."""

from __future__ import annotations

from institutions.services.ingest import ingest_again, ingest_organisations
from institutions.sources.ror import RorSource
from wovepaper.harvest import registry


def register_sources() -> None:
    """Called once all apps are loaded."""
    registry.register(RorSource(), sink=ingest_organisations, replay_sink=ingest_again)
