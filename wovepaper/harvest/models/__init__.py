"""What the harvest remembers: how far it got, what it was sent, and what it could not use."""

from wovepaper.harvest.models.enrichment import Enrichment, GoneRecord, ListedRecord, Spending
from wovepaper.harvest.models.lease import HostLease
from wovepaper.harvest.models.quarantine import QuarantinedRecord
from wovepaper.harvest.models.raw_page import RawPage
from wovepaper.harvest.models.run import HarvestRun
from wovepaper.harvest.models.source_state import FieldProfile, SourceState, Watermark
from wovepaper.harvest.models.window import HarvestFile, HarvestWindow

__all__ = [
    "Enrichment",
    "FieldProfile",
    "GoneRecord",
    "HarvestFile",
    "HarvestRun",
    "HarvestWindow",
    "HostLease",
    "ListedRecord",
    "QuarantinedRecord",
    "RawPage",
    "SourceState",
    "Spending",
    "Watermark",
]
