"""OpenAlex as a source of the harvest engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from papers.sources import archives, json_documents
from papers.sources.openalex import works
from papers.sources.openalex.entities import SHAPE
from papers.sources.records import PaperRecord
from wovepaper.harvest.contracts import Page, PageRefused, PageRequest, RawRecord, Window

_FROM_FILES = "OpenAlex's works are taken from files: name parts of its snapshot or answers of its API with --file."


class OpenAlexSource:
    """The files that OpenAlex's works come in: parts of its snapshot, answers of its API, single works."""

    name = works.NAME
    streams: tuple[str, ...] = ()
    """None: works are taken from files."""
    host_interval = 1.0
    earliest = dt.date(2022, 1, 1)
    """The year in which OpenAlex began."""

    def first_request(self, window: Window) -> PageRequest:
        """Raises ``PageRefused``: works are taken from files."""
        raise PageRefused(_FROM_FILES, retry=False)

    def next_request(self, window: Window, token: str) -> PageRequest:
        """Raises ``PageRefused``: works are taken from files."""
        return self.first_request(window)

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none."""
        return json_documents.read_answer(body, SHAPE)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return archives.read_file(path, lambda open_stream: json_documents.read_document(open_stream, SHAPE))

    def parse(self, record: RawRecord) -> PaperRecord:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return works.parse(record)
