"""Chainable reads of papers."""

from __future__ import annotations

from typing import Self

from django.apps import apps
from django.db import models
from django.db.models import Prefetch

AUTHORS_IN_A_LIST = 20


class PaperQuerySet(models.QuerySet["Paper"]):  # type: ignore[name-defined]
    """Adjectives for papers."""

    def visible(self) -> Self:
        """Papers with a page of their own: those that redirect elsewhere are left out."""
        return self.filter(redirect_to=None)

    def with_authors(self, limit: int = AUTHORS_IN_A_LIST) -> Self:
        """The first ``limit`` authorships of each paper in order, in one further query, as ``shown_authorships``."""
        # By name: the models import this module.
        authorships = (
            apps.get_model("papers", "Authorship").objects.filter(position__lte=limit).order_by("paper_id", "position")
        )
        return self.prefetch_related(Prefetch("authorships", queryset=authorships, to_attr="shown_authorships"))

    def newest(self) -> Self:
        """Newest first, in a total order that keyset paging can follow."""
        return self.order_by("-sort_date", "-id")

    def oldest(self) -> Self:
        """Oldest first, in a total order that keyset paging can follow."""
        return self.order_by("sort_date", "id")
