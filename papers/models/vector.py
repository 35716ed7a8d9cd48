"""What papers mean, as numbers."""

from __future__ import annotations

from django.db import models
from pgvector.django import HalfVectorField


class PaperVector(models.Model):
    """The vector of a paper's title and abstract, by the encoder that made it.

    Written by ``papers.services.embedding``.
    Vectors of different encoders cannot be compared; those of an earlier one stand until they are made anew.
    """

    paper = models.OneToOneField("papers.Paper", models.CASCADE, primary_key=True, related_name="vector")
    encoder = models.CharField(max_length=64)
    text_hash = models.CharField(max_length=32, help_text="MD5 of what was encoded.")
    embedding = HalfVectorField()

    class Meta:
        indexes = [models.Index(fields=["encoder", "paper"], name="vector_by_encoder")]

    def __str__(self) -> str:
        """Paper and encoder."""
        return f"{self.paper_id} by {self.encoder}"
