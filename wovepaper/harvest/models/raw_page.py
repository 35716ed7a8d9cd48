"""The answers of the sources, as they were sent."""

from __future__ import annotations

import zstandard
from django.db import models
from django.db.models import Q

from wovepaper.harvest.querysets import RawPageQuerySet


class RawPage(models.Model):
    """One answer, or up to a thousand records cut out of a file, compressed.

    Kept for as many days as the setting ``HARVEST["raw_days"]`` says, so that a better parser can read it again.
    """

    class Kind(models.TextChoices):
        ANSWER = "answer", "answer of the source"
        RECORDS = "records", "records cut out of a file"
        LOOKUP = "lookup", "answer to a look-up"

    source = models.CharField(max_length=24)
    stream = models.CharField(max_length=24, blank=True, help_text="Empty for a file: each record has its format.")
    window = models.ForeignKey("harvest.HarvestWindow", models.CASCADE, null=True, blank=True, related_name="raw_pages")
    file = models.ForeignKey("harvest.HarvestFile", models.CASCADE, null=True, blank=True, related_name="raw_pages")
    attempt = models.PositiveIntegerField(default=1, help_text="Which reading of the window it belongs to.")
    number = models.PositiveIntegerField(help_text="Position in the window or file, from 1.")
    kind = models.CharField(max_length=8, choices=Kind)
    url = models.TextField(blank=True)
    headers = models.JSONField(default=dict, blank=True)
    status = models.PositiveSmallIntegerField(default=200)
    asked = models.JSONField(default=list, blank=True, help_text="[scheme, value] of what was looked up.")
    fetched_at = models.DateTimeField()
    sha256 = models.CharField(max_length=64, help_text="Of the uncompressed body.")
    size = models.PositiveBigIntegerField(help_text="Bytes, uncompressed.")
    body_zstd = models.BinaryField()
    record_count = models.PositiveIntegerField(default=0)
    records_digest = models.CharField(max_length=64, blank=True, help_text="Of the records alone, without envelope.")
    next_token = models.TextField(blank=True)
    refused_because = models.TextField(blank=True, help_text="Set when nothing of this answer was taken in.")

    objects = RawPageQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["window", "attempt", "number"],
                name="raw_page_of_window_once",
                condition=Q(window__isnull=False, refused_because=""),
            ),
            models.UniqueConstraint(
                fields=["file", "number"], name="raw_page_of_file_once", condition=Q(file__isnull=False)
            ),
        ]
        indexes = [models.Index(fields=["source", "fetched_at"], name="raw_page_age")]

    def __str__(self) -> str:
        return f"{self.source} page {self.number}"

    @property
    def body(self) -> bytes:
        """The answer as it was sent."""
        return zstandard.decompress(bytes(self.body_zstd))
