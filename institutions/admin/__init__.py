"""The curators' screens of institutions: the registry's records, the queue of duplicates, the history, and rules."""

from institutions.admin.history import MergeEventAdmin
from institutions.admin.queue import CandidateAdmin
from institutions.admin.registry import AffiliationRuleAdmin, InstitutionAdmin

__all__ = ["AffiliationRuleAdmin", "CandidateAdmin", "InstitutionAdmin", "MergeEventAdmin"]
