"""The harvest console: sources at a glance, their windows, runs and answers, and what could not be used."""

from wovepaper.harvest.admin.console import SourceStateAdmin
from wovepaper.harvest.admin.history import (
    GoneRecordAdmin,
    HarvestFileAdmin,
    HarvestRunAdmin,
    HarvestWindowAdmin,
    RawPageAdmin,
)
from wovepaper.harvest.admin.quarantine import QuarantinedRecordAdmin

__all__ = [
    "GoneRecordAdmin",
    "HarvestFileAdmin",
    "HarvestRunAdmin",
    "HarvestWindowAdmin",
    "QuarantinedRecordAdmin",
    "RawPageAdmin",
    "SourceStateAdmin",
]
