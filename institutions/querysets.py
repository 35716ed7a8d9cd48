"""Chainable reads of institutions."""

from __future__ import annotations

from typing import Self

from django.db import models


class InstitutionQuerySet(models.QuerySet["Institution"]):  # type: ignore[name-defined]
    """Adjectives for institutions."""

    def visible(self) -> Self:
        """What lists show: neither what became another institution nor what the registry withdrew."""
        return self.filter(merged_into=None).exclude(status="withdrawn")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Public ids are never reused, so rows stay. Always raises ``TypeError``."""
        raise TypeError("Institutions are never deleted: their records are withdrawn, or they are merged.")
