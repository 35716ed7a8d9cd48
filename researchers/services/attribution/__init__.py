"""Deciding who wrote what, as the rest of the project uses it."""

from researchers.services.attribution.batch import LARGE, attribute_papers
from researchers.services.attribution.duplicates import FindReport, find_duplicates
from researchers.services.attribution.everything import (
    attribute_all_grown,
    attribute_everything,
    count_authors,
    enqueue_unattributed,
)
from researchers.services.attribution.export import export_lines
from researchers.services.attribution.growth import count_grown
from researchers.services.attribution.report import Report

__all__ = [
    "LARGE",
    "FindReport",
    "Report",
    "attribute_all_grown",
    "attribute_everything",
    "attribute_papers",
    "count_authors",
    "count_grown",
    "enqueue_unattributed",
    "export_lines",
    "find_duplicates",
]
