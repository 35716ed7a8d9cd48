"""The search index of the running test."""

from __future__ import annotations

import pytest
from haystack import connections

from papers.models import Paper
from wovepaper.search.services import update_documents


@pytest.fixture
def index_papers(db):
    """An empty index, and the function that fills it with all papers there are."""
    # Anew, as the threads of a live server make theirs: both shall write and read the same index.
    backend = connections.reload("default").get_backend()
    backend.clear()

    def fill() -> None:
        update_documents(model=Paper, ids=list(Paper.objects.values_list("pk", flat=True)))

    yield fill
    backend.clear()
