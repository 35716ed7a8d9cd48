"""What can be done with the harvest: keyword-only functions, one transaction each unless they say otherwise."""

from wovepaper.harvest.services.comparison import can_be_compared, compare_source
from wovepaper.harvest.services.enrichment import enrich_source, has_lookups_to_do
from wovepaper.harvest.services.files import harvest_files
from wovepaper.harvest.services.network import follow_source, harvest_source
from wovepaper.harvest.services.replay import replay_pages, replay_quarantined
from wovepaper.harvest.services.retention import purge_raw_pages
from wovepaper.harvest.services.runs import RunSummary
from wovepaper.harvest.services.sources import (
    SourceOverview,
    forget_field_profile,
    pause_source,
    resume_source,
    source_overview,
)

__all__ = [
    "RunSummary",
    "SourceOverview",
    "can_be_compared",
    "compare_source",
    "enrich_source",
    "follow_source",
    "forget_field_profile",
    "harvest_files",
    "harvest_source",
    "has_lookups_to_do",
    "pause_source",
    "purge_raw_pages",
    "replay_pages",
    "replay_quarantined",
    "resume_source",
    "source_overview",
]
