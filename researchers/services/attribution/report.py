"""What became of papers whose authors were decided."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Report:
    """Sums over batches."""

    papers: int = 0
    decided: int = 0
    """Authors that were looked at."""
    regrouped: int = 0
    """Of those, the ones whose name had grown, so that all of its bearers were told apart anew."""
    written: int = 0
    unchanged: int = 0
    newcomers: int = 0
    candidates: int = 0
    refused: dict[int, str] = field(default_factory=dict)
    """By authorship: why it was left as it is."""

    def add(self, other: Report) -> None:
        """Sum up."""
        self.papers += other.papers
        self.decided += other.decided
        self.regrouped += other.regrouped
        self.written += other.written
        self.unchanged += other.unchanged
        self.newcomers += other.newcomers
        self.candidates += other.candidates
        self.refused |= other.refused
