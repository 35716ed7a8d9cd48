"""A batch between what the database holds and what it shall hold: the papers, and the rows of all of them by table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from papers.services.ingest.resolution import Shown
from papers.services.ingest.state import PaperState
from papers.sources.records import PaperRecord


@dataclass(slots=True)
class PlannedPaper:
    """A paper of the batch on its way."""

    id: int
    state: PaperState | None
    """``None`` for a new paper."""
    records: list[tuple[int, PaperRecord]]
    """Rows and records in the order of precedence."""
    shown: Shown
    touched: bool = False
    """Whether rows beside the paper's own change."""
    kept_authorships: list[int | None] = field(default_factory=list)
    """For each shown author the index of its row in the state."""


@dataclass(slots=True)
class PlannedRows:
    """Rows of all papers of the batch, by table, to be written in one statement each."""

    papers: list[tuple[Any, ...]] = field(default_factory=list)
    metrics: list[tuple[Any, ...]] = field(default_factory=list)
    """Of new papers only."""
    authorships: list[tuple[Any, ...]] = field(default_factory=list)
    authorship_updates: list[dict[str, Any]] = field(default_factory=list)
    authorships_gone: list[int] = field(default_factory=list)
    source_authorships: list[tuple[Any, ...]] = field(default_factory=list)
    source_authorship_updates: list[dict[str, Any]] = field(default_factory=list)
    source_authorships_gone: list[int] = field(default_factory=list)
    affiliations: list[tuple[Any, ...]] = field(default_factory=list)
    affiliations_gone: list[int] = field(default_factory=list)
    versions: list[tuple[Any, ...]] = field(default_factory=list)
    version_updates: list[dict[str, Any]] = field(default_factory=list)
    versions_gone: list[int] = field(default_factory=list)
    references: list[tuple[Any, ...]] = field(default_factory=list)
    reference_updates: list[dict[str, Any]] = field(default_factory=list)
    references_gone: list[int] = field(default_factory=list)
    listings: list[tuple[Any, ...]] = field(default_factory=list)
    listings_gone: list[int] = field(default_factory=list)
