"""Deciding who wrote what, as the rest of the project uses it."""

from researchers.services.attribution.batch import Report, attribute_papers
from researchers.services.attribution.duplicates import FindReport, find_duplicates
from researchers.services.attribution.everything import attribute_everything, count_authors, enqueue_unattributed
from researchers.services.attribution.export import export_lines

__all__ = [
    "FindReport",
    "Report",
    "attribute_everything",
    "attribute_papers",
    "count_authors",
    "enqueue_unattributed",
    "export_lines",
    "find_duplicates",
]
