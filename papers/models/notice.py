"""Retractions, corrections and other notices about works that were published before."""

from __future__ import annotations

from django.db import models

from papers.models.paper import DatePrecision


class Notice(models.Model):
    """A notice as the records of one paper tell of it: of the work it is about, or of the notice itself.

    It names works by DOI, so that either may come in first, or never.
    """

    class Kind(models.TextChoices):
        RETRACTION = "retraction", "Retraction"
        WITHDRAWAL = "withdrawal", "Withdrawal"
        REMOVAL = "removal", "Removal"
        PARTIAL_RETRACTION = "partial-retraction", "Partial retraction"
        CONCERN = "expression-of-concern", "Expression of concern"
        CORRECTION = "correction", "Correction"
        REINSTATEMENT = "reinstatement", "Reinstatement"

    paper = models.ForeignKey(
        "papers.Paper", models.CASCADE, related_name="notices", help_text="Whose records tell of it.", db_index=False
    )
    kind = models.CharField(max_length=24, choices=Kind.choices)
    work = models.CharField(max_length=255, help_text="DOI of the work that it is about.")
    notice = models.CharField(max_length=255, blank=True, help_text="DOI of the notice, where it has one.")
    day = models.DateField(null=True, blank=True, help_text="First day of the period the precision names.")
    precision = models.CharField(max_length=5, choices=DatePrecision.choices, default=DatePrecision.DAY)
    asserted_by = models.CharField(max_length=32, help_text="publisher, or who keeps a register of such notices.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["paper", "work", "notice", "kind", "asserted_by"], name="notice_once")
        ]
        indexes = [
            models.Index(fields=["work"], name="notice_work"),
            models.Index(fields=["notice"], name="notice_notice", condition=~models.Q(notice="")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.work}"
