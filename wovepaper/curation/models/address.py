"""Readable ends of addresses that were once given out."""

from __future__ import annotations

from django.db import models


class OldAddressModel(models.Model):
    """A slug an object had. Never shown: it is only recognised. A subclass adds ``subject``, a foreign key."""

    slug = models.CharField(max_length=80)
    replaced_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(fields=["subject", "slug"], name="%(app_label)s_%(class)s_once"),
        ]

    def __str__(self) -> str:
        return f"an old address of {self.subject_id}"

    # Declared by the subclasses.
    subject_id: int
