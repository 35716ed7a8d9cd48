"""The curation engine's tables for papers: which papers are one, which records were given to which, and who said so."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from papers.models.paper import Paper
from papers.models.source_record import SourceRecord
from wovepaper.curation.models import (
    AssertionModel,
    CandidateModel,
    MergeableModel,
    MergeEventModel,
    MergeProposalModel,
)


class CuratedPaper(MergeableModel):
    """A paper that was compared, merged or split, under the paper's own number. Most papers never have one.

    ``Paper.redirect_to`` follows from its root.
    """

    paper = models.OneToOneField(Paper, models.CASCADE, primary_key=True, related_name="curated")

    class Meta:
        # Those of the abstract model go by a column that this one does not have.
        constraints = [
            models.CheckConstraint(
                condition=Q(merged_into=None, root=F("paper")) | (Q(merged_into__isnull=False) & ~Q(root=F("paper"))),
                name="papers_curatedpaper_root",
            ),
        ]

    def __str__(self) -> str:
        return f"paper {self.pk}"


class RecordPlace(models.Model):
    """Which paper a source record was given to, ``base``, and under which it is shown, ``root``.

    Only records of curated papers have one. No harvest changes it: a record that a curator moved stays.
    """

    record = models.OneToOneField(SourceRecord, models.CASCADE, primary_key=True, related_name="place")
    base = models.ForeignKey(CuratedPaper, models.CASCADE, related_name="records")
    root = models.ForeignKey(CuratedPaper, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"record {self.pk} of paper {self.base_id}"


class PaperMergeEvent(MergeEventModel):
    """A merge, split or undo of papers. Without an actor it was ingest, which fuses what identifiers tie together."""

    loser = models.ForeignKey(CuratedPaper, models.PROTECT, related_name="events_as_loser")
    survivor = models.ForeignKey(CuratedPaper, models.PROTECT, related_name="events_as_survivor")

    class Meta(MergeEventModel.Meta):
        verbose_name = "event"
        verbose_name_plural = "history of papers"
        permissions = [
            ("merge_paper", "Can merge papers"),
            ("undo_own_paper_event", "Can undo their own merges and splits of papers"),
            ("undo_any_paper_event", "Can undo anybody's merges and splits of papers"),
            ("split_paper", "Can split papers by their records"),
            ("override_paper_difference", "Can merge papers against an earlier decision"),
        ]


class PaperMergeProposal(MergeProposalModel):
    """A merge of papers that waits for a second curator."""

    loser = models.ForeignKey(CuratedPaper, models.PROTECT, related_name="+")
    survivor = models.ForeignKey(CuratedPaper, models.PROTECT, related_name="+")
    event = models.OneToOneField(PaperMergeEvent, models.PROTECT, null=True, blank=True, related_name="proposal")

    class Meta(MergeProposalModel.Meta):
        pass


class PaperAssertion(AssertionModel):
    """Two papers are one work, or two."""

    a = models.ForeignKey(CuratedPaper, models.PROTECT, related_name="assertions_as_a")
    b = models.ForeignKey(CuratedPaper, models.PROTECT, related_name="assertions_as_b")
    revoked_by_event = models.ForeignKey(
        PaperMergeEvent, models.PROTECT, null=True, blank=True, related_name="revoked_assertions"
    )

    class Meta(AssertionModel.Meta):
        pass


class PaperCandidate(CandidateModel):
    """Papers that may be one work."""

    class Meta(CandidateModel.Meta):
        verbose_name = "item of the queue of papers"
        verbose_name_plural = "queue of papers"
        permissions = [("review_papercandidate", "Can review duplicate papers")]
