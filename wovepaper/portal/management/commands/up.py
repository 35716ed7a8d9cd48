"""``manage.py up``: the whole portal on one machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from types import FrameType
from typing import Any

import psutil
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from wovepaper.embedded.children import die_with_parent
from wovepaper.embedded.errors import EmbeddedServerError, describe_os_error
from wovepaper.embedded.locks import FileLock
from wovepaper.embedded.premises import require_free_port, require_free_space, require_writable_folder
from wovepaper.portal import preparation, tables
from wovepaper.portal.supervision import Portal, Wishes


class _Stop(BaseException):
    """Somebody wants the portal to end. No ``Exception``, so that nothing on the way takes it for a fault."""


class Command(BaseCommand):
    """Start the servers, prepare the database, serve, and stop everything again."""

    help = (
        "Start the whole portal on this machine: database, broker, web server, worker and clock. Ctrl-C stops all "
        "of it. Existing data is kept; an empty database is filled with an invented catalogue unless --no-demo."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen, and whether to invent papers."""
        parser.add_argument("--port", type=int, default=8000, help="port of the web server (default 8000)")
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1: this machine only)"
        )
        parser.add_argument("--no-demo", action="store_true", help="leave an empty database empty")

    def handle(self, *args: Any, port: int, host: str, no_demo: bool, **options: Any) -> None:
        """Run until a signal comes. Exits with 1, after one sentence, when something is in the way."""
        # What the portal writes is nobody else's business on this machine.
        os.umask(0o077)
        self._signals = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        wishes = Wishes(
            host=host,
            port=port,
            database_url=os.environ.get("DATABASE_URL", ""),
            broker_url=os.environ.get("BROKER_URL", ""),
            site_url=os.environ.get("SITE_URL", ""),
        )
        try:
            self._run(wishes, demo=not no_demo)
        except _Stop:
            pass
        except EmbeddedServerError as error:
            self._fail(str(error))
        except OSError as error:
            self._fail(describe_os_error(error, settings.VAR_DIR))

    def _run(self, wishes: Wishes, *, demo: bool) -> None:
        paths = settings.EMBEDDED
        require_writable_folder(paths.var_dir)
        paths.locks.mkdir(exist_ok=True)
        lock = FileLock(paths.locks / "up")
        if not lock.acquire(timeout=2):  # one that is just ending gets a moment
            raise EmbeddedServerError(
                f"Another `manage.py up` already runs on {paths.var_dir}: stop it, or set VAR_DIR to another folder."
            )
        require_free_space(paths.var_dir)
        require_free_port(wishes.host, wishes.port)
        portal = Portal(paths, wishes, self._say)
        try:
            portal.start_database()
            portal.start_broker()
            self._prepare(portal, demo=demo)
            portal.start_web()
            self._announce(wishes, time.time() - psutil.Process().create_time())
            while True:
                portal.watch()
        finally:
            # From here on a further signal only shortens the waiting.
            self._stopping = True
            self._say("Stopping …")
            portal.stop(hurry=lambda: self._signals > 1)
            lock.release()
            self._say("Stopped.")

    def _prepare(self, portal: Portal, *, demo: bool) -> None:
        note = preparation.demo_note()
        with preparation.database_session():
            applied = tables.apply_migrations()
            self._say(f"Database: {applied} migrations applied" if applied else "Database: up to date")
            if preparation.collect_static_files():
                self._say("Static files: collected")
            empty = preparation.catalogue_is_empty()
        if demo and (empty or note.exists()):
            self._say("Catalogue: an invented one is brought in, a minute's work (leave it out with --no-demo) …")
            note.touch()
            self._run_command(portal, "demo")
            note.unlink()
        elif empty:
            self._say("Catalogue: empty; `manage.py demo` invents one, `manage.py harvest` brings a real one")
        with preparation.database_session():
            incomplete = preparation.index_needs_building()
        if incomplete:
            self._say("Search index: missing or of another version, so it is built …")
            self._run_command(portal, "reindex")

    def _run_command(self, portal: Portal, *command: str) -> None:
        """Run another command in a process of its own: what it needs of memory goes with it."""
        environment = dict(portal.environment)
        # Without a broker the command does all of its work itself, and is done when it ends.
        environment.pop("BROKER_URL")
        process = subprocess.Popen(
            [sys.executable, str(settings.BASE_DIR / "manage.py"), *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            preexec_fn=die_with_parent(),
            start_new_session=True,
        )
        try:
            status = process.wait()
        except _Stop:
            process.terminate()
            while process.poll() is None:
                if self._signals > 1:
                    process.kill()
                time.sleep(0.05)
            raise
        if status != 0:
            raise EmbeddedServerError(f"`manage.py {' '.join(command)}` failed; the next start tries it again.")

    def _announce(self, wishes: Wishes, seconds: float) -> None:
        self._say(f"Ready in {seconds:.1f} s: {wishes.address}")
        with preparation.database_session():
            for line in preparation.ways_to_sign_in(wishes.address):
                self._say(line)
        self._say(f"Logs: {settings.EMBEDDED.logs} · Ctrl-C stops everything")

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1
        if not getattr(self, "_stopping", False):
            self._stopping = True
            raise _Stop

    def _say(self, line: str) -> None:
        try:
            self.stdout.write(line)
            self.stdout.flush()
        except OSError:
            pass  # the terminal is gone; what has to be done still is

    def _fail(self, sentence: str) -> None:
        self.stderr.write(sentence)
        sys.exit(1)
