"""Answers of OpenAlex's API: lists page by page, look-ups, and what its errors and headers mean.

https://developers.openalex.org/api-reference/errors and .../guides/page-through-results
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from typing import Any

from papers.sources import json_documents
from papers.sources.openalex.entities import SHAPE
from wovepaper.harvest.contracts import Page, PageRefused, Quota, TokenExpired
from wovepaper.harvest.quotas import number, read_usual_headers
from wovepaper.lib import text

_LATER = ("rate limit", "too many requests", "temporar", "timeout", "timed out", "internal", "unavailable")


def load(body: bytes) -> dict[str, Any]:
    """The answer as an object.

    Raises ``PageRefused``: to be asked for again where it is half a document or none, and where OpenAlex is in
    trouble; for good where it refuses.
    """
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as error:
        begins = text.clean(body[:80].decode("utf-8", "replace"))
        raise PageRefused(f"The answer is not JSON ({error}); it begins with {begins!r}.", retry=True) from error
    if not isinstance(said, dict) or not said:
        raise PageRefused("The answer says nothing, so it is none of OpenAlex's.", retry=True)
    words = _complaint(said)
    if words and "cursor" in words.casefold():
        raise TokenExpired(f"OpenAlex cannot go on from the cursor: {words}.")
    if words:
        later = any(sign in words.casefold() for sign in _LATER)
        raise PageRefused(f"OpenAlex refuses: {words}.", retry=later)
    return said


def _complaint(said: dict[str, Any]) -> str:
    if "results" in said or "id" in said:
        return ""
    given = (said.get("message"), said.get("error"))
    words = next((each for each in given if isinstance(each, str) and each.strip()), "")
    if not words and "error" in said:
        return "it does not say why"
    return text.clean(words)[:300].rstrip(".")


def read_list(body: bytes) -> Page:
    """One page of a list, or a single work. Raises ``PageRefused``, or ``TokenExpired`` for a cursor that is dead."""
    said = load(body)
    page = json_documents.read_answer(body, SHAPE)
    meta = said.get("meta")
    if not isinstance(said.get("results"), list) or not isinstance(meta, dict):
        return page
    cursor, count = meta.get("next_cursor"), meta.get("count")
    known = isinstance(count, int) and not isinstance(count, bool) and count >= 0
    return Page(
        page.records,
        page.damaged,
        cursor if isinstance(cursor, str) and cursor else None,
        count if known else None,  # type: ignore[arg-type]
    )


def read_quota(headers: Mapping[str, str], *, now: dt.datetime) -> Quota | None:
    """What is left of the day's calls; nothing is, only where no others were bought either."""
    quota = read_usual_headers(headers, now=now, unit="calls")
    bought = (headers.get("x-ratelimit-onetime-remaining"), headers.get("x-ratelimit-prepaid-remaining-usd"))
    if quota is not None and quota.remaining == 0 and any(number(each) for each in bought):
        return Quota(None, quota.limit, quota.resets_at, quota.unit)
    return quota
