"""What several tests of papers begin with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from papers.services.ingest import ingest_records
from tests.papers.services.invented import NAME, InventedSource
from wovepaper.harvest import registry

OTHERS = ("invented-2", "invented-3")


@pytest.fixture
def invented_source() -> Iterator[None]:
    """The invented source is registered, with two others of its kind, so that what is stored can be parsed again."""
    for name in (NAME, *OTHERS):
        registry.register(InventedSource(name), sink=ingest_records)
    yield
    for name in (NAME, *OTHERS):
        registry.forget(name)
