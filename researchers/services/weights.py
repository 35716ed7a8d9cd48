"""The weights of evidence this instance works with: its own if it has learnt some, else those of the project."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings

from researchers.matching.weights import Weights, default_weights


def own_weights_file() -> Path:
    """Where an instance keeps weights of its own."""
    return Path(settings.VAR_DIR) / "matching" / "weights.json"


def current_weights() -> Weights:
    """The instance's own weights, read again when their file has changed; the project's where there is none.

    Raises ``ValueError``, which names the file, if it cannot be read: quietly deciding otherwise would be worse.
    """
    path = own_weights_file()
    try:
        state = path.stat()
    except FileNotFoundError:
        return default_weights()
    return _read(path, state.st_mtime_ns, state.st_ino)


def keep_weights(weights: Weights, path: Path) -> None:
    """Write a file of weights in one step: whoever reads meanwhile reads the old one or the new one.

    Raises ``OSError``.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(weights.to_json())
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).chmod(0o644)
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


@lru_cache(maxsize=2)
def _read(path: Path, changed: int, inode: int) -> Weights:
    try:
        return Weights.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: {error} Or delete the file to use the project's own weights.") from error
