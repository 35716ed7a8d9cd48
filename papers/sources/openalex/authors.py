"""From an author as OpenAlex sent it to the profile it keeps.

https://docs.openalex.org/api-entities/authors/author-object
"""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

from papers.sources.crossref.wording import plain
from papers.sources.openalex.entities import NOBODY, normalise, stamp_of
from papers.sources.openalex.works import MOST_CITATIONS, NAME
from papers.sources.profiles import AuthorProfile
from wovepaper.harvest.contracts import RawRecord, RecordRefused
from wovepaper.lib import orcid


def parse(record: RawRecord) -> AuthorProfile:
    """The profile. Raises ``RecordRefused``."""
    try:
        said = json.loads(record.payload)
    except (ValueError, RecursionError) as error:
        raise RecordRefused(f"The record is not JSON: {error}.") from error
    name = normalise(said.get("id"), "A") if isinstance(said, dict) else ""
    if not name:
        raise RecordRefused('The record has no "id" of an author.')
    if name in NOBODY:
        raise RecordRefused(f"{name} stands for all authors whose profiles were taken away, and is nobody.")
    stats = said.get("summary_stats")
    stats = stats if isinstance(stats, dict) else {}
    ids = said.get("ids")
    known = said.get("orcid") or (ids.get("orcid") if isinstance(ids, dict) else None)
    stamp = stamp_of(said)
    return AuthorProfile(
        source=NAME,
        author_id=name,
        stamp=stamp,
        name=plain(said.get("display_name")),
        orcid=(orcid.normalise(known) or "") if isinstance(known, str) else "",
        h_index=_figure(stats.get("h_index")),
        cited_by_count=_figure(said.get("cited_by_count")),
        works_count=_figure(said.get("works_count")),
        as_of=_day(stamp),
    )


def _figure(said: Any) -> int | None:
    known = isinstance(said, int) and not isinstance(said, bool) and 0 <= said <= MOST_CITATIONS * 10
    return said if known else None


def _day(stamp: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(stamp[:10])
    except ValueError:
        return None
