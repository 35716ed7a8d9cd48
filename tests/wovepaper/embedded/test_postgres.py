from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator

import psutil
import psycopg
import pytest

from tests.processes import end_processes_of, processes_of, throw_away_folder, wait_until
from wovepaper.embedded import postgres as module
from wovepaper.embedded.accounts import server_account
from wovepaper.embedded.errors import EmbeddedServerError
from wovepaper.embedded.paths import EmbeddedPaths
from wovepaper.embedded.postgres import THROW_AWAY_SETTINGS, EmbeddedPostgres, ensure_database


@pytest.fixture
def paths() -> Iterator[EmbeddedPaths]:
    with throw_away_folder() as folder:
        yield EmbeddedPaths(folder)
        end_processes_of(folder)


def server(paths: EmbeddedPaths) -> EmbeddedPostgres:
    return EmbeddedPostgres(paths, settings=THROW_AWAY_SETTINGS)


def ask(paths: EmbeddedPaths, question: str, database: str = "postgres") -> object:
    with psycopg.connect(paths.database_url(database)) as connection:
        row = connection.execute(question).fetchone()
    assert row is not None
    return row[0]


def postmaster(paths: EmbeddedPaths) -> psutil.Process:
    return psutil.Process(int((paths.postgres / "postmaster.pid").read_text().split("\n", 1)[0]))


def test_a_server_lives_from_the_first_user_to_the_last(paths: EmbeddedPaths) -> None:
    first, second = server(paths), server(paths)
    assert not first.is_running()
    first.join()
    ensure_database(paths)
    ensure_database(paths)
    assert ask(paths, "SHOW server_encoding", "wovepaper") == "UTF8"
    assert ask(paths, "SHOW fsync") == "off"
    assert ask(paths, "SELECT datcollate || ' ' || datlocprovider::text FROM pg_database LIMIT 1") == "C b"
    assert ask(paths, "SELECT lower('ÉLAN')") == "élan"
    available = "SELECT count(*) FROM pg_available_extensions WHERE name IN ('vector', 'pg_trgm', 'unaccent')"
    assert ask(paths, available) == 3
    began = ask(paths, "SELECT pg_postmaster_start_time()")

    second.join()
    assert not first.leave(), "the second still uses it"
    assert ask(paths, "SELECT pg_postmaster_start_time()") == began
    assert second.leave()
    assert not second.is_running()
    assert not (paths.postgres / "postmaster.pid").exists()
    assert wait_until(lambda: not processes_of(paths.var_dir), seconds=5), "the keeper goes with the server"
    assert second.leave(), "a second call does nothing"


def test_only_its_owner_reaches_the_server(paths: EmbeddedPaths) -> None:
    one = server(paths)
    one.join()
    assert paths.postgres.stat().st_mode & 0o777 == 0o700
    assert paths.postgres.stat().st_uid == server_account().uid
    assert ask(paths, "SHOW listen_addresses") == ""
    assert psutil.Process(postmaster(paths).pid).net_connections("inet") == []
    one.leave()


def test_the_note_of_a_killed_server_misleads_nobody(paths: EmbeddedPaths) -> None:
    """Its number may belong to any other process by now, for example after the machine was started again."""
    one = EmbeddedPostgres(paths)
    one.join()
    with psycopg.connect(paths.database_url("postgres")) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS value")
    postmaster(paths).kill()
    assert wait_until(lambda: not one.is_running())
    note = paths.postgres / "postmaster.pid"
    note.write_text("\n".join([str(os.getpid()), *note.read_text().splitlines()[1:]]) + "\n")
    one.ensure_running()
    assert ask(paths, "SELECT value FROM kept") == 7
    one.leave()


def test_a_path_too_long_for_a_socket(paths: EmbeddedPaths) -> None:
    long = EmbeddedPaths(paths.var_dir / ("v" * 100))
    one = server(long)
    one.join()
    try:
        assert ask(long, "SELECT 1") == 1
        assert long.postgres_sockets.stat().st_mode & 0o777 == 0o700
    finally:
        one.leave()
        long.postgres_sockets.rmdir()


def test_a_socket_folder_of_somebody_else_is_not_used(paths: EmbeddedPaths) -> None:
    long = EmbeddedPaths(paths.var_dir / ("v" * 100))
    long.postgres_sockets.symlink_to(paths.var_dir)
    try:
        with pytest.raises(
            EmbeddedServerError, match="belongs to someone else: remove it, or set VAR_DIR to a shorter"
        ):
            server(long).join()
    finally:
        long.postgres_sockets.unlink()


def test_the_keeper_ends_the_server_of_a_killed_process(paths: EmbeddedPaths) -> None:
    pid = os.fork()
    if pid == 0:
        module.EmbeddedPostgres(paths, settings=THROW_AWAY_SETTINGS, remove_with_last_user=paths.var_dir).join()
        os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL
    assert wait_until(lambda: not paths.var_dir.exists()), "asked for, so the folder goes too"
    assert wait_until(lambda: not processes_of(paths.var_dir))


def test_a_killed_keeper_is_replaced_by_the_next_user(paths: EmbeddedPaths) -> None:
    first, second = server(paths), server(paths)
    first.join()
    (keeper,) = [process for process in processes_of(paths.var_dir) if "keeper.py" in " ".join(process.cmdline())]
    keeper.kill()
    keeper.wait(5)
    second.join()
    assert any("keeper.py" in " ".join(process.cmdline()) for process in processes_of(paths.var_dir))
    first.leave()
    second.leave()


def test_a_half_made_data_folder_is_made_anew(paths: EmbeddedPaths) -> None:
    draft = paths.postgres.with_name("postgres.new")
    draft.mkdir()
    (draft / "PG_VERSION").write_text("18\n")
    one = server(paths)
    one.join()
    assert not draft.exists()
    assert one.leave()


def test_data_of_another_release_is_left_alone(paths: EmbeddedPaths) -> None:
    paths.postgres.mkdir()
    (paths.postgres / "PG_VERSION").write_text("12\n")
    with pytest.raises(
        EmbeddedServerError, match="was made by PostgreSQL 12, but the installed wheel brings 18: install"
    ):
        server(paths).join()
    assert processes_of(paths.var_dir) == []


def test_other_files_are_left_alone(paths: EmbeddedPaths) -> None:
    paths.postgres.mkdir()
    (paths.postgres / "diary").write_text("")
    with pytest.raises(EmbeddedServerError, match="holds files but no PostgreSQL data: move them away"):
        server(paths).join()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            "initdb: error: could not write file: No space left on device",
            "The disk that holds {} is full: free some space, or set VAR_DIR to a folder on another disk.",
        ),
        (
            "one\ninitdb: error: no\nthe end",
            "The embedded PostgreSQL could not make its data folder: initdb: error: no (more in {}/logs/postgres.log)",
        ),
    ],
)
def test_what_initdb_says_becomes_a_sentence(
    paths: EmbeddedPaths, monkeypatch: pytest.MonkeyPatch, said: str, sentence: str
) -> None:
    def fail(self: object, account: object, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", said)

    monkeypatch.setattr(EmbeddedPostgres, "_run", fail)
    with pytest.raises(EmbeddedServerError) as caught:
        server(paths).join()
    assert str(caught.value) == sentence.format(paths.var_dir)
    assert not paths.postgres.exists()
