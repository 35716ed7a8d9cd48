"""The servers and workers of one machine, started in order, watched, and stopped in order."""

from __future__ import annotations

import http.client
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wovepaper.embedded.children import Child, rotate
from wovepaper.embedded.errors import EmbeddedServerError
from wovepaper.embedded.paths import EmbeddedPaths
from wovepaper.embedded.postgres import EmbeddedPostgres, ensure_database
from wovepaper.embedded.premises import require_free_space
from wovepaper.embedded.valkey import answers, prepare_valkey

CHECKOUT = Path(__file__).resolve().parents[2]
READY_SECONDS = 60.0
ROTATION_SECONDS = 60.0
COMPLAINT_SECONDS = 10.0

WEB = (
    *("--workers=1", "--worker-class=gthread", "--threads=8", "--timeout=120", "--graceful-timeout=8"),
    "--limit-request-line=8190",  # a hundred DOIs in one address
    "--no-control-socket",  # it would lie in the home folder, one for all instances
)
WORKER = (
    # Two at a time: a harvest may take hours, and what it brings shall be found meanwhile.
    *("--hostname=wovepaper@localhost", "--concurrency=2", "--loglevel=INFO", "--max-memory-per-child=300000"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat"),  # there is no other worker to talk to
)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person at the terminal, or the environment, asks of the portal."""

    host: str
    port: int
    database_url: str
    broker_url: str
    site_url: str

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the portal."""
        host = "localhost" if self.host in {"127.0.0.1", "0.0.0.0", "::1", "::", "localhost"} else self.host  # noqa: S104
        return f"http://{host}:{self.port}/"


class Portal:
    """Everything that ``manage.py up`` starts. Use ``stop`` whatever happens."""

    def __init__(self, paths: EmbeddedPaths, wishes: Wishes, say: Callable[[str], None]) -> None:
        self._paths = paths
        self._wishes = wishes
        self._say = say
        self._children: list[Child] = []
        self._postgres: EmbeddedPostgres | None = None
        self._rotated_at = time.monotonic()

    @property
    def environment(self) -> Mapping[str, str]:
        """What every process of the portal is told."""
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "wovepaper.settings",
            "WOVEPAPER_SINGLE_MACHINE": "1",
            "VAR_DIR": str(self._paths.var_dir),
            "DATABASE_URL": self._wishes.database_url or self._paths.database_url(),
            "BROKER_URL": self._wishes.broker_url or self._paths.broker_url(),
            "SITE_URL": self._wishes.site_url or self._wishes.address.rstrip("/"),
            "PYTHONUNBUFFERED": "1",
            # Django's checks are of the code and made with it; they load every page, of which these have none.
            "CELERY_SKIP_CHECKS": "1",
        }

    def start_database(self) -> None:
        """Start the embedded PostgreSQL unless another is named. Raises ``EmbeddedServerError``."""
        if self._wishes.database_url:
            self._say("PostgreSQL: the one DATABASE_URL names")
            return
        began = time.monotonic()
        self._postgres = EmbeddedPostgres(self._paths)
        self._postgres.join()
        ensure_database(self._paths)
        self._say(f"PostgreSQL: started in {time.monotonic() - began:.1f} s")

    def start_broker(self) -> None:
        """Start the embedded Valkey unless another broker is named. Raises ``EmbeddedServerError``."""
        if self._wishes.broker_url:
            self._say("Broker: the one BROKER_URL names")
            return
        child = self._child("valkey", prepare_valkey(self._paths))
        self._start(child)
        deadline = time.monotonic() + 10
        while not answers(self._paths.valkey_socket):
            if not child.is_running() or time.monotonic() > deadline:
                raise EmbeddedServerError(f"Valkey did not start: {child.last_words()} (more in {child.log})")
            time.sleep(0.02)
        self._say("Valkey: started")

    def start_web(self) -> None:
        """Start the web server, the worker and its clock, and wait until a page is served.

        Raises ``EmbeddedServerError``.
        """
        host = f"[{self._wishes.host}]" if ":" in self._wishes.host else self._wishes.host
        python = [sys.executable, "-m"]
        web = self._child("web", [*python, "gunicorn", "wovepaper.wsgi", f"--bind={host}:{self._wishes.port}", *WEB])
        self._start(web)
        # Only then the others: they would take the processor from what somebody is waiting for.
        self._wait_until_it_lives(web)
        celery = [*python, "celery", "--app=wovepaper"]
        self._start(self._child("worker", [*celery, "worker", *WORKER], patience=20.0))
        schedule = self._paths.var_dir / "beat" / "schedule"
        schedule.parent.mkdir(exist_ok=True)
        self._start(self._child("beat", [*celery, "beat", "--pidfile=", f"--schedule={schedule}"]))
        self._wait_until_it_is_ready(web)

    def watch(self) -> None:
        """Return after a moment; restart what died. Raises ``EmbeddedServerError`` when that does not help."""
        time.sleep(0.5)
        for child in self._children:
            if not child.is_running():
                self._restart(child)
        if self._postgres and not self._postgres.is_running():
            require_free_space(self._paths.var_dir)
            self._say("PostgreSQL has stopped; starting it again.")
            try:
                self._postgres.ensure_running()
            except OSError as error:
                raise EmbeddedServerError(f"PostgreSQL could not be started again: {error}.") from error
        if time.monotonic() - self._rotated_at > ROTATION_SECONDS:
            self._rotated_at = time.monotonic()
            for child in self._children:
                rotate(child.log)

    def stop(self, hurry: Callable[[], bool] = lambda: False) -> None:
        """Stop everything, the last started first; ``hurry`` tells when waiting shall end."""
        while self._children:
            self._children.pop().stop(hurry=hurry)
        if not self._wishes.broker_url:
            self._paths.valkey_socket.unlink(missing_ok=True)
        if self._postgres and not self._postgres.leave():
            self._say("PostgreSQL goes on for another command that uses it, and stops with that.")

    def _child(self, name: str, command: list[str], patience: float = 10.0) -> Child:
        log = self._paths.logs / f"{name}.log"
        return Child(name, command, self.environment, log, CHECKOUT, patience)

    def _start(self, child: Child) -> None:
        self._children.append(child)
        child.start()

    def _restart(self, child: Child) -> None:
        if not child.may_restart():
            raise EmbeddedServerError(
                f"The {child.name} process ends as often as it is started: {child.last_words()} (more in {child.log})"
            )
        self._say(f"The {child.name} process has ended ({child.last_words()}); starting it again.")
        child.stop()
        child.start()

    def _wait_until_it_lives(self, web: Child) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while self._get("/livez") is None:
            if not web.is_running():
                raise EmbeddedServerError(f"The web server did not start: {web.last_words()} (more in {web.log})")
            if time.monotonic() > deadline:
                raise EmbeddedServerError(
                    f"The web server did not answer within {READY_SECONDS:.0f} s: see {web.log} for the reason."
                )
            time.sleep(0.1)

    def _wait_until_it_is_ready(self, web: Child) -> None:
        deadline = time.monotonic() + COMPLAINT_SECONDS
        while (answer := self._get("/readyz")) is None or answer[0] != http.client.OK:
            if time.monotonic() > deadline:
                told = answer[1] if answer else "no answer"
                self._say(f"Not everything works: {told} (more in {web.log}); pages that do without it are served.")
                return
            time.sleep(0.5)

    def _get(self, address: str) -> tuple[int, str] | None:
        """Status and text of a page of ours, or ``None`` while nothing answers there."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._wishes.host, self._wishes.host)  # noqa: S104
        connection = http.client.HTTPConnection(host, self._wishes.port, timeout=30)
        try:
            connection.request("GET", address, headers={"Host": "localhost"})
            response = connection.getresponse()
            return response.status, response.read(500).decode(errors="replace").strip()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()
