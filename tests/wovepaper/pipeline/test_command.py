from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.core.management import call_command

from tests.wovepaper.pipeline.conftest import KIND, Line
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import enqueue

pytestmark = pytest.mark.django_db


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    call_command("pipeline", *arguments)
    captured = capsys.readouterr()
    assert captured.err == ""  # no bar without a terminal
    return captured.out.splitlines()


def test_nothing_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys) == ["Nothing is parked."]


def test_it_drains_and_says_what_is_parked(line: Line, capsys: pytest.CaptureFixture[str]) -> None:
    def handle(ids: Sequence[int]) -> None:
        if 2 in ids:
            raise ValueError("no two\nmore of it")

    line.add("embed", then=handle)
    line.add("index")
    enqueue(kind=KIND, ids=[1, 2, 3])
    WorkItem.objects.filter(object_id=2).update(attempts=4)
    assert run(capsys) == [
        "embed: 2 done",
        "index: 2 done",
        "embed: 1 failed",
        "1 items are parked:",
        "  thing 2 at embed: ValueError: no two",
        "Once the cause is mended: manage.py pipeline --retry-parked, or retry them in the admin.",
    ]
    assert run(capsys, "--retry-parked") == [
        "1 parked items get a fresh start.",
        "embed: 1 failed",
        "1 items wait: they failed and are tried again later, or another worker has them.",
        "Nothing is parked.",
    ]
