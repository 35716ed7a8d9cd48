"""The curators' screens: the queue and its comparisons, the journal, single decisions, one researcher."""

from researchers.admin.contests import ContestAdmin
from researchers.admin.decisions import AssertionAdmin, DecisionAdmin
from researchers.admin.journal import MergeEventAdmin
from researchers.admin.proposals import MergeProposalAdmin
from researchers.admin.queue import CandidateAdmin
from researchers.admin.researcher import ResearcherAdmin

__all__ = [
    "AssertionAdmin",
    "CandidateAdmin",
    "ContestAdmin",
    "DecisionAdmin",
    "MergeEventAdmin",
    "MergeProposalAdmin",
    "ResearcherAdmin",
]
