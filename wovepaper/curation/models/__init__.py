"""What every kind of object that can be merged has; the domain apps make tables of these."""

from wovepaper.curation.models.address import OldAddressModel
from wovepaper.curation.models.assertion import AssertionModel
from wovepaper.curation.models.candidate import CandidateModel
from wovepaper.curation.models.event import MergeEventModel
from wovepaper.curation.models.mergeable import MergeableModel, take_ids
from wovepaper.curation.models.proposal import MergeProposalModel

__all__ = [
    "AssertionModel",
    "CandidateModel",
    "MergeEventModel",
    "MergeProposalModel",
    "MergeableModel",
    "OldAddressModel",
    "take_ids",
]
