"""From an author as Semantic Scholar sent it to the profile it keeps.

Names in other systems (``externalIds.DBLP``) are names, no ids, and lead nowhere. Affiliations and homepages are what
authors said of themselves at some time.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from papers.sources.crossref.wording import plain
from papers.sources.profiles import AuthorProfile
from papers.sources.semantic_scholar.entities import NAME, number_of, stamp_of
from papers.sources.semantic_scholar.papers import MOST_CITATIONS, load
from wovepaper.harvest.contracts import RawRecord, RecordRefused
from wovepaper.lib import orcid


def parse(record: RawRecord) -> AuthorProfile:
    """The profile. Raises ``RecordRefused``."""
    given = load(record.payload)
    said = {key.casefold(): value for key, value in given.items()}
    name = number_of(said.get("authorid"))
    if not name:
        raise RecordRefused('The record has no "authorId".')
    stamp = record.stamp or stamp_of(said)
    return AuthorProfile(
        source=NAME,
        author_id=name,
        stamp=stamp,
        name=plain(said.get("name")),
        orcid=_orcid(said.get("externalids")),
        h_index=_figure(said.get("hindex")),
        cited_by_count=_figure(said.get("citationcount")),
        works_count=_figure(said.get("papercount")),
        as_of=_day(stamp),
    )


def _figure(said: Any) -> int | None:
    """Data sets write some numbers as text."""
    if isinstance(said, str) and said.isascii() and said.isdigit():
        said = int(said[:12])
    known = isinstance(said, int) and not isinstance(said, bool) and 0 <= said <= MOST_CITATIONS * 10
    return said if known else None


def _orcid(said: Any) -> str:
    value = said.get("ORCID") if isinstance(said, dict) else None
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    return (orcid.normalise(value) or "") if isinstance(value, str) else ""


def _day(stamp: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(stamp[:10])
    except ValueError:
        return None
