"""One PostgreSQL for the run, started here unless DATABASE_URL names one; each test process has its own database."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_here: list[Path] = []


def _prepare() -> None:
    """Point the settings at throw-away servers and folders. Runs once, in the process that starts the workers."""
    os.environ.setdefault("WOVEPAPER_SINGLE_MACHINE", "1")
    # Not in the configuration file: pytest-django would read the settings before this module runs.
    os.environ["DJANGO_SETTINGS_MODULE"] = "wovepaper.settings"
    if "WOVEPAPER_TEST_ROOT" not in os.environ:
        root = Path(tempfile.mkdtemp(prefix="wovepaper-tests-"))
        root.chmod(0o755)
        os.environ["WOVEPAPER_TEST_ROOT"] = str(root)
        _here.append(root)
        if not os.environ.get("DATABASE_URL"):
            from wovepaper.embedded.paths import EmbeddedPaths
            from wovepaper.embedded.postgres import start_postgres

            paths = EmbeddedPaths(root)
            start_postgres(paths.postgres)
            os.environ["DATABASE_URL"] = paths.database_url("postgres")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    os.environ["VAR_DIR"] = str(Path(os.environ["WOVEPAPER_TEST_ROOT"]) / worker)


_prepare()

import django  # noqa: E402

django.setup()


def pytest_unconfigure() -> None:
    """Remove what ``_prepare`` made, in the process that made it."""
    for root in _here:
        shutil.rmtree(root, ignore_errors=True)
