"""The curation engine as other apps use it."""

from wovepaper.curation.adapter import Action, Actor, Adapter, Ids, Returned, RootColumn
from wovepaper.curation.addresses import Resolution, keep_slug, moved_permanently, resolve
from wovepaper.curation.assertions import declare_different, declare_same, revoke
from wovepaper.curation.audit import Fault, audit
from wovepaper.curation.errors import (
    AlreadyDecided,
    AlreadyUndone,
    Blocked,
    Busy,
    Change,
    ChoiceRefused,
    Conflict,
    CurationError,
    KeyReused,
    LeaseLost,
    NotMergeable,
    NotPermitted,
    Obstacle,
    ReasonMissing,
)
from wovepaper.curation.journal import compare_versions, raise_versions, require, require_reason, write_log
from wovepaper.curation.locking import Component, Member, in_one_transaction, lock_components, read_components
from wovepaper.curation.merge import Merge, MergeOutcome, MergePlan, MergeRequest
from wovepaper.curation.proposals import confirm_proposal, reject_proposal
from wovepaper.curation.queue import CandidateDraft, file_candidates, lease, lease_next, release, snooze, waiting
from wovepaper.curation.split import Split, SplitOutcome, SplitRequest
from wovepaper.curation.undo import Undo, UndoOutcome, UndoPlan

__all__ = [
    "Action",
    "Actor",
    "Adapter",
    "AlreadyDecided",
    "AlreadyUndone",
    "Blocked",
    "Busy",
    "CandidateDraft",
    "Change",
    "ChoiceRefused",
    "Component",
    "Conflict",
    "CurationError",
    "Fault",
    "Ids",
    "KeyReused",
    "LeaseLost",
    "Member",
    "Merge",
    "MergeOutcome",
    "MergePlan",
    "MergeRequest",
    "NotMergeable",
    "NotPermitted",
    "Obstacle",
    "ReasonMissing",
    "Resolution",
    "Returned",
    "RootColumn",
    "Split",
    "SplitOutcome",
    "SplitRequest",
    "Undo",
    "UndoOutcome",
    "UndoPlan",
    "audit",
    "compare_versions",
    "confirm_proposal",
    "declare_different",
    "declare_same",
    "file_candidates",
    "in_one_transaction",
    "keep_slug",
    "lease",
    "lease_next",
    "lock_components",
    "moved_permanently",
    "raise_versions",
    "read_components",
    "reject_proposal",
    "release",
    "require",
    "require_reason",
    "resolve",
    "revoke",
    "snooze",
    "waiting",
    "write_log",
]
