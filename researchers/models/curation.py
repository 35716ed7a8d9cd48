"""The curation engine's tables for researchers."""

from __future__ import annotations

from django.db import models

from researchers.models.researcher import Researcher
from wovepaper.curation.models import (
    AssertionModel,
    CandidateModel,
    MergeEventModel,
    MergeProposalModel,
    OldAddressModel,
)


class MergeEvent(MergeEventModel):
    """A merge, split or undo of researchers."""

    loser = models.ForeignKey(Researcher, models.PROTECT, related_name="events_as_loser")
    survivor = models.ForeignKey(Researcher, models.PROTECT, related_name="events_as_survivor")

    class Meta(MergeEventModel.Meta):
        verbose_name = "event"
        verbose_name_plural = "history"
        permissions = [
            ("merge_researcher", "Can merge researchers"),
            ("undo_own_event", "Can undo their own merges and splits"),
            ("undo_any_event", "Can undo anybody's merges and splits"),
            ("split_researcher", "Can split researchers and move authorships"),
            ("override_difference", "Can merge against an earlier decision"),
        ]


class MergeProposal(MergeProposalModel):
    """A merge of researchers that waits for a second curator."""

    loser = models.ForeignKey(Researcher, models.PROTECT, related_name="+")
    survivor = models.ForeignKey(Researcher, models.PROTECT, related_name="+")
    event = models.OneToOneField(MergeEvent, models.PROTECT, null=True, blank=True, related_name="proposal")

    class Meta(MergeProposalModel.Meta):
        verbose_name = "proposal"
        verbose_name_plural = "proposals"


class Assertion(AssertionModel):
    """Two researchers are one person, or two people."""

    a = models.ForeignKey(Researcher, models.PROTECT, related_name="assertions_as_a")
    b = models.ForeignKey(Researcher, models.PROTECT, related_name="assertions_as_b")
    revoked_by_event = models.ForeignKey(
        MergeEvent, models.PROTECT, null=True, blank=True, related_name="revoked_assertions"
    )

    class Meta(AssertionModel.Meta):
        verbose_name = "same or different"
        verbose_name_plural = "same or different"


class Candidate(CandidateModel):
    """Researchers who may be one person, or one who may be several."""

    class Meta(CandidateModel.Meta):
        verbose_name = "item of the queue"
        verbose_name_plural = "queue"
        permissions = [("review_candidate", "Can review duplicate researchers")]


class OldSlug(OldAddressModel):
    """A slug a researcher had."""

    subject = models.ForeignKey(Researcher, models.PROTECT, related_name="old_slugs")

    class Meta(OldAddressModel.Meta):
        pass
