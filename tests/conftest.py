"""One PostgreSQL for the run, started here unless DATABASE_URL names one; each test process has its own database."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

_at_the_end: list[Callable[[], None]] = []


def _prepare() -> None:
    """Point the settings at throw-away servers and folders. Runs once, in the process that starts the workers."""
    os.environ.setdefault("WOVEPAPER_SINGLE_MACHINE", "1")
    # Not in the configuration file: pytest-django would read the settings before this module runs.
    os.environ["DJANGO_SETTINGS_MODULE"] = "wovepaper.settings"
    if "WOVEPAPER_TEST_ROOT" not in os.environ:
        root = Path(tempfile.mkdtemp(prefix="wovepaper-tests-"))
        os.environ["WOVEPAPER_TEST_ROOT"] = str(root)
        if not os.environ.get("DATABASE_URL"):
            from wovepaper.embedded.paths import EmbeddedPaths
            from wovepaper.embedded.postgres import THROW_AWAY_SETTINGS, EmbeddedPostgres

            paths = EmbeddedPaths(root)
            # If this process is killed, the server's keeper stops it and removes the folder.
            postgres = EmbeddedPostgres(paths, settings=THROW_AWAY_SETTINGS, remove_with_last_user=root)
            postgres.join()
            _at_the_end.append(postgres.leave)
            os.environ["DATABASE_URL"] = paths.database_url("postgres")
        _at_the_end.append(lambda: shutil.rmtree(root, ignore_errors=True))
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    os.environ["VAR_DIR"] = str(Path(os.environ["WOVEPAPER_TEST_ROOT"]) / worker)


_prepare()

# A run in the background of a script is told to ignore Ctrl-C, and so would be the commands that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

import hypothesis  # noqa: E402

# A busy machine is no fault of the code: time limits are those of the tests that measure.
hypothesis.settings.register_profile("wovepaper", deadline=None)
hypothesis.settings.load_profile("wovepaper")

import django  # noqa: E402
import pytest  # noqa: E402

django.setup()

# A worker of xdist inherits the environment; with this in it, it would read the settings before it comes by here, and
# all workers would share one VAR_DIR.
del os.environ["DJANGO_SETTINGS_MODULE"]

from django.conf import settings  # noqa: E402

pytest_plugins = ["tests.upstreams.fixtures"]

# Pages are tested without `collectstatic`: the manifest that production's storage reads is not there.
settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """How many processes ``-n auto`` means here; 0 runs everything in this one.

    A process costs a database of its own, so a single test does not get one, and what is measured is not disturbed.
    """
    measures = "benchmark" in config.option.markexpr and "not benchmark" not in config.option.markexpr
    if measures or all("::" in argument for argument in config.args):
        return 0
    return min(os.cpu_count() or 1, 4)


def pytest_unconfigure() -> None:
    """Undo what ``_prepare`` did, in the process that did it: first the server, then its folder."""
    while _at_the_end:
        _at_the_end.pop(0)()
