"""What a paper refers to, and which papers here that is."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q


class Reference(models.Model):
    """An entry of a paper's list of references, written by ingest.

    The list shown is that of one source, with positions; what only other lists name has none, and serves to know who
    cites whom. ``cited`` follows from the identifiers; written by the stage ``link``.
    """

    paper = models.ForeignKey("papers.Paper", models.CASCADE, related_name="references", db_index=False)
    position = models.PositiveIntegerField(null=True, help_text="From 1; empty where the list shown does not have it.")
    cited = models.ForeignKey(
        "papers.Paper", models.SET_NULL, null=True, blank=True, related_name="referred_to", db_index=False
    )
    doi = models.CharField(max_length=255, blank=True)
    arxiv_id = models.CharField(max_length=32, blank=True)
    openalex_id = models.CharField(max_length=24, blank=True)
    s2_id = models.CharField(max_length=48, blank=True)
    pmid = models.CharField(max_length=16, blank=True)
    text = models.TextField(blank=True, help_text="As printed, or put together from what a source took it apart into.")

    class Meta:
        ordering: ClassVar[list[str]] = ["paper_id", "position"]
        constraints = [models.UniqueConstraint(fields=["paper", "position"], name="reference_position")]
        indexes = [
            models.Index(fields=["cited"], name="reference_cited", condition=Q(cited__isnull=False)),
            # By these a paper that comes later finds who refers to it.
            *(
                models.Index(fields=[name], name=f"reference_{name}", condition=~Q(**{name: ""}))
                for name in ("doi", "arxiv_id", "openalex_id", "s2_id", "pmid")
            ),
        ]

    def __str__(self) -> str:
        return f"[{self.position or '–'}] {self.text or self.doi or self.arxiv_id}"


class PaperCitation(models.Model):
    """A paper here that cites another paper here, once whatever its lists say. Written by the stage ``link``."""

    paper = models.ForeignKey("papers.Paper", models.CASCADE, related_name="citations", db_index=False)
    cited = models.ForeignKey("papers.Paper", models.CASCADE, related_name="cited_by", db_index=False)
    sort_date = models.DateField(help_text="The citing paper's, so that the list needs no sorting.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["paper", "cited"], name="paper_citation_once")]
        indexes = [models.Index(fields=["cited", "-sort_date", "-paper"], name="paper_citation_newest")]

    def __str__(self) -> str:
        return f"{self.paper_id} cites {self.cited_id}"
