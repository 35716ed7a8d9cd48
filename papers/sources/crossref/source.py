"""Crossref as a source of the harvest engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from papers.sources.crossref import documents, works
from papers.sources.records import PaperRecord
from wovepaper.harvest.contracts import Page, RawRecord
from wovepaper.harvest.file_source import FileSource


class CrossrefSource(FileSource):
    """The files that Crossref's works come in: lines of works, answers of its API, parts of its public data file."""

    name = works.NAME
    where_from = "Crossref's works are taken from files: name them with --file."
    earliest = dt.date(2000, 1, 1)
    """The year in which Crossref began."""

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none."""
        return documents.read_answer(body)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return documents.read_file(path)

    def parse(self, record: RawRecord) -> PaperRecord:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return works.parse(record)
