"""Figures and search documents that follow whatever happens to papers, attributions and merges."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from haystack.exceptions import SearchBackendError

from papers.changes import on_papers_changed
from researchers.counts import KIND, recount
from researchers.models import Attribution, Researcher
from researchers.services.source_authors import settle_profiles
from wovepaper.pipeline import registry
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.registry import Stage, StageUnavailable
from wovepaper.pipeline.services import enqueue
from wovepaper.search.services import update_documents

MOVED = ("split", "undo")
"""Reasons for which authorships have gone from one base to another without the model."""
BATCH = 500
"""Researchers of one transaction: a merge of one of them waits for no more."""


def index_researchers(ids: Sequence[int]) -> None:
    """Recount these researchers and the roots they are shown under, settle what sources say of them, then bring their
    search documents up to date.

    Who is merged, erased or without papers loses theirs. An index that cannot be written at all raises
    ``StageUnavailable``: no researcher is to blame.
    """
    roots = Researcher.objects.filter(pk__in=ids).values_list("root_id", flat=True)
    concerned = sorted({*ids, *roots})
    recount(concerned)
    moved = WorkItem.objects.filter(stage="index", kind=KIND, object_id__in=ids, reason__in=MOVED)
    settle_profiles(concerned, moved=set(moved.values_list("object_id", flat=True)))
    try:
        update_documents(model=Researcher, ids=concerned)
    except (SearchBackendError, OSError) as error:
        raise StageUnavailable(str(error)) from error


def let_researchers_follow(papers: Collection[int]) -> None:
    """The researchers shown on these papers wait to be counted. Part of the caller's transaction."""
    roots = Attribution.objects.filter(paper__in=list(papers)).order_by().values_list("root_id", flat=True).distinct()
    enqueue(kind=KIND, ids=roots, stage="index", reason="papers")


def register_indexing() -> None:
    """Called once all apps are loaded."""
    registry.register(Stage("index", KIND, index_researchers, batch_size=BATCH))
    on_papers_changed(let_researchers_follow)
