"""Our conclusion about who an author is."""

from __future__ import annotations

from django.db import models

from researchers.models.researcher import Researcher
from researchers.querysets import AttributionQuerySet


class Attribution(models.Model):
    """Which researcher stands at a place in an author list, who decided so, and on what evidence.

    ``base`` is the conclusion and no merge changes it; ``root`` is the base's root, which is shown. Written by
    ``researchers.services.attributions`` only, which keeps merges out while it looks up roots.
    """

    class DecidedBy(models.TextChoices):
        HUMAN = "human", "A curator"
        CLAIM = "claim", "The person"
        ORCID = "orcid", "An ORCID"
        MODEL = "model", "Likeness"
        NEW = "new", "Nobody known was like them"

    authorship = models.OneToOneField("papers.Authorship", models.CASCADE, related_name="attribution")
    paper = models.ForeignKey("papers.Paper", models.CASCADE, related_name="attributions", db_index=False)
    base = models.ForeignKey(Researcher, models.PROTECT, related_name="base_attributions")
    root = models.ForeignKey(Researcher, models.PROTECT, related_name="attributions")
    decided_by = models.CharField(max_length=5, choices=DecidedBy.choices)
    score = models.FloatField(null=True, blank=True, help_text="Probability from 0 to 1.")
    evidence = models.JSONField(default=list, blank=True, help_text="What the score is made of.")
    model_version = models.CharField(max_length=32, blank=True)
    decided_at = models.DateTimeField()

    objects = AttributionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["paper", "base"], name="attribution_base_once"),
            # One person never twice on a paper, whoever writes and whatever is merged.
            models.UniqueConstraint(fields=["paper", "root"], name="attribution_root_once"),
        ]

    def __str__(self) -> str:
        return f"{self.authorship_id} is {self.base_id}"
