"""The invented source is registered while these tests run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from papers.services.ingest import ingest_records
from tests.papers.services.invented import NAME, InventedSource
from wovepaper.harvest import registry


@pytest.fixture(scope="package", autouse=True)
def invented_source() -> Iterator[None]:
    registry.register(InventedSource(), sink=ingest_records)
    for name in OTHERS:
        registry.register(InventedSource(name), sink=ingest_records)
    yield
    for name in (NAME, *OTHERS):
        registry._registrations.pop(name)


OTHERS = ("invented-2", "invented-3")
