"""Where the embedded servers of one instance keep their files. Imports nothing of Django: settings read it."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote


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
        """The data folder of the embedded Valkey."""
        return self.var_dir / "valkey"

    @property
    def lock(self) -> Path:
        """Held by the one ``manage.py up`` that may run on this folder."""
        return self.var_dir / "up.lock"

    def secret_key(self) -> str:
        """The instance's own secret, made once and readable by its owner only."""
        path = self.var_dir / "secret_key"
        try:
            return path.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            pass
        self.var_dir.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return path.read_text(encoding="ascii").strip()
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(50))
        return path.read_text(encoding="ascii").strip()

    def database_url(self, database: str = "wovepaper") -> str:
        """Address of the embedded PostgreSQL's socket, whether or not the server runs now."""
        socket_dir = self.postgres
        try:
            lines = (self.postgres / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except OSError:
            lines = []
        if len(lines) > 4 and lines[4].strip():
            socket_dir = Path(lines[4].strip())
        return f"postgresql://postgres@/{database}?host={quote(str(socket_dir), safe='')}"
