"""ROR as a source of the harvest engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path

from institutions.sources.records import OrganisationRecord
from institutions.sources.ror import documents, dumps, organisations
from wovepaper.harvest.contracts import Page, PageRequest, RawRecord, Window
from wovepaper.harvest.errors import BadSet

API = "https://api.ror.org/v2"
LAST_PAGE = 500
"""The API lists no more."""
_KNOWN, _UNKNOWN = 300 / 2_000, 300 / 50


class RorSource:
    """The registry as a whole: its dump, or the list of its API where that is not longer than 10,000.

    The dump is the rule, for the registry has more than 110,000 organisations. The list is for mirrors and extracts:
    it is read where ``api_url`` is not ROR's own and no ``dump_url`` is set. With a client id the API may be asked
    2,000 times in five minutes, else 50 times.
    """

    name = "ror"
    streams: tuple[str, ...] = (documents.FORMAT,)
    earliest = dt.date(2019, 1, 1)
    follow_every_days = 30
    """There is a release about once a month."""

    def __init__(
        self,
        api_url: Callable[[], str] = lambda: API,
        dump_url: Callable[[], str] = str,
        client_id: Callable[[], str] = str,
    ) -> None:
        self._api_url = api_url
        self._dump_url = dump_url
        self._client_id = client_id

    @property
    def host_interval(self) -> float:
        """Seconds between two requests."""
        return _KNOWN if self._client_id() else _UNKNOWN

    def check_asked(self, *, set_spec: str, from_the_beginning: bool) -> None:
        """Raises ``BadSet``."""
        if set_spec:
            raise BadSet("ror has no sets: the registry is always taken as a whole.")

    def first_request(self, window: Window) -> PageRequest:
        """The first page of all organisations, whatever their status."""
        return self._page(1)

    def next_request(self, window: Window, token: str) -> PageRequest:
        """The request that continues the list; the token is the number of the page."""
        return self._page(int(token) if token.isascii() and token.isdigit() else 2)

    def token_after(self, page: Page, *, token: str) -> str | None:
        """The number of the next page: the answer does not say its own. A list ends with an empty page."""
        number = int(token) if token else 1
        found = len(page.records) + len(page.damaged)
        is_all = number == 1 and page.complete_size is not None and found >= page.complete_size
        return None if not found or is_all or number >= LAST_PAGE else str(number + 1)

    def _page(self, number: int) -> PageRequest:
        client = self._client_id()
        return PageRequest(
            f"{self._api_url()}/organizations",
            {"all_status": "true", "page": str(number)},
            secret_headers={"Client-Id": client} if client else {},
        )

    def dump_request(self) -> PageRequest | None:
        """Where the newest dump is said to be; ``None`` where the API is another's, and no dump is named."""
        address = self._dump_url() or (dumps.NEWEST if self._api_url() == API else "")
        return PageRequest(address) if address else None

    def find_dump(self, body: bytes) -> tuple[str, PageRequest | None]:
        """What the dump is called, and where it is. Raises ``PageRefused``."""
        return dumps.find(body)

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none."""
        return documents.read_answer(body)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return documents.read_file(path)

    def parse(self, record: RawRecord) -> OrganisationRecord:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return organisations.parse(record)
