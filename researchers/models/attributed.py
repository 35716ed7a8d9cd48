"""What the matching remembers between two batches."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models


class AttributedPaper(models.Model):
    """A paper whose authors were decided, with what they were decided by.

    It lets a paper that is harvested again without a change pass by, and keeps it from being counted twice. The three
    lists run beside each other, an entry for each person of the author list then, and for those who have left it.
    """

    paper = models.OneToOneField("papers.Paper", models.CASCADE, primary_key=True, related_name="+")
    evidence_hash = models.BigIntegerField(help_text="Of all that the matching reads of the paper.")
    authorships = ArrayField(models.BigIntegerField(), default=list, help_text="Rows of the authors.")
    prints = ArrayField(models.BigIntegerField(), default=list, help_text="Hash of each one's name and ORCID.")
    bases = ArrayField(models.BigIntegerField(), default=list, help_text="Whose each was; 0 for nobody's.")
    counted = models.BooleanField(default=True, help_text="Whether the population counts it.")
    model_version = models.CharField(max_length=32, blank=True)
    attributed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"paper {self.paper_id}"


class PopulationPart(models.Model):
    """How common names and words are: counts of some batches. All parts together are the population.

    Written in the transaction that writes the attributions of the papers counted. A whole that replaces parts is a
    part too.
    """

    token = models.UUIDField(default=uuid.uuid4, unique=True, help_text="Never the same again, even after a restore.")
    counts = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"part {self.pk}"


class NameBlock(models.Model):
    """All names of one family name and first initial: how many authors bear them, and how they came.

    It tells which names have grown so much that their bearers should be told apart anew, together.
    """

    key = models.CharField(max_length=200, primary_key=True, help_text="Family name and first initial.")
    together = models.PositiveIntegerField(help_text="Authors when all of them were last decided together.")
    since = models.PositiveIntegerField(default=0, help_text="Authors that came one by one since.")

    def __str__(self) -> str:
        return self.key
