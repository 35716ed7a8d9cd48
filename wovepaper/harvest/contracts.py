"""What the harvest engine asks of a source and of whoever takes in its records. Values and protocols only."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable


class RecordRefused(ValueError):
    """One record cannot be used; the message says why, for the person who looks at the quarantine."""


class PageRefused(Exception):
    """A whole answer cannot be used. ``retry`` says whether the same request may succeed later."""

    def __init__(self, reason: str, *, retry: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry = retry


class TokenExpired(PageRefused):
    """The continuation token is no longer valid: the window must start again from its beginning."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, retry=False)


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One record as the source sent it, cut out of its page."""

    external_id: str
    format: str
    stamp: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class DamagedRecord:
    """A piece of a page that is not a record; ``external_id`` is empty where it cannot be told."""

    external_id: str
    format: str
    payload: bytes
    reason: str


@dataclass(frozen=True, slots=True)
class Page:
    """One answer, taken apart. ``next_token`` is ``None`` after the last page of a window."""

    records: tuple[RawRecord, ...]
    damaged: tuple[DamagedRecord, ...] = ()
    next_token: str | None = None
    complete_size: int | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """Closed days, both included, and optionally a set, of one stream of a source."""

    stream: str
    first_day: dt.date
    last_day: dt.date
    set_spec: str = ""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Where the next page is."""

    url: str
    params: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A record that the sink could not take in."""

    record: RawRecord
    reason: str


@dataclass(frozen=True, slots=True)
class IngestCounts:
    """What became of a page's records. seen = new + changed + unchanged + refused."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: tuple[Refusal, ...] = ()


class Source(Protocol):
    """One upstream source. It fetches nothing and saves nothing: the engine does both."""

    name: str
    streams: tuple[str, ...]
    """Formats harvested one after the other over the same windows, for example ``("arXiv", "arXivRaw")``.

    Empty for a source that is on no network and only has files.
    """
    host_interval: float
    """Seconds between two requests to the source's host, over all processes and machines."""
    earliest: dt.date

    def first_request(self, window: Window) -> PageRequest:
        """The request that opens a window."""
        ...

    def next_request(self, window: Window, token: str) -> PageRequest:
        """The request that continues a window."""
        ...

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """Take an answer apart. Raises ``PageRefused`` or ``TokenExpired``; an empty window is an empty page."""
        ...

    def read_file(self, path: Path) -> Iterable[Page]:
        """Pages of a file in one of the source's own dump formats. Raises ``PageRefused`` where nothing can be read."""
        ...

    def parse(self, record: RawRecord) -> Any:
        """The record in the shape its sink takes. Pure. Raises ``RecordRefused``."""
        ...


@runtime_checkable
class SingleRecords(Protocol):
    """What a source may offer as well: the way round a page that its server cannot serve, record by record."""

    headers_stream: str
    """A stream over the same windows whose records are headers only; it is cheap and names every record."""

    def record_request(self, *, stream: str, external_id: str) -> PageRequest:
        """The request for one record. Its answer is taken apart like a page."""
        ...


class Sink(Protocol):
    """Takes in the parsed records of one page, inside the page's transaction. Idempotent and order-free."""

    def __call__(self, records: Sequence[tuple[RawRecord, Any]]) -> IngestCounts:
        """Returns what became of each. Must not raise for the fault of a single record."""
        ...
