"""What the sources said, and the papers it adds up to."""

from papers.models.authorship import Affiliation, Authorship, SourceAuthorship
from papers.models.category import Category, CategoryListing
from papers.models.curation import (
    CuratedPaper,
    PaperAssertion,
    PaperCandidate,
    PaperMergeEvent,
    PaperMergeProposal,
    RecordPlace,
)
from papers.models.institution import PaperInstitution
from papers.models.metric import PaperMetric
from papers.models.notice import Notice
from papers.models.paper import IdentifierClash, Paper, PaperIdentifier, PaperVersion
from papers.models.reference import PaperCitation, Reference
from papers.models.source_record import SourceRecord
from papers.models.vector import PaperVector

__all__ = [
    "Affiliation",
    "Authorship",
    "Category",
    "CategoryListing",
    "CuratedPaper",
    "IdentifierClash",
    "Notice",
    "Paper",
    "PaperAssertion",
    "PaperCandidate",
    "PaperCitation",
    "PaperIdentifier",
    "PaperInstitution",
    "PaperMergeEvent",
    "PaperMergeProposal",
    "PaperMetric",
    "PaperVector",
    "PaperVersion",
    "RecordPlace",
    "Reference",
    "SourceAuthorship",
    "SourceRecord",
]
