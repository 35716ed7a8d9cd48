"""The figures of a harvest, as a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of records. Every record that was seen is exactly one of the four."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    quarantined: int = 0

    @property
    def seen(self) -> int:
        """All records, damaged ones too."""
        return self.new + self.changed + self.unchanged + self.quarantined

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.new + other.new,
            self.changed + other.changed,
            self.unchanged + other.unchanged,
            self.quarantined + other.quarantined,
        )

    def __str__(self) -> str:
        return (
            f"seen {self.seen}, new {self.new}, changed {self.changed}, "
            f"unchanged {self.unchanged}, quarantined {self.quarantined}"
        )
