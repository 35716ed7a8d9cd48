"""Where the embedded servers of one instance keep their files. Imports nothing of Django: settings read it."""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

LONGEST_SOCKET_PATH = 103
"""Bytes a Unix socket's path may have: 108 with the closing zero on Linux, 104 on macOS."""

POSTGRES_SOCKET = ".s.PGSQL.5432"
VALKEY_SOCKET = "valkey.sock"


@dataclass(frozen=True, slots=True)
class EmbeddedPaths:
    """Files below ``VAR_DIR`` that belong to the single-machine set-up."""

    var_dir: Path

    @property
    def postgres(self) -> Path:
        """The data folder of the embedded PostgreSQL."""
        return self.var_dir / "postgres"

    @property
    def valkey(self) -> Path:
        """The folder of the embedded Valkey."""
        return self.var_dir / "valkey"

    @property
    def locks(self) -> Path:
        """Empty files that running processes hold locks on; they stay when nothing runs."""
        return self.var_dir / "locks"

    @property
    def logs(self) -> Path:
        """What the servers and workers have to say."""
        return self.var_dir / "logs"

    @property
    def postgres_sockets(self) -> Path:
        """The folder of PostgreSQL's socket: its data folder, or a short one where that path is too long."""
        return _socket_dir(self.postgres, POSTGRES_SOCKET)

    @property
    def valkey_socket(self) -> Path:
        """The socket on which the embedded Valkey listens."""
        return _socket_dir(self.valkey, VALKEY_SOCKET) / VALKEY_SOCKET

    def database_url(self, database: str = "wovepaper") -> str:
        """Address of the embedded PostgreSQL, whether or not it runs now."""
        return f"postgresql://postgres@/{database}?host={quote(str(self.postgres_sockets), safe='')}"

    def broker_url(self) -> str:
        """Address of the embedded Valkey as Celery writes it, whether or not it runs now."""
        return f"redis+socket://{self.valkey_socket}"

    def secret_key(self) -> str:
        """The instance's own secret, made once and readable by its owner only."""
        path = self.var_dir / "secret_key"
        try:
            return _read_secret(path)
        except FileNotFoundError:
            pass
        self.var_dir.mkdir(parents=True, exist_ok=True)
        # Written aside and linked into place: a reader never sees half a key, and the first writer wins.
        handle, draft = tempfile.mkstemp(prefix=".secret_key-", dir=self.var_dir)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(50))
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            Path(draft).unlink()
        return _read_secret(path)


def _read_secret(path: Path) -> str:
    value = path.read_text(encoding="ascii").strip()
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(0o600)
    return value


def _socket_dir(home: Path, name: str) -> Path:
    """``home`` when a socket ``name`` fits in there, else a short folder named after it."""
    if len(os.fsencode(home / name)) <= LONGEST_SOCKET_PATH:
        return home
    digest = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    # Not the TMPDIR of this process: every process must come to the same folder. It is used only if it is ours alone.
    return Path("/tmp") / f"wovepaper-{os.getuid()}-{digest}"  # noqa: S108
