"""What a demo catalogue is made from: a file of one line instead of gigabytes of documents."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from pathlib import Path

from wovepaper.demo.dates import Calendar
from wovepaper.demo.papers import MAXIMUM


@dataclass(frozen=True, slots=True)
class Recipe:
    """Size, seed and last day determine every byte of a catalogue."""

    papers: int
    seed: int
    until: dt.date

    def __post_init__(self) -> None:
        if not 1 <= self.papers <= MAXIMUM:
            raise ValueError(f"A demo catalogue has from 1 to {MAXIMUM:,} papers, not {self.papers:,}.")
        Calendar(self.until)

    def write(self, folder: Path) -> Path:
        """Write the recipe into ``folder`` and return the file."""
        path = folder / f"demo-{self.papers}-{self.seed}-{self.until}.json"
        values = {"demo_papers": self.papers, "seed": self.seed, "until": self.until.isoformat()}
        path.write_text(json.dumps(values) + "\n", encoding="ascii")
        return path

    @classmethod
    def read(cls, path: Path) -> Recipe | None:
        """The recipe in a file, or ``None`` where it holds something else. Raises ``ValueError`` for a bad one."""
        with path.open("rb") as file:
            if not file.read(32).startswith(b'{"demo_papers"'):
                return None
        values = json.loads(path.read_text(encoding="ascii"))
        return cls(int(values["demo_papers"]), int(values["seed"]), dt.date.fromisoformat(values["until"]))
