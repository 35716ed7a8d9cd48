"""Places in author lists, and the names that sources printed there."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Deferrable, Q
from django.db.models.functions import MD5


class Authorship(models.Model):
    """A place in the author list of a paper. Its identity outlives re-harvests: attributions hang on it."""

    paper = models.ForeignKey("papers.Paper", models.CASCADE, related_name="authorships")
    position = models.PositiveIntegerField(help_text="From 1.")
    name = models.TextField(help_text="The name shown: by precedence of sources, or one that takes its place.")
    replaced_name = models.TextField(
        null=True,
        blank=True,
        editable=False,
        help_text="What sources print by precedence, where the name shown takes its place. Matching goes by it; it is"
        " shown nowhere.",
    )
    is_collaboration = models.BooleanField(default=False)
    corresponding = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["paper_id", "position"]
        constraints = [
            # Deferred, so that a re-harvest can shift positions in one statement.
            models.UniqueConstraint(
                fields=["paper", "position"], name="authorship_position", deferrable=Deferrable.DEFERRED
            ),
        ]
        # Few: they are looked for by whose they are.
        indexes = [models.Index(fields=["id"], name="authorship_replaced", condition=Q(replaced_name__isnull=False))]

    def __str__(self) -> str:
        return self.name

    @property
    def printed_name(self) -> str:
        """The name by precedence of sources, whatever is shown. To compare by, never to show."""
        return self.name if self.replaced_name is None else self.replaced_name


class SourceAuthorship(models.Model):
    """A name as one source printed it, with what that source asserted about it. Written by harvests, never edited."""

    authorship = models.ForeignKey(Authorship, models.CASCADE, related_name="source_authorships")
    source_record = models.ForeignKey("papers.SourceRecord", models.CASCADE, related_name="authorships")
    position = models.PositiveIntegerField(help_text="From 1, in that source's list.")
    name = models.TextField(help_text="As printed.")
    given = models.TextField(blank=True)
    family = models.TextField(blank=True)
    suffix = models.CharField(max_length=64, blank=True)
    orcid = models.CharField(max_length=19, blank=True)
    source_author_id = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["source_record_id", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["source_record", "position"], name="source_position", deferrable=Deferrable.DEFERRED
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Affiliation(models.Model):
    """An affiliation as printed beside an author, and the institutions it was found to name.

    What is printed is written by harvests; the rest by the stage ``affiliate``.
    """

    class How(models.TextChoices):
        RULE = "rule", "A curator said so"
        SOURCE = "source", "A source said so"
        LABEL = "label", "By its name"
        CAMPUS = "campus", "By its name and city"
        ALIAS = "alias", "By another name"
        ACRONYM = "acronym", "By its acronym"
        TURNED = "turned", "By its name in another order"

    authorship = models.ForeignKey(Authorship, models.CASCADE, related_name="affiliations")
    text = models.TextField()
    institution = models.ForeignKey(
        "institutions.Institution", models.PROTECT, null=True, blank=True, related_name="affiliations"
    )
    how = models.CharField(max_length=8, choices=How.choices, default="", db_default="", blank=True)
    others = ArrayField(
        models.BigIntegerField(), null=True, blank=True, help_text="Further institutions that the same text names."
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        # Over the digest: printed affiliations can be longer than an index entry may be.
        constraints = [models.UniqueConstraint("authorship", MD5("text"), name="affiliation_once")]
        indexes = [models.Index(MD5("text"), name="affiliation_text")]

    def __str__(self) -> str:
        return self.text
