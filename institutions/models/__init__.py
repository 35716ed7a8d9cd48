"""Reference data: the organisations of ROR, and what curators said of them and of printed affiliations."""

from institutions.models.curation import Assertion, Candidate, MergeEvent, MergeProposal
from institutions.models.institution import (
    Institution,
    InstitutionIdentifier,
    InstitutionName,
    InstitutionRelation,
)
from institutions.models.rule import AffiliationRule

__all__ = [
    "AffiliationRule",
    "Assertion",
    "Candidate",
    "Institution",
    "InstitutionIdentifier",
    "InstitutionName",
    "InstitutionRelation",
    "MergeEvent",
    "MergeProposal",
]
