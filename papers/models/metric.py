"""How often others cite a paper, as each source counts."""

from __future__ import annotations

from django.db import models


class PaperMetric(models.Model):
    """What one source counts for the paper: the largest count that any of its records of the paper gives.

    Written by ingest, from the records, and by ``papers.services.citation_counts`` for counts that come without any.
    """

    paper = models.ForeignKey("papers.Paper", models.CASCADE, related_name="metrics")
    source = models.CharField(max_length=24)
    cited_by_count = models.PositiveIntegerField()
    as_of = models.DateField(help_text="The day for which the source said so.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["paper", "source"], name="paper_metric_once")]

    def __str__(self) -> str:
        return f"{self.cited_by_count} by {self.source} on {self.as_of}"
