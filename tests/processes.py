"""Which processes belong to an instance, and commands run as a person runs them: in a process of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

CHECKOUT = Path(__file__).resolve().parents[1]
CONFIGURATION = (
    "ALLOWED_HOSTS BROKER_URL CACHE_URL CONTACT_EMAIL DATABASE_URL DEBUG EMAIL_URL SEARCH_URL SECRET_KEY SITE_URL "
    "WOVEPAPER_SINGLE_MACHINE WOVEPAPER_TEST_ROOT"
).split()

_started: list[subprocess.Popen[str]] = []


def clean_environment(var_dir: Path, **variables: str) -> dict[str, str]:
    """The environment of a person who configured nothing but ``VAR_DIR``."""
    kept = {name: value for name, value in os.environ.items() if name not in CONFIGURATION}
    return {**kept, "VAR_DIR": str(var_dir), **variables}


@contextmanager
def throw_away_folder() -> Iterator[Path]:
    """A folder for a server that runs as another user. Not ``tmp_path``: every run of pytest closes its parent anew."""
    folder = Path(tempfile.mkdtemp(prefix="up-", dir=os.environ["WOVEPAPER_TEST_ROOT"]))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def start_command(var_dir: Path, *command: str, **variables: str) -> subprocess.Popen[str]:
    """``manage.py`` with ``command``, its output in one pipe."""
    process = subprocess.Popen(
        [sys.executable, str(CHECKOUT / "manage.py"), *command],
        env=clean_environment(var_dir, **variables),
        cwd=CHECKOUT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    _started.append(process)
    return process


def run_command(var_dir: Path, *command: str, **variables: str) -> tuple[int, str]:
    """Exit code and output of a whole ``manage.py`` command."""
    process = start_command(var_dir, *command, **variables)
    output, _ = process.communicate(timeout=120)
    return process.returncode, output


def processes_of(var_dir: Path) -> list[psutil.Process]:
    """Every living process that was started for this folder, by its command line or its environment."""
    found = []
    for process in psutil.process_iter(["pid", "status", "cmdline"]):
        if process.pid == os.getpid() or process.info["status"] == psutil.STATUS_ZOMBIE:
            continue
        try:
            named = any(str(var_dir) in word for word in process.info["cmdline"] or [])
            if named or process.environ().get("VAR_DIR") == str(var_dir):
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def wait_until(condition: Callable[[], object], seconds: float = 15.0) -> bool:
    """Whether ``condition`` came true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def end_processes_of(var_dir: Path) -> None:
    """Kill what a test has left behind, so that one failure does not make others."""
    for process in processes_of(var_dir):
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    for started in _started:
        if started.poll() is None:
            started.kill()
        started.communicate(timeout=30)
    _started.clear()
