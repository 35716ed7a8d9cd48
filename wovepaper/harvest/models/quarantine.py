"""Records that could not be used."""

from __future__ import annotations

import zstandard
from django.db import models
from django.db.models import Q

from wovepaper.harvest.querysets import QuarantinedRecordQuerySet


class QuarantinedRecord(models.Model):
    """A record that was refused, kept until a later state of it can be used.

    There is one row for each record of a source and format; a piece that does not tell which record it is has one
    row for each distinct content.
    """

    source = models.CharField(max_length=24)
    format = models.CharField(max_length=24)
    external_id = models.CharField(max_length=255, blank=True, help_text="Empty where it cannot be told.")
    stamp = models.CharField(max_length=40, blank=True)
    damaged = models.BooleanField(default=False, help_text="A piece of a page that is not a record.")
    payload_zstd = models.BinaryField(help_text="The record as sent, compressed.")
    payload_sha256 = models.CharField(max_length=64)
    reason = models.TextField()
    raw_page = models.ForeignKey(
        "harvest.RawPage", models.SET_NULL, null=True, blank=True, related_name="quarantined_records"
    )
    attempts = models.PositiveIntegerField(default=1, help_text="How often it was met or tried again.")
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True, blank=True)

    objects = QuarantinedRecordQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "format", "external_id"], name="quarantine_record_once", condition=~Q(external_id="")
            ),
            models.UniqueConstraint(
                fields=["source", "format", "payload_sha256"], name="quarantine_piece_once", condition=Q(external_id="")
            ),
        ]
        indexes = [
            models.Index(fields=["source", "-last_seen_at"], name="quarantine_open", condition=Q(resolved_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.external_id or 'piece'} ({self.format})"

    @property
    def payload(self) -> bytes:
        """The record as it was sent."""
        return zstandard.decompress(bytes(self.payload_zstd))
