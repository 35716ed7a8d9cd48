"""The profiles that OpenAlex keeps of authors, as a source of the harvest engine: by their ids, or from files."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from papers.sources.openalex import answers, lookups, works
from papers.sources.openalex.source import API, OpenAlexSource
from papers.sources.profiles import AuthorProfile, MergedAuthor
from papers.sources.records import PaperRecord
from wovepaper.harvest.contracts import Identifier, LookupAnswer, Page, PageRequest, Quota, RawRecord
from wovepaper.harvest.file_source import FileSource


class OpenAlexAuthors(FileSource):
    """Shares key, pace and the day's budget with the works."""

    name = f"{works.NAME}-authors"
    where_from = (
        "OpenAlex is asked about the authors whose ids papers here carry, in the background; or name parts of its"
        " snapshot of authors with --file."
    )
    earliest = OpenAlexSource.earliest
    host_interval = OpenAlexSource.host_interval
    lookup_schemes: tuple[str, ...] = ("openalex",)
    lookup_size = lookups.SIZE
    account = works.NAME

    def __init__(
        self,
        base_url: Callable[[], str] = lambda: API,
        *,
        key: Callable[[], str] = str,
        daily_requests: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._base_url = base_url
        self._key = key
        self._daily_requests = daily_requests
        self._files = OpenAlexSource(base_url, key=key)

    @property
    def base_url(self) -> str:
        """Where requests go; read anew each time, so that settings can change."""
        return self._base_url()

    @property
    def lookups_configured(self) -> bool:
        """Only with a key, or at an address of its own, is it asked in the background."""
        return bool(self._key()) or self.base_url != API

    @property
    def daily_requests(self) -> int | None:
        """The day's budget, that of the works included."""
        return self._daily_requests()

    def lookup_request(self, identifiers: Sequence[Identifier]) -> PageRequest:
        """One request for the authors with these ids."""
        key = self._key()
        secret = {"api_key": key} if key else {}
        return lookups.request(self.base_url, lookups.AUTHORS, identifiers, secret_params=secret)

    def read_lookup(self, body: bytes, identifiers: Sequence[Identifier], *, status: int) -> LookupAnswer:
        """The answer, taken apart. Raises ``PageRefused`` for what is none."""
        return lookups.read(body, lookups.AUTHORS, identifiers, status=status)

    def read_quota(self, headers: Mapping[str, str], *, now: dt.datetime) -> Quota | None:
        """What is left of the day's calls."""
        return answers.read_quota(headers, now=now)

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """A list of the API, taken apart. Raises ``PageRefused`` for what is none."""
        return answers.read_list(body)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return self._files.read_file(path)

    def parse(self, record: RawRecord) -> PaperRecord | AuthorProfile | MergedAuthor:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return self._files.parse(record)
