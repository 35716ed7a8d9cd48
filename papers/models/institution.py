"""Papers of institutions, for their lists."""

from __future__ import annotations

from django.db import models


class PaperInstitution(models.Model):
    """An institution that some author of a paper names. Follows from the affiliations; written by ``affiliate``."""

    paper = models.ForeignKey("papers.Paper", models.CASCADE, related_name="institutions")
    institution = models.ForeignKey(
        "institutions.Institution", models.PROTECT, related_name="papers", db_index=False, help_text="As it is shown."
    )
    sort_date = models.DateField(help_text="The paper's, so that the list needs no sorting.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["paper", "institution"], name="paper_institution_once")]
        indexes = [models.Index(fields=["institution", "-sort_date", "-paper"], name="paper_institution_newest")]

    def __str__(self) -> str:
        return f"paper {self.paper_id} of institution {self.institution_id}"
