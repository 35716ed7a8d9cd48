"""Real upstream documents beside the checkout, where there are any; they are never part of this repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared_data_dir(*parts: str) -> Path:
    """The folder or file of real documents, or a skip with the reason."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    path = Path(os.environ.get("WOVEPAPER_SHARED_DATA", default)).joinpath(*parts)
    if not path.exists():
        pytest.skip(f"no real documents at {path}: set WOVEPAPER_SHARED_DATA to their folder")
    return path
