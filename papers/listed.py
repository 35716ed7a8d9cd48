"""Papers as lists show them: plain values, since a model instance with deferred fields costs thrice the query."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, cast

from django.db.models import QuerySet

from papers.models import Paper
from papers.models.paper import paper_address, slug_of
from papers.querysets import PaperQuerySet, author_names

AUTHORS_ON_A_CARD = 6
"""How many names a line in a list shows before it counts the others."""


class ListedPaper(NamedTuple):
    """What a line in a list shows of a paper. The fields are those of ``Paper``, and ``author_names``."""

    id: int
    title: str
    kind: str
    status: str
    published_on: dt.date | None
    published_precision: str
    announced_on: dt.date | None
    sort_date: dt.date
    primary_category_id: str | None
    arxiv_id: str
    doi: str
    author_count: int
    version_count: int
    is_demo: bool
    citation_count: int | None
    citation_source: str
    cited_as_of: dt.date | None
    citation_order: int
    author_names: list[str]

    def get_absolute_url(self) -> str:
        """The address of the paper's page."""
        return paper_address(self.arxiv_id or str(self.id), slug_of(self.title))


FIELDS = ListedPaper._fields[:-1]


def listed(papers: QuerySet[Paper], *, authors: int = AUTHORS_ON_A_CARD) -> QuerySet[Paper, tuple[object, ...]]:
    """The values of ``ListedPaper`` for each of these papers, with its first ``authors`` names, in one query."""
    return papers.values_list(*FIELDS, author_names("pk", authors))


@lru_cache(maxsize=1)
def _all_visible() -> PaperQuerySet:
    return cast("PaperQuerySet", listed(Paper.objects.visible()))


def visible_listed() -> PaperQuerySet:
    """All papers with a page of their own, as ``listed`` gives them, to filter and order further.

    A queryset, not rows: it was never evaluated, and putting it together takes as long as asking it.
    """
    return _all_visible().all()


def read_listed(papers: QuerySet[Paper], *, authors: int = AUTHORS_ON_A_CARD) -> Iterable[ListedPaper]:
    """These papers, in their order, in one query."""
    return map(ListedPaper._make, listed(papers, authors=authors))
