"""arXiv's categories (https://arxiv.org/category_taxonomy), with the archives that were closed or absorbed."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "data" / "arxiv_taxonomy.csv"


@dataclass(frozen=True, slots=True)
class CategoryFact:
    """One category. ``canonical`` is the code that stands for this one today; empty for one that stands for itself."""

    code: str
    name: str
    archive: str
    archive_name: str
    group: str
    group_name: str
    active: bool
    canonical: str


@cache
def load() -> dict[str, CategoryFact]:
    """Every category by its code, in the order of the codes."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        return {
            row["code"]: CategoryFact(
                row["code"],
                row["name"],
                row["archive"],
                row["archive_name"],
                row["group"],
                row["group_name"],
                row["active"] == "1",
                row["canonical"],
            )
            for row in csv.DictReader(lines)
        }
