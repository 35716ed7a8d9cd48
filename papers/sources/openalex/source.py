"""OpenAlex as a source of the harvest engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from papers.sources import json_documents
from papers.sources.openalex import works
from papers.sources.openalex.entities import SHAPE
from papers.sources.records import PaperRecord
from wovepaper.harvest import archives
from wovepaper.harvest.contracts import Page, RawRecord
from wovepaper.harvest.file_source import FileSource


class OpenAlexSource(FileSource):
    """The files that OpenAlex's works come in: parts of its snapshot, answers of its API, single works."""

    name = works.NAME
    where_from = "OpenAlex's works are taken from files: name parts of its snapshot or answers of its API with --file."
    earliest = dt.date(2022, 1, 1)
    """The year in which OpenAlex began."""

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none."""
        return json_documents.read_answer(body, SHAPE)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return archives.read_file(path, lambda open_stream: json_documents.read_document(open_stream, SHAPE))

    def parse(self, record: RawRecord) -> PaperRecord:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return works.parse(record)
