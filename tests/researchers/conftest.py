"""Fixtures for merging: curators, and a pipeline that takes what is enqueued."""

from __future__ import annotations

import pytest

from accounts.models import User
from tests.researchers.people import curator
from wovepaper.pipeline import registry
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.registry import Stage


@pytest.fixture
def someone(db: None) -> User:
    """A curator who may do everything."""
    return curator("someone")


@pytest.fixture
def another(db: None) -> User:
    return curator("another")


class Waiting:
    """What waits in the pipeline."""

    def at(self, stage: str, kind: str) -> set[int]:
        return set(WorkItem.objects.filter(stage=stage, kind=kind).values_list("object_id", flat=True))

    def clear(self) -> None:
        WorkItem.objects.all().delete()


@pytest.fixture
def waiting(db: None, monkeypatch: pytest.MonkeyPatch) -> Waiting:
    """With all stages there can be for papers and researchers, none of which runs."""
    stages = {
        (kind, name): Stage(name, kind, lambda ids: None)
        for kind, names in {"paper": ("attribute", "index"), "researcher": ("index",)}.items()
        for name in names
    }
    monkeypatch.setattr(registry, "_stages", stages)
    return Waiting()
