"""Deciding who wrote what, as the rest of the project uses it."""

from researchers.services.attribution.batch import Report, attribute_papers
from researchers.services.attribution.everything import attribute_everything, count_papers, enqueue_unattributed
from researchers.services.attribution.export import export_lines

__all__ = [
    "Report",
    "attribute_everything",
    "attribute_papers",
    "count_papers",
    "enqueue_unattributed",
    "export_lines",
]
