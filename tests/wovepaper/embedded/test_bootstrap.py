from __future__ import annotations

import os
from pathlib import Path

import pytest

from wovepaper.embedded import bootstrap
from wovepaper.embedded.postgres import EmbeddedPostgres


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Which folders a server was asked for; none is started."""
    folders: list[str] = []
    for name in ("DATABASE_URL", "BROKER_URL", "WOVEPAPER_SINGLE_MACHINE"):
        # Set, then deleted: so that what the code under test sets is taken back at the end.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "var"))
    monkeypatch.setattr(EmbeddedPostgres, "join", lambda self: folders.append(str(self._paths.var_dir)))
    monkeypatch.setattr("wovepaper.embedded.postgres.ensure_database", lambda paths: None)
    return folders


def test_a_command_gets_a_database(joined: list[str], tmp_path: Path) -> None:
    bootstrap.prepare_environment(["manage.py", "migrate"])
    assert joined == [str(tmp_path / "var")]
    assert os.environ["DATABASE_URL"].endswith("%2Fvar%2Fpostgres")
    assert os.environ["WOVEPAPER_SINGLE_MACHINE"] == "1"
    assert "BROKER_URL" not in os.environ


@pytest.mark.parametrize("words", [["help"], [], ["check"], ["migrate", "--help"], ["harvest", "-h"]])
def test_a_command_that_needs_none_gets_none(joined: list[str], words: list[str]) -> None:
    bootstrap.prepare_environment(["manage.py", *words])
    assert joined == []
    assert "DATABASE_URL" not in os.environ
    assert os.environ["WOVEPAPER_SINGLE_MACHINE"] == "1"


def test_a_database_that_is_named_is_used(joined: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example.org/x")
    bootstrap.prepare_environment(["manage.py", "migrate"])
    assert joined == []
    assert "WOVEPAPER_SINGLE_MACHINE" not in os.environ


def test_a_production_host_gets_no_server_by_mistake(joined: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WOVEPAPER_SINGLE_MACHINE", "0")
    bootstrap.prepare_environment(["manage.py", "migrate"])
    assert joined == []
    assert "DATABASE_URL" not in os.environ


def test_up_serves_one_machine_whatever_database_it_uses(joined: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example.org/x")
    bootstrap.prepare_environment(["manage.py", "up"])
    assert os.environ["WOVEPAPER_SINGLE_MACHINE"] == "1"
    assert joined == []


def test_a_disk_without_space_is_one_sentence(joined: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wovepaper.embedded.premises.LEAST_FREE", 2**60)
    with pytest.raises(SystemExit, match=r"^The disk that holds .* is full"):
        bootstrap.prepare_environment(["manage.py", "up"])
