"""The invented source is registered while these tests run."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _invented_source(invented_source: None) -> None:
    """For every test here."""
