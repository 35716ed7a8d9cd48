"""Chainable reads of papers."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from django.apps import apps
from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Exists, OuterRef

AUTHORS_IN_A_LIST = 20
NOT_IN_A_LIST = (
    "abstract", "pinned", "comments", "licence", "publisher", "journal_reference", "report_number", "title_key",
    "created_at", "updated_at",
)  # fmt: skip
"""Fields of a paper that a line in a list does not show."""


LIKELY_BELOW = 0.9
"""Probability under which an attribution by likeness is called likely only."""


@dataclass(frozen=True, slots=True)
class AttributedAuthor:
    """The researcher at a place in an author list, as the page of a paper shows them."""

    researcher: int
    slug: str
    is_likely: bool
    """Decided by likeness, with a probability under ``LIKELY_BELOW``."""


def attributed_authors(paper_id: int) -> dict[int, AttributedAuthor]:
    """Who stands at each authorship of a paper, in one query and as plain values: there may be 3,000."""
    standing = _rows("Authorship").filter(
        paper=paper_id, is_collaboration=False, attribution__isnull=False, attribution__root__erased_at=None
    )
    rows = standing.order_by().values_list(
        "pk", "attribution__root", "attribution__root__slug", "attribution__decided_by", "attribution__score"
    )
    return {
        authorship: AttributedAuthor(root, slug, is_likely(decided_by, score))
        for authorship, root, slug, decided_by, score in rows
    }


def hidden_names(paper_id: int) -> set[str]:
    """The names that people who stand on this paper do not want to be shown, in one query."""
    return set(_hidden_names().filter(paper=paper_id).values_list(_HIDDEN_NAME, flat=True))


def hidden_names_here() -> ArraySubquery:
    """Of an authorship: the names that the person there does not want to be shown, as an array."""
    return ArraySubquery(_hidden_names().filter(pk=OuterRef("pk")).values(_HIDDEN_NAME))


_HIDDEN_NAME = "attribution__root__members__names__value"


def _hidden_names() -> models.QuerySet[models.Model]:
    return _rows("Authorship").filter(attribution__root__members__names__visibility="hidden").order_by()


def is_likely(decided_by: str, score: float | None) -> bool:
    """Whether an attribution is likely only: decided by likeness, with a probability under ``LIKELY_BELOW``."""
    return decided_by == "model" and score is not None and score < LIKELY_BELOW


@lru_cache(maxsize=16)
def author_names(paper: str, limit: int) -> ArraySubquery:
    """The first names of the paper that the field ``paper`` leads to, as an array. An expression is never changed,
    so that each is made once.
    """
    first = _rows("Authorship").filter(paper=OuterRef(paper), position__lte=limit).order_by("position")
    return ArraySubquery(first.values("name"))


class PaperQuerySet(models.QuerySet["Paper"]):  # type: ignore[name-defined]
    """Adjectives for papers."""

    def visible(self) -> Self:
        """Papers with a page of their own: those that redirect elsewhere are left out."""
        return self.filter(redirect_to=None)

    def with_author_names(self, limit: int = AUTHORS_IN_A_LIST) -> Self:
        """The first ``limit`` names of each paper in order, as ``author_names``, in the same query."""
        return self.annotate(author_names=author_names("pk", limit))

    def for_list(self, authors: int = AUTHORS_IN_A_LIST) -> Self:
        """What a line in a list shows: no abstract, no pinned values, the first ``authors`` names."""
        return self.defer(*NOT_IN_A_LIST).with_author_names(authors)

    def published_between(self, first_year: int | None, last_year: int | None) -> Self:
        """Papers dated in these years, both included. Undated papers are in no year."""
        found = self
        if first_year is not None:
            found = found.filter(sort_date__gte=dt.date(first_year, 1, 1))
        if last_year is not None:
            found = found.filter(sort_date__lte=dt.date(last_year, 12, 31))
            if first_year is None:
                found = found.filter(sort_date__gt=dt.date.min)
        return found

    def in_category(self, code: str) -> Self:
        """Papers in this category, as their primary one or cross-listed."""
        return self.filter(categories__contains=[code])

    def of_kind(self, kind: str) -> Self:
        """Papers of one ``Paper.Kind``."""
        return self.filter(kind=kind)

    def with_status(self, status: str) -> Self:
        """Papers in one ``Paper.Status``."""
        return self.filter(status=status)

    def from_source(self, source: str) -> Self:
        """Papers of which this source has a record."""
        return self.filter(Exists(_rows("SourceRecord").filter(paper=OuterRef("pk"), source=source)))

    def from_country(self, code: str) -> Self:
        """Papers with an author at an institution of this country."""
        return self.filter(Exists(_rows("PaperInstitution").filter(paper=OuterRef("pk"), institution__country=code)))

    def from_institution(self, number: int) -> Self:
        """Papers with an author at this institution, given as it is shown."""
        return self.filter(Exists(_rows("PaperInstitution").filter(paper=OuterRef("pk"), institution=number)))

    def newest(self) -> Self:
        """Newest first, in a total order that keyset paging can follow."""
        return self.order_by("-sort_date", "-id")


def _rows(model: str) -> models.QuerySet[models.Model]:
    """All rows of a model of this app, found by name: the models import this module."""
    return apps.get_model("papers", model)._default_manager.all()
