"""The curation engine's tables for institutions: which records of the registry are one, and who said so."""

from __future__ import annotations

from django.db import models

from institutions.models.institution import Institution
from wovepaper.curation.models import AssertionModel, CandidateModel, MergeEventModel, MergeProposalModel


class MergeEvent(MergeEventModel):
    """A merge of institutions by a curator, or its undo. That a record names a successor is no event."""

    loser = models.ForeignKey(Institution, models.PROTECT, related_name="events_as_loser")
    survivor = models.ForeignKey(Institution, models.PROTECT, related_name="events_as_survivor")

    class Meta(MergeEventModel.Meta):
        verbose_name = "event"
        verbose_name_plural = "history of institutions"
        permissions = [
            ("merge_institution", "Can merge institutions"),
            ("undo_own_event", "Can undo their own merges of institutions"),
            ("undo_any_event", "Can undo anybody's merges of institutions"),
            ("override_difference", "Can merge institutions against an earlier decision"),
        ]


class MergeProposal(MergeProposalModel):
    """The engine's table of merges that wait for a second curator; merges of institutions never do."""

    loser = models.ForeignKey(Institution, models.PROTECT, related_name="+")
    survivor = models.ForeignKey(Institution, models.PROTECT, related_name="+")
    event = models.OneToOneField(MergeEvent, models.PROTECT, null=True, blank=True, related_name="proposal")

    class Meta(MergeProposalModel.Meta):
        pass


class Assertion(AssertionModel):
    """Two institutions are one, or two."""

    a = models.ForeignKey(Institution, models.PROTECT, related_name="assertions_as_a")
    b = models.ForeignKey(Institution, models.PROTECT, related_name="assertions_as_b")
    revoked_by_event = models.ForeignKey(
        MergeEvent, models.PROTECT, null=True, blank=True, related_name="revoked_assertions"
    )

    class Meta(AssertionModel.Meta):
        pass


class Candidate(CandidateModel):
    """Institutions that may be one."""

    class Meta(CandidateModel.Meta):
        verbose_name = "item of the queue of institutions"
        verbose_name_plural = "queue of institutions"
        permissions = [("review_candidate", "Can review duplicate institutions")]
