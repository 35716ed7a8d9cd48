"""ROR as a source of the harvest engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from institutions.sources.records import OrganisationRecord
from institutions.sources.ror import documents, organisations
from wovepaper.harvest.contracts import Page, RawRecord
from wovepaper.harvest.file_source import FileSource


class RorSource(FileSource):
    """The dumps that ROR publishes about once a month, and single records and answers of its API as files."""

    name = "ror"
    where_from = "The registry comes as a dump: download it and name it with --file."
    earliest = dt.date(2019, 1, 1)

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none."""
        return documents.read_answer(body)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return documents.read_file(path)

    def parse(self, record: RawRecord) -> OrganisationRecord:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return organisations.parse(record)
