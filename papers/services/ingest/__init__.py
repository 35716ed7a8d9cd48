"""Records of sources in, papers out: identity, precedence, pinned values, and only the rows that differ written."""

from papers.services.ingest.intake import ingest_again, ingest_records, refresh_papers
from papers.services.ingest.pinned import PINNABLE_FIELDS, PinRefused

__all__ = ["PINNABLE_FIELDS", "PinRefused", "ingest_again", "ingest_records", "refresh_papers"]
