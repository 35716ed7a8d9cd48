"""Chainable reads of researchers and attributions."""

from __future__ import annotations

from typing import Self

from django.db import models


class ResearcherQuerySet(models.QuerySet["Researcher"]):  # type: ignore[name-defined]
    """Adjectives for researchers."""

    def roots(self) -> Self:
        """Researchers with a page of their own, erased ones left out."""
        return self.filter(merged_into=None, erased_at=None)

    def visible(self) -> Self:
        """Roots that have a paper: what lists show."""
        return self.roots().filter(paper_count__gt=0)

    def together_with(self, researcher_id: int) -> Self:
        """Everybody who is shown as one person with this researcher, themselves included.

        What hangs on bases (follows, collection entries, identifiers, names) belongs to the person if its base is one
        of these.
        """
        return self.filter(root__members=researcher_id)

    def delete(self) -> tuple[int, dict[str, int]]:
        """Public ids are never reused, so rows stay. Always raises ``TypeError``."""
        raise TypeError("Researchers are never deleted: merge or erase them.")


class AttributionQuerySet(models.QuerySet["Attribution"]):  # type: ignore[name-defined]
    """Adjectives for attributions."""

    def of(self, root_id: int) -> Self:
        """What is shown under this root."""
        return self.filter(root=root_id)

    def decided_by_people(self) -> Self:
        """Those that no model may move."""
        return self.filter(decided_by__in=["human", "claim"])
