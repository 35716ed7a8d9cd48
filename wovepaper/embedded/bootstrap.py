"""What a command needs before Django starts, on a machine where nothing is configured."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# These either need no database or look after the embedded one themselves.
WITHOUT_DATABASE = frozenset(
    {"up", "help", "version", "check", "collectstatic", "findstatic", "makemessages", "compilemessages", "startapp"}
)


def var_dir() -> Path:
    """The folder this instance writes to: ``VAR_DIR``, or ``var`` in the checkout."""
    default = Path(__file__).resolve().parents[2] / "var"
    return Path(os.environ.get("VAR_DIR") or default).expanduser().resolve()


def is_single_machine() -> bool:
    """Whether ``WOVEPAPER_SINGLE_MACHINE`` says that this host may fall back to embedded servers."""
    return os.environ.get("WOVEPAPER_SINGLE_MACHINE", "").strip().lower() in {"1", "true", "on", "yes"}


def prepare_environment(argv: list[str]) -> bool:
    """Start or join the embedded PostgreSQL for a command that needs a database, unless ``DATABASE_URL`` names one.

    Returns whether the command works on the embedded one.

    A production host that sets ``WOVEPAPER_SINGLE_MACHINE=0`` never gets an embedded server by mistake.
    Ends the process with one sentence if that fails.
    """
    command = argv[1] if len(argv) > 1 else "help"
    if command == "up" or not os.environ.get("DATABASE_URL"):
        os.environ.setdefault("WOVEPAPER_SINGLE_MACHINE", "1")
    if command == "up" and not {"--help", "-h"} & set(argv):
        _require_premises()
    if not is_single_machine():
        return False
    if os.environ.get("DATABASE_URL") or command in WITHOUT_DATABASE or "--help" in argv or "-h" in argv:
        return False

    from wovepaper.embedded.errors import EmbeddedServerError
    from wovepaper.embedded.paths import EmbeddedPaths
    from wovepaper.embedded.postgres import EmbeddedPostgres, ensure_database
    from wovepaper.embedded.valkey import answers

    paths = EmbeddedPaths(var_dir())
    try:
        EmbeddedPostgres(paths).join()
    except EmbeddedServerError as error:
        sys.exit(str(error))
    ensure_database(paths)
    os.environ["DATABASE_URL"] = paths.database_url()
    if not os.environ.get("BROKER_URL") and answers(paths.valkey_socket):
        # `up` runs on the same folder: its worker takes what this command hands on.
        os.environ["BROKER_URL"] = paths.broker_url()
    return True


def _require_premises() -> None:
    """Before the settings write there: end with one sentence when ``VAR_DIR`` cannot be used."""
    from wovepaper.embedded.errors import EmbeddedServerError
    from wovepaper.embedded.premises import require_free_space, require_writable_folder

    folder = var_dir()
    try:
        require_writable_folder(folder)
        require_free_space(folder)
    except EmbeddedServerError as error:
        sys.exit(str(error))
