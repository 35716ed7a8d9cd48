"""What a person said about an author and a researcher."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from researchers.models.researcher import Researcher


class Decision(models.Model):
    """ "This is them" or "this is not them". Outlives the authorship's row: an author whom a source drops may return.

    A standing "is" means that the attribution's base is that researcher; a standing "is not" that the attribution is
    shown under nobody who is one person with that researcher.
    """

    class Verdict(models.TextChoices):
        IS = "is", "is"
        IS_NOT = "is_not", "is not"

    authorship = models.ForeignKey(
        "papers.Authorship", models.SET_NULL, null=True, blank=True, related_name="decisions"
    )
    paper = models.ForeignKey("papers.Paper", models.CASCADE, related_name="+")
    printed_name = models.TextField(help_text="The author's name as shown when it was decided.")
    researcher = models.ForeignKey(Researcher, models.PROTECT, related_name="decisions")
    verdict = models.CharField(max_length=6, choices=Verdict.choices)
    by_claim = models.BooleanField(default=False, help_text="Said by the person, with proof.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.TextField()
    event = models.ForeignKey(
        "researchers.MergeEvent", models.PROTECT, null=True, blank=True, related_name="decisions",
        help_text="The split that made it.",
    )  # fmt: skip
    created_at = models.DateTimeField(auto_now_add=True)
    revoked = models.BooleanField(default=False)
    revoked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by_event = models.ForeignKey(
        "researchers.MergeEvent", models.PROTECT, null=True, blank=True, related_name="revoked_decisions",
        help_text="What overrode it; undone, the decision stands again.",
    )  # fmt: skip

    class Meta:
        verbose_name = "single paper"
        verbose_name_plural = "single papers"
        constraints = [
            models.UniqueConstraint(
                fields=["authorship", "researcher"], condition=Q(revoked=False), name="decision_one_standing"
            ),
            models.UniqueConstraint(
                fields=["authorship"], condition=Q(revoked=False, verdict="is"), name="decision_one_is"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="decision_reason"),
        ]
        indexes = [models.Index(fields=["paper"], name="decision_lost", condition=Q(authorship=None))]

    def __str__(self) -> str:
        return f"{self.authorship_id} {self.verdict} {self.researcher_id}"
