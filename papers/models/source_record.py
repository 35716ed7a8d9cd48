"""What a source said, kept as it was sent."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class SourceRecord(models.Model):
    """The latest state of one record of one source, raw.

    A source may serve the same record in several formats that each know something the other does not (arXiv's
    ``arXiv`` and ``arXivRaw``); each format is a record of its own.
    """

    paper = models.ForeignKey("papers.Paper", models.CASCADE, related_name="source_records")
    source = models.CharField(max_length=24)
    format = models.CharField(max_length=24)
    external_id = models.CharField(max_length=255)
    stamp = models.CharField(max_length=40, blank=True, help_text="The source's own date of change, as sent.")
    payload = models.BinaryField(help_text="The record as sent: XML or JSON, UTF-8.")
    hash = models.CharField(max_length=64, help_text="SHA-256 of what the record says, without its envelope.")
    superseded = ArrayField(
        models.CharField(max_length=64),
        default=list,
        blank=True,
        help_text="Hashes of states under the same stamp that this one replaced: they do not return.",
    )
    cited_by_count = models.PositiveIntegerField(
        null=True, blank=True, help_text="How often others cite it; empty where the source does not say."
    )
    counted_on = models.DateField(
        null=True, blank=True, help_text="The day of that count; where the source does not say, the day it came in."
    )
    harvested_at = models.DateTimeField(help_text="When this state was first seen.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "format", "external_id"], name="source_record_once"),
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.external_id} ({self.format})"
