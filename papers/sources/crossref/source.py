"""Crossref as a source of the harvest engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from papers.sources.crossref import answers, documents, filters, lookups, works
from papers.sources.records import PaperRecord
from wovepaper.harvest.contracts import Identifier, LookupAnswer, Page, PageRequest, Quota, RawRecord, Window
from wovepaper.harvest.errors import BadSet

API = "https://api.crossref.org"
ROWS = 500
"""Works on a page, of the 1,000 allowed: with references they have 5 kB on average and 250 at times."""
_POLITE, _PUBLIC = 0.1, 0.2
_EVERYTHING = (
    "Crossref has 170 million works, and on most days changes more of them than a catalogue has papers. "
    "Name a part of it, for example --set prefix:10.1145, member:320 or issn:0001-0782; "
    "or take its public data file in with --file; papers that are here already are looked up by their DOIs anyway. "
    "Whoever does want all of it says from which day on with --from."
)


class CrossrefSource:
    """The REST API, by days of indexing or by DOI, and files: lines of works, answers, parts of the public data file.

    With an address to write to, requests are answered from the polite pool (10 a second), else from the public one (5).
    """

    name = works.NAME
    streams: tuple[str, ...] = (documents.FORMAT,)
    earliest = dt.date(2000, 1, 1)
    """The year in which Crossref began."""
    sizes_are_exact = True

    lookup_schemes: tuple[str, ...] = ("doi",)
    lookup_size = lookups.SIZE

    account = works.NAME
    daily_requests: int | None = None

    def __init__(self, base_url: Callable[[], str] = lambda: API, contact: Callable[[], str] = str) -> None:
        self._base_url = base_url
        self._contact = contact

    @property
    def base_url(self) -> str:
        """Where requests go; read anew each time, so that settings can change."""
        return self._base_url()

    @property
    def host_interval(self) -> float:
        """Seconds between two requests, by pool. What the answers say goes before, where it is longer."""
        return _POLITE if self._contact() else _PUBLIC

    @property
    def lookups_configured(self) -> bool:
        """Only with an address to write to is it polite to ask in the background."""
        return bool(self._contact())

    def check_asked(self, *, set_spec: str, from_the_beginning: bool) -> None:
        """Raises ``BadSet`` for what is no filter, and for all of Crossref since it began."""
        if set_spec:
            filters.check(set_spec)
        elif from_the_beginning:
            raise BadSet(_EVERYTHING)

    def first_request(self, window: Window) -> PageRequest:
        """The works last indexed in the window, so the new and the changed ones."""
        return self._list(window, "*", statuses=frozenset({200, 400}))

    def next_request(self, window: Window, token: str) -> PageRequest:
        """The request that continues a window. What is said of a cursor that has died comes with an error's status."""
        return self._list(window, answers.cursor_of(token), statuses=frozenset({200, 400, 404, 500}))

    def _list(self, window: Window, cursor: str, *, statuses: frozenset[int]) -> PageRequest:
        days = f"from-index-date:{window.first_day},until-index-date:{window.last_day}"
        params = {
            "filter": f"{days},{window.set_spec}" if window.set_spec else days,
            "rows": str(ROWS),
            "cursor": cursor,
            **self._mailto(),
        }
        return PageRequest(f"{self.base_url}/works", params, statuses=statuses)

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none, and ``TokenExpired``."""
        return answers.read_list(body)

    def may_be_known(self, identifier: Identifier) -> bool:
        """Not arXiv's own DOIs: those are DataCite's."""
        return lookups.may_be_known(identifier)

    def lookup_request(self, identifiers: Sequence[Identifier]) -> PageRequest:
        """One request for the works with these DOIs. Raises ``PageRefused`` where none can be Crossref's."""
        return lookups.request(self.base_url, self._mailto(), identifiers)

    def read_lookup(self, body: bytes, identifiers: Sequence[Identifier], *, status: int) -> LookupAnswer:
        """The answer to a look-up, taken apart. Raises ``PageRefused`` for what is none."""
        return lookups.read(body, identifiers, status=status)

    def read_quota(self, headers: Mapping[str, str], *, now: dt.datetime) -> Quota | None:
        """The pace that the pool's headers ask for."""
        return answers.read_quota(headers)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return documents.read_file(path)

    def parse(self, record: RawRecord) -> PaperRecord:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return works.parse(record)

    def _mailto(self) -> dict[str, str]:
        contact = self._contact()
        return {"mailto": contact} if contact else {}
