"""The first command on a database is as good as any other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import run_command, throw_away_folder
from wovepaper.portal import tables

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder() -> Iterator[Path]:
    with throw_away_folder() as made:
        yield made


@pytest.mark.timeout(120)
def test_a_harvest_may_be_the_first_command_on_a_machine(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "works.jsonl"
    work = {"DOI": "10.5555/first", "title": ["Warp before weft"], "type": "journal-article", "author": []}
    path.write_text(json.dumps(work), encoding="utf-8")
    code, output = run_command(folder, "harvest", "crossref", "--file", str(path))
    assert code == 0, output
    assert "Brought the tables of the database up to date." in output
    code, output = run_command(folder, "export_attributions")
    assert (code, output) == (0, "")


def test_a_shared_database_is_not_migrated_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_plan", lambda: [object()])
    with pytest.raises(SystemExit) as ended:
        tables.prepare_tables(["manage.py", "pipeline"], embedded=False)
    assert ended.value.code == (
        "The database lacks 1 migration: run `manage.py migrate` first, while no other host works on it."
    )


@pytest.mark.parametrize("words", [["migrate"], ["up"], ["pipeline", "--help"], [], ["no_such_command"]])
def test_other_commands_are_left_alone(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.setattr(tables, "_plan", lambda: pytest.fail("the tables are none of its business"))
    tables.prepare_tables(["manage.py", *words], embedded=False)
    tables.prepare_tables(["manage.py", *words], embedded=True)
