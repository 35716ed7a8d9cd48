"""OpenAlex as a source of the harvest engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from papers.sources import json_documents
from papers.sources.openalex import authors, merged_ids, works
from papers.sources.openalex.entities import AUTHOR, MERGED, SHAPE
from papers.sources.profiles import AuthorProfile, MergedAuthor
from papers.sources.records import PaperRecord
from wovepaper.harvest import archives
from wovepaper.harvest.contracts import Page, RawRecord
from wovepaper.harvest.file_source import FileSource


class OpenAlexSource(FileSource):
    """The files that works and authors come in: parts of the snapshot, answers of the API, lists of merged ids."""

    name = works.NAME
    where_from = "OpenAlex's works are taken from files: name parts of its snapshot or answers of its API with --file."
    earliest = dt.date(2022, 1, 1)
    """The year in which OpenAlex began."""

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none."""
        return json_documents.read_answer(body, SHAPE)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return archives.read_file(path, _read_document)

    def parse(self, record: RawRecord) -> PaperRecord | AuthorProfile | MergedAuthor:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        if record.format == AUTHOR:
            return authors.parse(record)
        return merged_ids.parse(record) if record.format == MERGED else works.parse(record)


def _read_document(open_stream: archives.OpenStream) -> Iterator[Page]:
    if merged_ids.is_list(open_stream):
        return merged_ids.read_document(open_stream)
    return json_documents.read_document(open_stream, SHAPE)
