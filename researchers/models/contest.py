"""A reader's objection to whom a paper is attributed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from researchers.models.researcher import Researcher


class Contest(models.Model):
    """ "This is not them" or "this is researcher …", said by a reader of one author of one paper.

    It changes no attribution: a curator reads it and decides, and then it is accepted or declined. Outlives the
    authorship's row, as decisions do.
    """

    class State(models.TextChoices):
        OPEN = "open", "Open"
        ACCEPTED = "accepted", "Accepted"
        DECLINED = "declined", "Declined"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    authorship = models.ForeignKey("papers.Authorship", models.SET_NULL, null=True, blank=True, related_name="contests")
    paper = models.ForeignKey("papers.Paper", models.CASCADE, related_name="+")
    printed_name = models.TextField(help_text="The author's name as shown when it was contested.")
    attributed = models.ForeignKey(
        Researcher, models.PROTECT, null=True, blank=True, related_name="contests",
        help_text="Whom the author was attributed to then: the base.",
    )  # fmt: skip
    claimed = models.ForeignKey(
        Researcher, models.PROTECT, null=True, blank=True, related_name="contests_claiming",
        help_text="Who it is according to the reader; empty for “this is not them”.",
    )  # fmt: skip
    reason = models.TextField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    handled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    handled_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(blank=True, help_text="What the curator says to it.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "authorship"], condition=Q(state="open"), name="contest_one_open"),
            models.CheckConstraint(condition=~Q(reason=""), name="contest_reason"),
            models.CheckConstraint(
                condition=Q(state="open", handled_at=None) | (~Q(state="open") & Q(handled_at__isnull=False)),
                name="contest_handled",
            ),
        ]
        indexes = [
            models.Index(fields=["created_at"], name="contest_waiting", condition=Q(state="open")),
            models.Index(fields=["user", "created_at"], name="contest_by_user"),
        ]

    def __str__(self) -> str:
        return f"author {self.authorship_id} of paper {self.paper_id}, contested"
