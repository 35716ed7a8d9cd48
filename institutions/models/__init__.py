"""Reference data: the organisations of ROR, and what curators said about printed affiliations."""

from institutions.models.institution import (
    Institution,
    InstitutionIdentifier,
    InstitutionName,
    InstitutionRelation,
)
from institutions.models.rule import AffiliationRule

__all__ = ["AffiliationRule", "Institution", "InstitutionIdentifier", "InstitutionName", "InstitutionRelation"]
