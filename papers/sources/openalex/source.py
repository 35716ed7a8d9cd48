"""OpenAlex as a source of the harvest engine."""

from __future__ import annotations

import copy
import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from papers.sources import json_documents
from papers.sources.openalex import answers, authors, lookups, merged_ids, works
from papers.sources.openalex.entities import AUTHOR, MERGED, SHAPE
from papers.sources.profiles import AuthorProfile, MergedAuthor
from papers.sources.records import PaperRecord
from wovepaper.harvest import archives
from wovepaper.harvest.contracts import Identifier, LookupAnswer, Page, PageRequest, Quota, RawRecord, Window
from wovepaper.harvest.errors import BadSet

API = "https://api.openalex.org"
UPDATED, CREATED = "updated", "created"
"""Streams: the works whose record changed on a day, which not every key may ask for; and those that are new."""
_PER_PAGE = "100"
_FILTER = re.compile(r"[a-z][a-z0-9_.]*:[^,]+(?:,[a-z][a-z0-9_.]*:[^,]+)*")


class OpenAlexSource:
    """The API, by days or by ids, and files: parts of the snapshot, answers of the API, lists of merged ids."""

    name = works.NAME
    streams: tuple[str, ...] = (UPDATED,)
    alternatives: tuple[str, ...] = (UPDATED, CREATED)
    host_interval = 0.1
    earliest = dt.date(2022, 1, 1)
    """The year in which OpenAlex began."""

    lookup_schemes: tuple[str, ...] = ("openalex", "doi", "arxiv", "pmid")
    lookup_size = lookups.SIZE

    account = works.NAME

    def __init__(
        self,
        base_url: Callable[[], str] = lambda: API,
        *,
        key: Callable[[], str] = str,
        part: Callable[[], str] = str,
        configured: Callable[[], bool] = bool,
        daily_requests: Callable[[], int | None] = lambda: None,
    ) -> None:
        """``part`` is the filter that stands for all of OpenAlex where no set is asked for."""
        self._base_url = base_url
        self._key = key
        self._part = part
        self._configured = configured
        self._daily_requests = daily_requests

    @property
    def base_url(self) -> str:
        """Where requests go; read anew each time, so that settings can change."""
        return self._base_url()

    @property
    def lookups_configured(self) -> bool:
        """Only with a key, or at an address of its own, is it asked in the background."""
        return bool(self._key()) or self._configured()

    @property
    def daily_requests(self) -> int | None:
        """The day's budget."""
        return self._daily_requests()

    def check_asked(self, *, set_spec: str, from_the_beginning: bool) -> None:
        """Raises ``BadSet`` for what is no filter of OpenAlex's works."""
        if set_spec and not _FILTER.fullmatch(set_spec):
            raise BadSet(
                f"{set_spec[:80]!r} is no filter of OpenAlex's works: write its name and its value, for example "
                "primary_topic.field.id:17 or primary_location.source.id:S137773608, several of them with commas."
            )

    def probe_request(self, stream: str, day: dt.date) -> PageRequest:
        """One work of that day."""
        return self._list(Window(stream, day, day), "*", per_page="1")

    def with_stream(self, stream: str) -> OpenAlexSource:
        """The same source with this stream alone."""
        other = copy.copy(self)
        other.streams = (stream,)
        return other

    def first_request(self, window: Window) -> PageRequest:
        """The works that changed, or are new, in the window."""
        return self._list(window, "*")

    def next_request(self, window: Window, token: str) -> PageRequest:
        """The request that continues a window. That a cursor has died is said with status 400."""
        return self._list(window, token, statuses=frozenset({200, 400}))

    def _list(
        self, window: Window, cursor: str, *, per_page: str = _PER_PAGE, statuses: frozenset[int] = frozenset({200})
    ) -> PageRequest:
        days = f"from_{window.stream}_date:{window.first_day},to_{window.stream}_date:{window.last_day}"
        part = window.set_spec or self._part()
        params = {"filter": f"{days},{part}" if part else days, "per_page": per_page, "cursor": cursor}
        return PageRequest(f"{self.base_url}/works", params, secret_params=self._secret(), statuses=statuses)

    def _secret(self) -> dict[str, str]:
        key = self._key()
        return {"api_key": key} if key else {}

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none, and ``TokenExpired``."""
        return answers.read_list(body)

    def lookup_request(self, identifiers: Sequence[Identifier]) -> PageRequest:
        """One request for the works with these identifiers."""
        return lookups.request(self.base_url, lookups.WORKS, identifiers, secret_params=self._secret())

    def read_lookup(self, body: bytes, identifiers: Sequence[Identifier], *, status: int) -> LookupAnswer:
        """The answer to a look-up, taken apart. Raises ``PageRefused`` for what is none."""
        return lookups.read(body, lookups.WORKS, identifiers, status=status)

    def read_quota(self, headers: Mapping[str, str], *, now: dt.datetime) -> Quota | None:
        """What is left of the day's calls."""
        return answers.read_quota(headers, now=now)

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
