"""Rows of numbers that stand for texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row per text, of length 1; all zeros for a text of which nothing is known."""


def normalised(rows: Vectors) -> Vectors:
    """The rows at length 1; those of length 0 stay as they are."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0.0] = 1.0
    return np.asarray(rows / lengths, dtype=np.float32)
