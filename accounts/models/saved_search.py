"""A search that a reader wants to find again, and may follow."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from accounts.querysets import SavedSearchQuerySet


class SavedSearch(models.Model):
    """A question to the catalogue, kept as the site's own addresses write it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="saved_searches")
    name = models.CharField(max_length=120)
    query = models.TextField(help_text="What stands after the question mark of the search page: q=loom&kind=article.")
    key = models.CharField(max_length=64, editable=False, help_text="SHA-256 of the question, however it is written.")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = SavedSearchQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["name", "id"]
        verbose_name_plural = "saved searches"
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="saved_search_once"),
            models.CheckConstraint(condition=~models.Q(query=""), name="saved_search_asks"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The search itself, as anybody may ask it."""
        return f"/search?{self.query}"
