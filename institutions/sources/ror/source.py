"""ROR as a source of the harvest engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from institutions.sources.records import OrganisationRecord
from institutions.sources.ror import documents, organisations
from wovepaper.harvest.contracts import Page, PageRefused, PageRequest, RawRecord, Window


class RorSource:
    """The dumps that ROR publishes about once a month, and single records and answers of its API as files."""

    name = "ror"
    streams: tuple[str, ...] = ()
    """None: the registry is taken as a whole, from its dump."""
    host_interval = 1.0
    earliest = dt.date(2019, 1, 1)

    def first_request(self, window: Window) -> PageRequest:
        """Raises ``PageRefused``: the registry comes as a file."""
        raise PageRefused("The registry comes as a dump: download it and name it with --file.", retry=False)

    def next_request(self, window: Window, token: str) -> PageRequest:
        """Raises ``PageRefused``: the registry comes as a file."""
        return self.first_request(window)

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none."""
        return documents.read_answer(body)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return documents.read_file(path)

    def parse(self, record: RawRecord) -> OrganisationRecord:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return organisations.parse(record)
