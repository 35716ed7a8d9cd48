from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from haystack import connections
from haystack.query import SearchQuerySet
from haystack.utils.loading import UnifiedIndex

from papers.models import Paper
from tests.wovepaper.search.indexes import EverythingIndex, PaperIndex, paper
from wovepaper.search.backend import TantivySearchBackend


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def connect(folder: Path):
    """Puts a backend of its own, with the given SearchIndexes, in the place of the default connection's."""
    engine = connections["default"]
    before = engine._index, engine._backend

    def make(*search_indexes: Any, **options: Any) -> TantivySearchBackend:
        unified = UnifiedIndex()
        unified.build(indexes=list(search_indexes))
        engine._index = unified
        settings = {"PATH": str(folder), "SILENTLY_FAIL": False, "INCLUDE_SPELLING": True} | options
        engine._backend = TantivySearchBackend("default", **settings)
        return engine._backend

    yield make
    engine._index, engine._backend = before


@pytest.fixture
def backend(connect) -> TantivySearchBackend:
    return connect(PaperIndex())


@pytest.fixture
def add(backend: TantivySearchBackend) -> Callable[..., None]:
    """Indexes unsaved papers in one batch."""

    def index(*papers: Paper) -> None:
        backend.update(connections["default"].get_unified_index().get_index(Paper), list(papers))

    return index


@pytest.fixture
def everything(connect) -> Callable[..., None]:
    """Indexes documents with any fields, numbered from 1."""
    backend = connect(EverythingIndex())

    def index(*documents: dict[str, Any]) -> None:
        index = connections["default"].get_unified_index().get_index(Paper)
        backend.update(index, [paper(number, given=given) for number, given in enumerate(documents, start=1)])

    return index


def pks(results: SearchQuerySet | Sequence[Any]) -> list[int]:
    """The primary keys of the hits, in their order."""
    return [int(result.pk) for result in results]


def found(**filters: Any) -> list[int]:
    """The primary keys that a filter finds, sorted."""
    return sorted(pks(SearchQuerySet().filter(**filters)))
