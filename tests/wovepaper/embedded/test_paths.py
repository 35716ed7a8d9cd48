from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import psycopg

from wovepaper.embedded.paths import EmbeddedPaths


def test_everything_lies_below_the_folder() -> None:
    paths = EmbeddedPaths(Path("/srv/portal/var"))
    assert paths.postgres == Path("/srv/portal/var/postgres")
    assert paths.postgres_sockets == paths.postgres
    assert paths.valkey_socket == Path("/srv/portal/var/valkey/valkey.sock")
    assert paths.database_url("other") == "postgresql://postgres@/other?host=%2Fsrv%2Fportal%2Fvar%2Fpostgres"
    assert paths.broker_url() == "redis+socket:///srv/portal/var/valkey/valkey.sock"


def test_a_path_too_long_for_a_socket_gets_a_short_folder_of_its_own() -> None:
    longest = EmbeddedPaths(Path("/" + "v" * (103 - len("//postgres/.s.PGSQL.5432"))))
    assert len(str(longest.postgres / ".s.PGSQL.5432")) == 103
    assert longest.postgres_sockets == longest.postgres
    longer = EmbeddedPaths(Path(str(longest.var_dir) + "v"))
    assert longer.postgres_sockets.parent == Path("/tmp")
    assert longer.postgres_sockets.name.startswith(f"wovepaper-{os.getuid()}-")
    assert longer.postgres_sockets != EmbeddedPaths(Path(str(longer.var_dir) + "v")).postgres_sockets
    assert longer.postgres_sockets != longer.valkey_socket.parent


def test_the_socket_folder_does_not_depend_on_the_process(monkeypatch) -> None:
    long = EmbeddedPaths(Path("/" + "v" * 120))
    before = long.postgres_sockets, long.valkey_socket
    monkeypatch.setenv("TMPDIR", "/var/tmp")
    assert (long.postgres_sockets, long.valkey_socket) == before


def test_psycopg_reads_the_address_of_an_odd_folder() -> None:
    paths = EmbeddedPaths(Path("/srv/a b&c=d?é"))
    options = psycopg.conninfo.conninfo_to_dict(paths.database_url())
    assert options == {"user": "postgres", "dbname": "wovepaper", "host": "/srv/a b&c=d?é/postgres"}
    assert quote("é") in paths.database_url()


def test_the_secret_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    paths = EmbeddedPaths(tmp_path / "var")
    secret = paths.secret_key()
    assert len(secret) >= 64
    assert paths.secret_key() == secret
    assert (tmp_path / "var" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secret_key"]
    assert EmbeddedPaths(tmp_path / "other").secret_key() != secret


def test_an_opened_secret_is_closed_again(tmp_path: Path) -> None:
    paths = EmbeddedPaths(tmp_path)
    secret = paths.secret_key()
    (tmp_path / "secret_key").chmod(0o644)
    assert paths.secret_key() == secret
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
