"""The search index of the running test."""

from __future__ import annotations

import pytest
from haystack import connections

from papers.models import Paper
from wovepaper.search.services import update_documents


@pytest.fixture
def index_papers(db):
    """An empty index, and the function that fills it with all papers there are."""
    backend = connections["default"].get_backend()
    backend.clear()

    def fill() -> None:
        update_documents(model=Paper, ids=list(Paper.objects.values_list("pk", flat=True)))

    yield fill
    backend.clear()
