"""Semantic Scholar as a source of the harvest engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from papers.sources import json_documents
from papers.sources.profiles import AuthorProfile
from papers.sources.records import PaperRecord
from papers.sources.semantic_scholar import authors, papers
from papers.sources.semantic_scholar.entities import AUTHOR, NAME, SHAPE
from wovepaper.harvest import archives
from wovepaper.harvest.contracts import Page, RawRecord
from wovepaper.harvest.file_source import FileSource


class SemanticScholarSource(FileSource):
    """Papers and authors: from files (data sets, answers of the Graph API) and, by identifier, from the Graph API."""

    name = NAME
    where_from = (
        "Semantic Scholar is not followed day by day: name lines of its data sets or answers of its Graph API"
        " with --file."
    )
    earliest = dt.date(2015, 11, 2)
    """The day on which Semantic Scholar began."""

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none."""
        return json_documents.read_answer(body, SHAPE)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return archives.read_file(path, lambda open_stream: json_documents.read_document(open_stream, SHAPE))

    def parse(self, record: RawRecord) -> PaperRecord | AuthorProfile:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return authors.parse(record) if record.format == AUTHOR else papers.parse(record)
