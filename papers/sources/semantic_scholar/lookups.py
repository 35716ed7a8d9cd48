"""Asking Semantic Scholar's Graph API for many papers or authors with one request.

https://api.semanticscholar.org/api-docs/graph#tag/Paper-Data/operation/post_graph_get_papers
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from papers.sources.json_documents import NoRecord
from papers.sources.semantic_scholar.entities import format_and_id
from wovepaper.harvest.contracts import (
    DamagedRecord,
    Identifier,
    LookupAnswer,
    Merged,
    PageRefused,
    PageRequest,
    RawRecord,
)
from wovepaper.harvest.errors import UpstreamFailed
from wovepaper.lib import text

PAPERS_AT_ONCE = 100
"""The API takes 500, but answers with 10 MB at most, which as many lists of references exceed."""
AUTHORS_AT_ONCE = 1_000
PAPER_FIELDS = (
    "paperId", "corpusId", "externalIds", "title", "abstract", "venue", "publicationVenue", "year", "publicationDate",
    "publicationTypes", "journal", "authors", "citationCount", "referenceCount", "references.paperId",
    "references.corpusId", "references.externalIds", "references.title", "references.year", "references.venue",
    "references.authors",
)  # fmt: skip
AUTHOR_FIELDS = ("authorId", "name", "externalIds", "paperCount", "citationCount", "hIndex")

_PREFIXES = {"arxiv": "ARXIV:", "doi": "DOI:", "pmid": "PMID:", "s2": ""}
_NONE_KNOWN = ("no valid paper ids given", "no valid author ids given")
_TOO_LARGE = ("exceed", "too large", "too many", "up to 9999")


def request(
    base_url: str, what: str, identifiers: Sequence[Identifier], *, fields: Sequence[str], key: str
) -> PageRequest:
    """One request for these ``what`` (``paper`` or ``author``)."""
    return PageRequest(
        f"{base_url.rstrip('/')}/{what}/batch",
        params={"fields": ",".join(fields)},
        method="POST",
        json_body={"ids": [f"{_PREFIXES[one.scheme]}{one.value}" for one in identifiers]},
        secret_headers={"x-api-key": key} if key else {},
        statuses=frozenset({200, 400}),
    )


def read(
    body: bytes, identifiers: Sequence[Identifier], *, status: int, kind: str, own: Callable[[str], str]
) -> LookupAnswer:
    """The answer, whose items stand in the order of what was asked for; ``null`` is what is not known.

    ``kind`` is ``PAPER`` or ``AUTHOR``; ``own`` normalises its ids. Raises ``PageRefused``.
    """
    said = _load(body)
    if isinstance(said, dict):
        words = text.clean(str(said.get("error") or said.get("message") or ""))[:200].rstrip(".")
        if words.casefold() in _NONE_KNOWN:
            return LookupAnswer(unknown=tuple(identifiers))
        if status == 400 and any(sign in words.casefold() for sign in _TOO_LARGE):
            # With the status the engine asks for half as many.
            raise UpstreamFailed(f"The answer tells of an error: {words}.", retry=False, status=status)
        if not words:
            raise PageRefused("The answer is an object and no list of what was asked for.", retry=True)
        raise PageRefused(f"The answer tells of an error: {words}.", retry=str(said.get("code", status)) != "400")
    if status != 200 or not isinstance(said, list) or len(said) != len(identifiers):
        number = len(said) if isinstance(said, list) else "no"
        raise PageRefused(f"The answer lists {number} items, and {len(identifiers)} were asked for.", retry=True)
    records: dict[str, RawRecord] = {}
    damaged: list[DamagedRecord] = []
    unknown: list[Identifier] = []
    merged: dict[Merged, None] = {}
    for asked, item in zip(identifiers, said, strict=True):
        if item is None:
            unknown.append(asked)
            continue
        payload = json.dumps(item, ensure_ascii=False).encode("utf-8", "surrogatepass")
        try:
            found, name = format_and_id(item) if isinstance(item, dict) else ("", "")
        except NoRecord as error:
            damaged.append(DamagedRecord("", kind, payload, f"The item for {asked.value} {error}"))
            continue
        if found != kind:
            reason = f"The item for {asked.value} is none of what was asked for."
            damaged.append(DamagedRecord("", kind, payload, reason))
            continue
        records[name] = RawRecord(name, kind, "", payload)
        if asked.scheme == "s2" and own(asked.value) not in ("", name):
            merged[Merged(asked, Identifier("s2", name))] = None
    return LookupAnswer(tuple(records.values()), tuple(damaged), tuple(unknown), tuple(merged))


def _load(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        said = text.clean(body[:80].decode("utf-8", "replace"))
        raise PageRefused(f"The answer is not JSON but begins with {said!r}.", retry=True) from error
