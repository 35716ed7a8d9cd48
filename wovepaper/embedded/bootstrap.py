"""What a command needs before Django starts, on a machine where nothing is configured."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# These either need no database or look after the embedded one themselves.
WITHOUT_DATABASE = frozenset(
    {"up", "help", "version", "check", "collectstatic", "findstatic", "makemessages", "compilemessages", "startapp"}
)


def prepare_environment(argv: list[str]) -> None:
    """Start the embedded PostgreSQL for a command that needs a database, unless ``DATABASE_URL`` names one."""
    if os.environ.get("DATABASE_URL"):
        return
    os.environ.setdefault("WOVEPAPER_SINGLE_MACHINE", "1")
    command = argv[1] if len(argv) > 1 else "help"
    if command in WITHOUT_DATABASE or "--help" in argv or "-h" in argv:
        return

    from wovepaper.embedded.paths import EmbeddedPaths
    from wovepaper.embedded.postgres import EmbeddedServerError, ensure_database, start_postgres

    default = Path(__file__).resolve().parents[2] / "var"
    paths = EmbeddedPaths(Path(os.environ.get("VAR_DIR") or default).expanduser().resolve())
    try:
        start_postgres(paths.postgres)
    except EmbeddedServerError as error:
        sys.exit(str(error))
    url = paths.database_url()
    ensure_database(paths.database_url("postgres"), "wovepaper")
    os.environ["DATABASE_URL"] = url
