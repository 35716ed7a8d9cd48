"""The stages a paper passes: wired here, in one place."""

from __future__ import annotations

from collections.abc import Sequence

from wovepaper.pipeline import registry
from wovepaper.pipeline.registry import Stage

KIND = "paper"


def index_papers(ids: Sequence[int]) -> None:
    """Bring the search documents of these papers up to date; papers that are gone or redirect lose theirs."""
    from papers.models import Paper
    from wovepaper.search.services import update_documents

    update_documents(model=Paper, ids=ids)


def register_stages() -> None:
    """Called once all apps are loaded."""
    registry.register(Stage("index", KIND, index_papers))
