"""What readers think of two researchers of one name."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F

from researchers.models.researcher import Researcher


class SamePersonVote(models.Model):
    """One reader's opinion whether two researchers are one person. It feeds the curators' queue and merges nothing.

    ``a`` is the smaller number. Both are those that were shown when the vote was cast; merges do not move them, so that
    votes are counted by the roots of both.
    """

    class Verdict(models.TextChoices):
        SAME = "same", "Same person"
        DIFFERENT = "different", "Different people"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    a = models.ForeignKey(Researcher, models.PROTECT, related_name="votes_as_a")
    b = models.ForeignKey(Researcher, models.PROTECT, related_name="votes_as_b")
    verdict = models.CharField(max_length=9, choices=Verdict.choices)
    cast_at = models.DateTimeField(help_text="When it was cast or last changed.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "a", "b"], name="vote_once"),
            models.CheckConstraint(condition=models.Q(a__lt=F("b")), name="vote_order"),
        ]

    def __str__(self) -> str:
        return f"{self.a_id} and {self.b_id}: {self.verdict}"
