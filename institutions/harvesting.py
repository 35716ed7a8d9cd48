"""The source that institutions come from: wired here, in one place."""

from __future__ import annotations

from django.conf import settings

from institutions.services.duplicates import find_duplicates
from institutions.services.ingest import ingest_again, ingest_organisations
from institutions.sources.ror import RorSource
from wovepaper.harvest import registry
from wovepaper.harvest.hooks import FinishedRun, on_run_finished


def register_sources() -> None:
    """Called once all apps are loaded. Addresses are read when a request is made, so that settings can change."""
    ror = RorSource(
        api_url=lambda: settings.ROR_API_URL,
        dump_url=lambda: settings.ROR_DUMP_URL,
        client_id=lambda: settings.ROR_CLIENT_ID,
    )
    registry.register(ror, sink=ingest_organisations, replay_sink=ingest_again)
    on_run_finished(find_duplicates_after_import)


def find_duplicates_after_import(finished: FinishedRun) -> None:
    """A run of the registry that brought anything may have brought an institution twice."""
    if finished.source == RorSource.name and (finished.counts.new or finished.counts.changed):
        find_duplicates()
