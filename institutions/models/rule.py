"""What curators said about printed affiliations."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from institutions.models.institution import Institution


class AffiliationRule(models.Model):
    """Affiliations that look like this are that institution's, or nobody's. It wins over sources and matching."""

    pattern = models.TextField(
        unique=True,
        help_text="The affiliation as printed; * stands for anything. Case, accents and punctuation do not count.",
    )
    institution = models.ForeignKey(
        Institution, models.PROTECT, null=True, blank=True, related_name="rules", help_text="Empty: no institution."
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(pattern=""), name="affiliation_rule_pattern"),
            models.CheckConstraint(condition=~Q(reason=""), name="affiliation_rule_reason"),
        ]

    def __str__(self) -> str:
        return self.pattern
