"""What the stage tells of a large batch while it works."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from researchers import pipeline
from tests.researchers.harvested import harvest, many_people, sources, work

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _with_sources(db: None) -> Iterator[None]:
    many_people()
    with sources():
        yield


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [row.getMessage() for row in caplog.records if row.name == pipeline.__name__]


def test_a_large_batch_is_told_in_the_log(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "LARGE", 2)
    monkeypatch.setattr(pipeline, "LOGGED_EVERY", 0.0)
    with caplog.at_level(logging.INFO):
        harvest(work("Ada Weaver", "Bo Spindle"), work("Ada Weaver"))
    first, *between, last = said(caplog)
    assert first == "Attributing the 3 authors of 2 papers."
    assert between[-1] == "Attributing: 3 of 3 authors decided."
    assert last.startswith("Attributed the authors of 2 papers in ")


def test_a_small_batch_is_not(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        harvest(work("Ada Weaver", "Bo Spindle"), work("Ada Weaver"))
    assert said(caplog) == []


def test_a_large_batch_is_a_line_below_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[tuple[str, int, int]] = []

    class Step:
        def __init__(self, description: str, *, total: int) -> None:
            self.description, self.total, self.done = description, total, 0

        def __enter__(self):
            return self.count

        def count(self, number: int) -> None:
            self.done += number

        def __exit__(self, *_: object) -> None:
            steps.append((self.description, self.done, self.total))

    monkeypatch.setattr(pipeline, "LARGE", 2)
    monkeypatch.setattr(pipeline, "progress_step", Step)
    harvest(work("Ada Weaver", "Bo Spindle"), work("Ada Weaver"))
    assert steps == [("authors", 3, 3)]
