"""ORCID's public records, of schema v3.0 and v2: read on demand, one person at a time, and never harvested."""

from researchers.sources.orcid.documents import read_record, read_search
from researchers.sources.orcid.records import Employment, OrcidRecord, OrcidSearch, OrcidWork, PartialDay

__all__ = [
    "Employment",
    "OrcidRecord",
    "OrcidSearch",
    "OrcidWork",
    "PartialDay",
    "read_record",
    "read_search",
]
