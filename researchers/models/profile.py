"""What sources keep of the authors they know, each under ids of its own."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class SourceAuthor(models.Model):
    """The profile that a source keeps under an author id, whoever of ours it may be of, if anybody.

    Written by harvests. Figures of researchers follow from it and from who carries the id on papers here. What the
    source calls them is not kept: it may be a name that they have given up.
    """

    source = models.CharField(max_length=24)
    author_id = models.CharField(max_length=64, help_text="Normalised.")
    stamp = models.CharField(max_length=40, blank=True, help_text="The source's own date of change, as sent.")
    orcid = models.CharField(max_length=19, blank=True)
    h_index = models.PositiveIntegerField(null=True, blank=True)
    cited_by_count = models.PositiveIntegerField(null=True, blank=True)
    works_count = models.PositiveIntegerField(null=True, blank=True)
    as_of = models.DateField(
        null=True, blank=True, help_text="The day of the figures; where the source does not say, the day they came in."
    )
    merged_into = models.CharField(
        max_length=64, blank=True, help_text="The id that this one is part of now: always one that stands."
    )
    gone = models.BooleanField(default=False, help_text="The source took it away, and no other took its place.")
    changed_on = models.DateField(null=True, blank=True, help_text="The day on which it was merged or taken away.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "author_id"], name="source_author_once")]
        indexes = [
            # Few: they are looked for when what they were merged into is merged itself.
            models.Index(fields=["source", "merged_into"], name="source_author_merged", condition=~Q(merged_into=""))
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.author_id}"
