"""What the sources said, and the papers it adds up to."""

from papers.models.authorship import Affiliation, Authorship, SourceAuthorship
from papers.models.category import Category, CategoryListing
from papers.models.institution import PaperInstitution
from papers.models.metric import PaperMetric
from papers.models.paper import IdentifierClash, Paper, PaperIdentifier, PaperVersion
from papers.models.source_record import SourceRecord

__all__ = [
    "Affiliation",
    "Authorship",
    "Category",
    "CategoryListing",
    "IdentifierClash",
    "Paper",
    "PaperIdentifier",
    "PaperInstitution",
    "PaperMetric",
    "PaperVersion",
    "SourceAuthorship",
    "SourceRecord",
]
