"""arXiv as a source of the harvest engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path

from papers.sources.arxiv import fields, files, oai, records
from papers.sources.records import PaperRecord
from wovepaper.harvest.contracts import Page, PageRequest, RawRecord, Window

IDENTIFIERS = "identifiers"
"""A stream of headers only (``ListIdentifiers``), by which a weekly reconciliation finds what was missed."""


class ArxivSource:
    """OAI-PMH as both of arXiv's servers speak it, and the files they are dumped into.

    The new server (https://oaipmh.arxiv.org/oai) continues a list by an encoded request, the classic one by
    ``1403493|1001``; either token is sent back as it came. An answer to a request with a token needs no other argument.
    """

    name = fields.NAME
    streams: tuple[str, ...] = ("arXiv", "arXivRaw")
    headers_stream = IDENTIFIERS
    host_interval = 3.0
    earliest = dt.date(2005, 9, 16)

    def __init__(self, base_url: str | Callable[[], str]) -> None:
        self._base_url = base_url

    @property
    def base_url(self) -> str:
        """Where requests go; read anew each time where a function was given, so that settings can change."""
        return self._base_url if isinstance(self._base_url, str) else self._base_url()

    def first_request(self, window: Window) -> PageRequest:
        """The request that opens a window. Days before ``earliest`` are left out: the server refuses them."""
        params = {
            "verb": _verb(window),
            "metadataPrefix": "arXiv" if window.stream == IDENTIFIERS else window.stream,
            "from": max(window.first_day, self.earliest).isoformat(),
            "until": max(window.last_day, self.earliest).isoformat(),
        }
        if window.set_spec:
            params["set"] = window.set_spec
        return PageRequest(self.base_url, params)

    def next_request(self, window: Window, token: str) -> PageRequest:
        """The request that continues a window."""
        return PageRequest(self.base_url, {"verb": _verb(window), "resumptionToken": token})

    def record_request(self, *, stream: str, external_id: str) -> PageRequest:
        """The request for one paper by its bare id: for a page that the server cannot serve as a whole."""
        identifier = f"oai:arXiv.org:{external_id}"
        return PageRequest(self.base_url, {"verb": "GetRecord", "metadataPrefix": stream, "identifier": identifier})

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer, taken apart. Raises ``PageRefused`` or ``TokenExpired``; an empty window is an empty page."""
        return oai.read_answer(body)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return files.read_file(path)

    def parse(self, record: RawRecord) -> PaperRecord:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return records.parse(record)


def _verb(window: Window) -> str:
    return "ListIdentifiers" if window.stream == IDENTIFIERS else "ListRecords"
