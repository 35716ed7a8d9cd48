"""A line of invented stages, of which each test says what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from wovepaper.pipeline import registry
from wovepaper.pipeline.registry import Stage

KIND = "thing"


class Line:
    """Stages of the kind ``thing``, and the batches they were given."""

    def __init__(self) -> None:
        self.batches: list[tuple[str, list[int]]] = []

    def add(self, name: str, *, batch_size: int = 500, then: Callable[[Sequence[int]], None] | None = None) -> None:
        def handle(ids: Sequence[int]) -> None:
            self.batches.append((name, list(ids)))
            if then is not None:
                then(ids)

        registry.register(Stage(name, KIND, handle, batch_size))

    def objects(self, name: str) -> list[int]:
        """What a stage was given, batch after batch."""
        return [object_id for stage, ids in self.batches for object_id in ids if stage == name]


@pytest.fixture
def line() -> Iterator[Line]:
    yield Line()
    for name in registry.ORDER:
        registry.unregister(kind=KIND, name=name)
