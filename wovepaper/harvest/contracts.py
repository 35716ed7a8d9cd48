"""What the harvest engine asks of a source and of whoever takes in its records. Values and protocols only."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable


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


class RecordGone(PageRefused):
    """The source has no record of the id that was asked for."""

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
    """Where the next page is, and how it is asked for.

    Keys belong in ``secret_params`` and ``secret_headers``: they are sent, and appear nowhere else: neither in the raw
    store nor in logs, the console or errors, should the source repeat them.
    """

    url: str
    params: Mapping[str, str] = field(default_factory=dict)
    method: Literal["GET", "POST"] = "GET"
    json_body: Any = None
    """Sent as JSON with a ``POST``."""
    headers: Mapping[str, str] = field(default_factory=dict)
    secret_params: Mapping[str, str] = field(default_factory=dict, repr=False)
    secret_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    statuses: frozenset[int] = frozenset({200})
    """Statuses whose answers are read; any other one is a failure. Where 404 says "unknown", it belongs here."""


@dataclass(frozen=True, slots=True, order=True)
class Identifier:
    """What a source can be asked by, in the schemes of whoever takes its records in, for example ``doi``."""

    scheme: str
    value: str


@dataclass(frozen=True, slots=True)
class Merged:
    """The source has made one out of two: what it called ``old`` is now part of ``new``. Both of one scheme."""

    old: Identifier
    new: Identifier


@dataclass(frozen=True, slots=True)
class LookupAnswer:
    """One answer to a look-up, taken apart. What was asked for and is in none of these was found."""

    records: tuple[RawRecord, ...] = ()
    damaged: tuple[DamagedRecord, ...] = ()
    unknown: tuple[Identifier, ...] = ()
    """Asked for, and not known to the source. They are asked for again later, at growing distances."""
    merged: tuple[Merged, ...] = ()
    """Told to whoever takes in the records before the records are, in the same transaction."""
    singly: tuple[Identifier, ...] = ()
    """Asked for, and their fate is told only when each is asked for by itself: the engine does that next."""


@dataclass(frozen=True, slots=True)
class Quota:
    """What a source says of its limits. Nothing is assumed where it is silent."""

    remaining: float | None = None
    """Of ``unit``. At 0 nothing more is asked until ``resets_at``; a long time is never slept out."""
    limit: float | None = None
    resets_at: dt.datetime | None = None
    unit: str = "requests"
    interval: float | None = None
    """Seconds between two requests; a longer one than the source's own ``host_interval`` is obeyed."""


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
    earliest: dt.date

    @property
    def host_interval(self) -> float:
        """Seconds between two requests to the source's host, over all processes and machines."""
        ...

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


@runtime_checkable
class Choosy(Protocol):
    """What a source may offer as well: a look at what is asked of the network, before anything is."""

    def check_asked(self, *, set_spec: str, from_the_beginning: bool) -> None:
        """``from_the_beginning``: no first day was given, and nothing was harvested before.

        Raises ``errors.HarvestError`` with what to ask for instead.
        """
        ...


@runtime_checkable
class ExactSizes(Protocol):
    """What a source may say as well: ``Page.complete_size`` is exact, for its lists do not change while they are read.

    Then a window that ends short of it has lost a page on its way, and is begun again.
    """

    sizes_are_exact: bool


@runtime_checkable
class WholeLists(Protocol):
    """What a source may offer as well: its list is always all that there is, as it is now; days mean nothing to it.

    A window is then the day before the run, and stands for the whole.
    """

    def token_after(self, page: Page, *, token: str) -> str | None:
        """What continues the list behind a page, which ``token`` led to (empty for the first); ``None`` at the end."""
        ...


@runtime_checkable
class Dumps(Protocol):
    """What a source may offer as well: all its records in one file, which is taken instead of any list."""

    def dump_request(self) -> PageRequest | None:
        """Where the newest dump is, or the list that names it; ``None`` where this installation takes none."""
        ...

    def find_dump(self, body: bytes) -> tuple[str, PageRequest | None]:
        """What the dump is called, and where it is; nowhere (``None``) where ``body`` is the dump itself.

        Raises ``PageRefused`` for what is neither.
        """
        ...


@runtime_checkable
class Lookups(Protocol):
    """What a source may offer as well: records by identifier, many with one request."""

    base_url: str
    """What the addresses of all its requests begin with. A property where settings say it."""
    lookup_schemes: tuple[str, ...]
    """Schemes of identifiers it can be asked by, the best first. Another is tried where one is unknown."""
    lookup_size: int
    """The most identifiers in one request."""
    lookups_configured: bool
    """Whether this installation may ask in the background: it has what is needed, for example a key."""

    def lookup_request(self, identifiers: Sequence[Identifier]) -> PageRequest:
        """One request for all of them; they are of one scheme, distinct, and at most ``lookup_size``."""
        ...

    def read_lookup(self, body: bytes, identifiers: Sequence[Identifier], *, status: int) -> LookupAnswer:
        """Take the answer apart. Pure. Raises ``PageRefused`` for what is none, as ``read_page`` does.

        ``status`` is one of the request's ``statuses``. A redirect was followed already: that the only one asked for
        is now called differently tells of a merge.
        """
        ...


@runtime_checkable
class Undated(Protocol):
    """What a source that offers ``Lookups`` may say as well: its records have no date of change.

    Then what it answers is stamped with the moment at which it was asked, in UTC, also when it is read again later.
    """

    records_are_undated: bool


@runtime_checkable
class Picky(Protocol):
    """What a source that offers ``Lookups`` may offer as well: which identifiers it is of no use to ask by."""

    def may_be_known(self, identifier: Identifier) -> bool:
        """Whether the source can know it at all. Pure."""
        ...


@runtime_checkable
class Metered(Protocol):
    """What a source may offer as well: what it may cost, and what its answers say of that."""

    account: str
    """Sources with the same account share budget, quota and pauses; usually the name of one of them."""
    daily_requests: int | None
    """The budget: requests a day (UTC) over all processes; ``None`` for no limit. A property where settings say it."""

    def read_quota(self, headers: Mapping[str, str], *, now: dt.datetime) -> Quota | None:
        """What an answer's headers say (names in lower case), also one that was a failure; ``None`` for nothing."""
        ...


@runtime_checkable
class Probing(Protocol):
    """What a source may offer as well: streams of which an installation can have only the best it may ask for."""

    alternatives: tuple[str, ...]
    """Streams, the best first. The first one whose probe is answered is the one that is harvested."""

    def probe_request(self, stream: str, day: dt.date) -> PageRequest:
        """A cheap request that is refused (status 400 to 403) where the stream may not be had."""
        ...

    def with_stream(self, stream: str) -> Source:
        """The same source with this stream alone."""
        ...


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that sources can be asked about: what it is, only who registered it knows."""

    id: int
    identifiers: tuple[Identifier, ...] = ()
    known_at: dt.datetime | None = None
    """When the source last said something of it; ``None`` where it never did."""


class Subjects(Protocol):
    """Says what a source shall be asked about. Registered together with a source that offers ``Lookups``."""

    noun: str
    """What they are, in the plural, for example ``papers``."""

    def after(self, last: int, limit: int) -> Sequence[int]:
        """Up to ``limit`` ids of subjects with ids above ``last``, in rising order."""
        ...

    def describe(self, ids: Sequence[int], *, source: str) -> Sequence[Subject]:
        """These subjects, in any order; one that is not to be asked about any more is missing."""
        ...

    def note_merged(self, merged: Sequence[Merged], *, source: str) -> None:
        """What the source has made one of two. Runs in the transaction of the answer, before its records go in."""
        ...


class Holdings(Protocol):
    """What is here of a source. Registered together with a source whose lists are compared with it."""

    def lacking(self, external_ids: Sequence[str], *, source: str, stream: str) -> Sequence[str]:
        """Those of the ids that are not here in this format, in their order."""
        ...

    def stamped(self, first_day: dt.date, last_day: dt.date, *, source: str) -> Iterable[Sequence[str]]:
        """The ids of all that is here and that the source changed last on these days, in batches."""
        ...


@runtime_checkable
class Rhythm(Protocol):
    """What a source may say as well: how often it is worth following. Else daily."""

    follow_every_days: int


class Sink(Protocol):
    """Takes in the parsed records of one page, inside the page's transaction. Idempotent and order-free."""

    def __call__(self, records: Sequence[tuple[RawRecord, Any]]) -> IngestCounts:
        """Returns what became of each. Must not raise for the fault of a single record."""
        ...
