"""Semantic Scholar as a source of the harvest engine: papers and authors, each asked for by identifier."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from papers.sources import json_documents
from papers.sources.profiles import AuthorProfile
from papers.sources.records import PaperRecord
from papers.sources.semantic_scholar import authors, lookups, papers
from papers.sources.semantic_scholar.entities import AUTHOR, NAME, PAPER, SHAPE, hash_of, number_of
from wovepaper.harvest import archives
from wovepaper.harvest.contracts import Identifier, LookupAnswer, Page, PageRequest, Quota, RawRecord
from wovepaper.harvest.file_source import FileSource

API = "https://api.semanticscholar.org/graph/v1"


class SemanticScholarSource(FileSource):
    """Papers and authors: from files (data sets, answers of the Graph API); papers also by identifier."""

    name = NAME
    where_from = (
        "Semantic Scholar cannot be asked what is new of a day: it is asked about the papers that are here, in the"
        " background; or name lines of its data sets or answers of its Graph API with --file."
    )
    host_interval = 1.0
    """Over all of its endpoints (https://www.semanticscholar.org/product/api#api-key)."""
    earliest = dt.date(2015, 11, 2)
    """The day on which Semantic Scholar began."""
    lookup_schemes: tuple[str, ...] = ("arxiv", "doi", "s2", "pmid")
    lookup_size = lookups.PAPERS_AT_ONCE
    records_are_undated = True
    account = NAME
    daily_requests: int | None = None
    """There is no limit but the pace."""

    def __init__(self, base_url: Callable[[], str] = lambda: API, *, key: Callable[[], str] = str) -> None:
        self._base_url = base_url
        self._key = key

    @property
    def base_url(self) -> str:
        """Where requests go; read anew each time, so that settings can change."""
        return self._base_url()

    @property
    def lookups_configured(self) -> bool:
        """Only with a key, or at an address of its own, is it asked in the background: without one all share a pace."""
        return bool(self._key()) or self.base_url != API

    def lookup_request(self, identifiers: Sequence[Identifier]) -> PageRequest:
        """One request for all of them."""
        return lookups.request(self.base_url, PAPER, identifiers, fields=lookups.PAPER_FIELDS, key=self._key())

    def read_lookup(self, body: bytes, identifiers: Sequence[Identifier], *, status: int) -> LookupAnswer:
        """The answer, taken apart. Raises ``PageRefused`` for what is none."""
        return lookups.read(body, identifiers, status=status, kind=PAPER, own=hash_of)

    def read_quota(self, headers: Mapping[str, str], *, now: dt.datetime) -> Quota | None:
        """Nothing: the API does not say."""
        return None

    def read_page(self, body: bytes, *, stream: str) -> Page:
        """An answer of the API, taken apart. Raises ``PageRefused`` for what is none."""
        return json_documents.read_answer(body, SHAPE)

    def read_file(self, path: Path) -> Iterator[Page]:
        """The pages of a file. Raises ``PageRefused`` where nothing can be read."""
        return archives.read_file(path, lambda open_stream: json_documents.read_document(open_stream, SHAPE))

    def parse(self, record: RawRecord) -> PaperRecord | AuthorProfile:
        """What the record says. Pure. Raises ``RecordRefused`` with the reason."""
        return authors.parse(record) if record.format == AUTHOR else papers.parse(record)


class SemanticScholarAuthors(SemanticScholarSource):
    """The profiles of authors, by their ids."""

    name = f"{NAME}-authors"
    where_from = (
        "Semantic Scholar is asked about the authors whose ids papers here carry, in the background; or name lines of"
        " its data set of authors with --file."
    )
    lookup_schemes: tuple[str, ...] = ("s2",)
    lookup_size = lookups.AUTHORS_AT_ONCE

    def lookup_request(self, identifiers: Sequence[Identifier]) -> PageRequest:
        """One request for all of them."""
        return lookups.request(self.base_url, AUTHOR, identifiers, fields=lookups.AUTHOR_FIELDS, key=self._key())

    def read_lookup(self, body: bytes, identifiers: Sequence[Identifier], *, status: int) -> LookupAnswer:
        """The answer, taken apart. Raises ``PageRefused`` for what is none."""
        return lookups.read(body, identifiers, status=status, kind=AUTHOR, own=number_of)
