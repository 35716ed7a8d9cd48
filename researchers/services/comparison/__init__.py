"""Researchers side by side: what readers and curators see of them to say whether they are one person. Reads only.

Papers that were merged into others do not count, nor do people who were erased; hidden names are left out.
"""

from researchers.services.comparison.affiliations import DatedAffiliation, DatedAffiliations, affiliations_of
from researchers.services.comparison.co_authors import LARGEST_TEAM, SharedCoAuthor, SharedCoAuthors, shared_co_authors
from researchers.services.comparison.columns import MOST_COMPARED, Column, Comparison, compare
from researchers.services.comparison.names import shown_names
from researchers.services.comparison.papers import (
    PaperOfBoth,
    PrintedPaper,
    latest_papers,
    papers_of_both,
    printed_papers,
)
from researchers.services.comparison.venues import SharedVenue, shared_venues
from researchers.services.comparison.years import YearCount, papers_by_year

__all__ = [
    "LARGEST_TEAM",
    "MOST_COMPARED",
    "Column",
    "Comparison",
    "DatedAffiliation",
    "DatedAffiliations",
    "PaperOfBoth",
    "PrintedPaper",
    "SharedCoAuthor",
    "SharedCoAuthors",
    "SharedVenue",
    "YearCount",
    "affiliations_of",
    "compare",
    "latest_papers",
    "papers_by_year",
    "papers_of_both",
    "printed_papers",
    "shared_co_authors",
    "shared_venues",
    "shown_names",
]
