"""Fields of research: arXiv's taxonomy, and which paper was listed where on which day."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.urls import reverse


class Category(models.Model):
    """One category of arXiv's taxonomy, for example ``cs.CL``."""

    code = models.CharField(max_length=32, primary_key=True)
    name = models.CharField(max_length=120)
    archive = models.CharField(max_length=32, help_text="For example cs or cond-mat.")
    archive_name = models.CharField(max_length=120)
    group = models.CharField(max_length=32, help_text="For example grp_physics.")
    group_name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True, help_text="Off for archives that take no new papers.")
    canonical = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, help_text="The category this code is an alias of."
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["code"]
        verbose_name_plural = "categories"

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        """The page of this category."""
        return reverse("papers:category", args=[self.code])


class CategoryListing(models.Model):
    """A paper's appearance in a category's listing of one day, as readers of arXiv know it."""

    class Kind(models.TextChoices):
        NEW = "new", "New"
        CROSS_LIST = "cross", "Cross-listed"
        REVISED = "revised", "Revised"

    category = models.ForeignKey(Category, models.PROTECT, related_name="listings")
    paper = models.ForeignKey("papers.Paper", models.CASCADE, related_name="listings")
    day = models.DateField(help_text="The day the appearance was announced.")
    kind = models.CharField(max_length=8, choices=Kind.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["paper", "category", "day", "kind"], name="listing_once"),
        ]
        indexes = [
            models.Index(fields=["category", "-day", "-paper"], name="listing_by_day"),
            # The newest day of a category that is mostly cross-listed lies far down in the others.
            models.Index(fields=["category", "-day"], name="listing_new", condition=models.Q(kind="new")),
            models.Index(
                fields=["category", "-day", "-paper"], name="listing_first", condition=~models.Q(kind="revised")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.category_id} {self.day} {self.kind}"
