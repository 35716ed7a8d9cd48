"""What a person said about two objects."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q


class AssertionModel(models.Model):
    """ "These two are the same" or "these two are different", said of two bases and binding for whatever joins them.

    A subclass adds ``a`` and ``b``, foreign keys to its mergeable model with ``a`` the smaller number, and
    ``revoked_by_event``, a nullable foreign key to its events: a merge that overrode the assertion. Once that merge is
    undone the assertion holds again; one that a person revoked stays revoked.
    """

    class Kind(models.TextChoices):
        SAME = "same", "Same"
        DIFFERENT = "different", "Different"

    kind = models.CharField(max_length=9, choices=Kind.choices)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.TextField()
    known_ids = ArrayField(
        models.CharField(max_length=80),
        default=list,
        help_text="Trusted ids of both then; a new one reopens the question.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    revoked = models.BooleanField(default=False)
    revoked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=Q(a__lt=F("b")), name="%(app_label)s_%(class)s_order"),
            models.CheckConstraint(condition=~Q(reason=""), name="%(app_label)s_%(class)s_reason"),
            models.UniqueConstraint(
                fields=["a", "b"], condition=Q(revoked=False), name="%(app_label)s_%(class)s_one_standing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.a_id} and {self.b_id} are {self.kind}"

    # Declared by the subclasses.
    a_id: int
    b_id: int
