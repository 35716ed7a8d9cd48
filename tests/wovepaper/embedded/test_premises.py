from __future__ import annotations

import errno
import shutil
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured

import manage
from wovepaper.embedded.errors import EmbeddedServerError, describe_os_error, tells_of_full_disk
from wovepaper.embedded.premises import require_free_port, require_free_space, require_writable_folder


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_free_space(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=12 * 2**20))
    with pytest.raises(EmbeddedServerError) as caught:
        require_free_space(tmp_path)
    assert str(caught.value) == (
        f"The disk that holds {tmp_path} is full (only 12 MB are free, 300 MB are needed): free some space, or set "
        "VAR_DIR to a folder on another disk."
    )


def test_a_folder_is_made_and_written_to(tmp_path: Path) -> None:
    require_writable_folder(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "The disk that holds {} is full: free some space, or set VAR_DIR to a folder on another disk."),
        (errno.EROFS, "{} cannot be written to (no): make it writable, or set VAR_DIR to another folder."),
        (errno.EACCES, "{} cannot be written to (no): make it writable, or set VAR_DIR to another folder."),
        (errno.ENOTDIR, "{} is not a folder: set VAR_DIR to a folder this user may write to."),
        (errno.EIO, "{} cannot be used: no."),
    ],
)
def test_what_the_file_system_says_becomes_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, sentence: str
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise OSError(number, "no")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(EmbeddedServerError) as caught:
        require_writable_folder(tmp_path)
    assert str(caught.value) == sentence.format(tmp_path)
    assert describe_os_error(OSError(number, "no"), tmp_path) == sentence.format(tmp_path)


def _after(first: Exception) -> Exception:
    last = RuntimeError("the page could not be taken in")
    last.__cause__ = first
    return last


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ENOSPC, "no"), True),
        (OSError(errno.EDQUOT, "no"), True),
        (psycopg.errors.DiskFull("could not extend file"), True),
        (_after(_after(psycopg.errors.DiskFull("could not extend file"))), True),
        (OSError(errno.EIO, "no"), False),
        (psycopg.errors.UniqueViolation("twice"), False),
        (_after(ValueError("no")), False),
    ],
)
def test_a_disk_that_filled_up_is_told_from_other_errors(error: Exception, told: bool) -> None:
    assert tells_of_full_disk(error) is told


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (_after(OSError(errno.ENOSPC, "no")), "The disk that holds {} is full: free some space, or set VAR_DIR to"),
        (ImproperlyConfigured("SITE_URL is not set."), "SITE_URL is not set."),
    ],
)
def test_a_command_that_has_no_room_says_so_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, settings: Any, error: Exception, said: str
) -> None:
    def fail(arguments: list[str]) -> None:
        raise error

    monkeypatch.setattr("wovepaper.embedded.bootstrap.prepare_environment", lambda arguments: None)
    monkeypatch.setattr("django.core.management.execute_from_command_line", fail)
    with pytest.raises(SystemExit) as caught:
        manage.main()
    assert str(caught.value.code).startswith(said.format(settings.VAR_DIR))


def test_a_command_that_fails_otherwise_shows_where(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(arguments: list[str]) -> None:
        raise RuntimeError("a mistake")

    monkeypatch.setattr("wovepaper.embedded.bootstrap.prepare_environment", lambda arguments: None)
    monkeypatch.setattr("django.core.management.execute_from_command_line", fail)
    with pytest.raises(RuntimeError, match="a mistake"):
        manage.main()


def test_a_taken_port() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(
            EmbeddedServerError, match=f"^Port {port} is taken by another program: stop that, or choose"
        ):
            require_free_port("127.0.0.1", port)
    require_free_port("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port", "sentence"),
    [
        ("127.0.0.1", 70000, "70000 is no port: choose one from 1 to 65535 with --port."),
        ("nowhere.invalid", 8000, "nowhere.invalid is no address of this machine: choose another with --host."),
        (
            "192.0.2.1",
            8000,
            "192.0.2.1 cannot be listened on (Cannot assign requested address): choose another address",
        ),
    ],
)
def test_an_address_nobody_can_listen_at(host: str, port: int, sentence: str) -> None:
    with pytest.raises(EmbeddedServerError) as caught:
        require_free_port(host, port)
    assert str(caught.value).startswith(sentence)
