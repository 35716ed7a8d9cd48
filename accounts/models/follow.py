"""What a reader follows."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Func, Value
from django.db.models.lookups import Exact

from accounts.models.cadence import Cadence
from accounts.querysets import FollowQuerySet
from institutions.models import Institution
from papers.models import Category, Paper
from researchers.models import Researcher

TARGETS = ("researcher", "institution", "category", "paper", "saved_search")
"""The columns of which a follow fills exactly one."""


class Follow(models.Model):
    """A reader wants to hear of one researcher, institution, category, paper or saved search.

    The row points at what was followed, its base, for ever: merges and undos leave it alone. What is shown, and whom
    events are matched against, is the root of the base, found by a join whenever it is needed and kept nowhere, so it
    cannot be out of date. Two follows whose bases have one root are shown as one (the older), unfollowing takes all of
    them, and an undo gives each base its followers back.
    """

    class Kind(models.TextChoices):
        RESEARCHER = "researcher", "Researcher"
        INSTITUTION = "institution", "Institution"
        CATEGORY = "category", "Category"
        PAPER = "paper", "Paper"
        SAVED_SEARCH = "saved_search", "Saved search"

    SWITCHES: ClassVar[dict[str, tuple[str, ...]]] = {
        "researcher": ("new", "revision", "withdrawal", "publication", "citation"),
        "institution": ("new", "revision", "withdrawal", "publication"),
        "category": ("new", "cross_list", "revision", "withdrawal"),
        "paper": ("revision", "withdrawal", "publication", "citation"),
        "saved_search": ("new", "revision", "withdrawal"),
    }
    """The switches that mean something for each kind; the others stay off."""
    ON_AT_FIRST: ClassVar[dict[str, tuple[str, ...]]] = {
        "researcher": ("new",),
        "institution": ("new",),
        "category": ("new",),
        "paper": ("revision", "withdrawal", "publication"),
        "saved_search": ("new",),
    }
    """Those that a new follow has on."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="follows")
    researcher = models.ForeignKey(Researcher, models.PROTECT, null=True, blank=True, related_name="follows")
    institution = models.ForeignKey(Institution, models.PROTECT, null=True, blank=True, related_name="follows")
    category = models.ForeignKey(Category, models.PROTECT, null=True, blank=True, related_name="follows")
    paper = models.ForeignKey(Paper, models.CASCADE, null=True, blank=True, related_name="follows")
    saved_search = models.ForeignKey(
        "accounts.SavedSearch", models.CASCADE, null=True, blank=True, related_name="follows"
    )
    new = models.BooleanField(default=False, help_text="New papers.")
    cross_list = models.BooleanField(default=False, help_text="Papers listed here too.")
    revision = models.BooleanField(default=False, help_text="New versions.")
    withdrawal = models.BooleanField(default=False, help_text="Withdrawn or retracted papers.")
    publication = models.BooleanField(default=False, help_text="Preprints that were published.")
    citation = models.BooleanField(default=False, help_text="New citations.")
    cadence = models.CharField(
        max_length=7, choices=Cadence.choices, blank=True, help_text="Empty for the reader's usual one."
    )
    paused_at = models.DateTimeField(null=True, blank=True, help_text="Since when nothing is told.")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = FollowQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Exact(
                    Func(*map(F, TARGETS), function="num_nonnulls", output_field=models.IntegerField()), Value(1)
                ),
                name="follow_of_one_thing",
            ),
            *(models.UniqueConstraint(fields=["user", name], name=f"follow_{name}_once") for name in TARGETS),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.target_id}"

    @property
    def kind(self) -> Follow.Kind:
        """Which of the targets it has."""
        return Follow.Kind(next(name for name in TARGETS if getattr(self, f"{name}_id") is not None))

    @property
    def target_id(self) -> int | str:
        """The base's primary key: a number, or a category's code."""
        key: int | str = getattr(self, f"{self.kind.value}_id")
        return key

    @property
    def switches(self) -> tuple[str, ...]:
        """Those that mean something for this follow."""
        return self.SWITCHES[self.kind.value]

    @property
    def is_paused(self) -> bool:
        """Whether the reader paused this one."""
        return self.paused_at is not None
