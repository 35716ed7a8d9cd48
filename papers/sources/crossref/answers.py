"""Lists of works as Crossref's API answers them page by page, and what its errors mean."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from papers.sources.crossref import documents
from wovepaper.harvest.contracts import Page, PageRefused, Quota, TokenExpired
from wovepaper.lib import text

NOT_FOUND = b"Resource not found."
"""What Crossref says, as plain text, of a DOI it does not know, and of a cursor that it has forgotten."""

_INTERVAL = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h)?", re.ASCII)
_SECONDS = {"ms": 0.001, "s": 1.0, None: 1.0, "m": 60.0, "h": 3_600.0}


def load(body: bytes) -> dict[str, Any]:
    """The answer as an object. Raises ``PageRefused``, to be asked for again, for half a document or none."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as error:
        begins = text.clean(body[:80].decode("utf-8", "replace"))
        raise PageRefused(f"The answer is not JSON ({error}); it begins with {begins!r}.", retry=True) from error
    if not isinstance(said, dict) or not said:
        raise PageRefused("The answer has no message, so it is none of Crossref's API.", retry=True)
    return said


def why_failed(said: dict[str, Any]) -> str | None:
    """What an answer complains of; ``None`` where all is well."""
    if said.get("status") in ("ok", None):
        return None
    message = said.get("message")
    problems = message if isinstance(message, list) else [message]
    words = (each.get("message") if isinstance(each, dict) else each for each in problems)
    told = "; ".join(text.clean(each).rstrip(".") for each in words if isinstance(each, str) and each.strip())
    return told[:400] or "it does not say what"


def read_list(body: bytes) -> Page:
    """One page of a list. Raises ``PageRefused``, or ``TokenExpired`` where the cursor is of no more use.

    Crossref keeps a list for five minutes, as it was when it was opened, and repeats one cursor on all its pages: what
    comes next depends on what was asked before. So the token carries, before the cursor, a mark of the page that it
    follows, and the number of results is exact: that fewer came means that a page went missing on its way.
    """
    if body.strip() == NOT_FOUND:
        raise TokenExpired("Crossref no longer knows the cursor.")
    said = load(body)
    failure = why_failed(said)
    if failure is not None:
        if said.get("message-type") == "exception" or "cursor" in json.dumps(said.get("message")).lower():
            raise TokenExpired(f"Crossref cannot go on from the cursor: {failure}.")
        raise PageRefused(f"Crossref refuses: {failure}.", retry=False)
    page = documents.read_answer(body)
    message = said.get("message")
    if said.get("message-type") != "work-list" or not isinstance(message, dict):
        return page
    if not isinstance(message.get("items"), list):
        raise PageRefused("The answer is a list of works without the works.", retry=True)
    total = message.get("total-results")
    size = total if isinstance(total, int) and not isinstance(total, bool) and total >= 0 else None
    cursor = message.get("next-cursor")
    items = len(message["items"])
    if not items or (size is not None and items >= size) or not isinstance(cursor, str) or not cursor:
        return Page(page.records, page.damaged, None, size)
    return Page(page.records, page.damaged, f"{_mark(page)}:{cursor}", size)


def read_works(body: bytes) -> Page:
    """The works of an answer to a look-up. Raises ``PageRefused``."""
    failure = why_failed(load(body))
    if failure is not None:
        raise PageRefused(f"Crossref refuses: {failure}.", retry=False)
    return documents.read_answer(body)


def cursor_of(token: str) -> str:
    """The cursor in a token of ``read_list``."""
    return token.partition(":")[2] or token


def read_quota(headers: Mapping[str, str]) -> Quota | None:
    """How often the pool may be asked: ``x-rate-limit-limit`` requests in each ``x-rate-limit-interval``."""
    limit, every = headers.get("x-rate-limit-limit", ""), headers.get("x-rate-limit-interval", "")
    match = _INTERVAL.fullmatch(every.strip().lower())
    if match is None or not (limit.strip().isascii() and limit.strip().isdigit() and int(limit)):
        return None
    seconds = float(match[1]) * _SECONDS[match[2]]
    return Quota(limit=float(limit), unit=f"requests in {every.strip()}", interval=seconds / float(limit))


def _mark(page: Page) -> str:
    names = "\n".join(record.external_id for record in page.records)
    return hashlib.sha256(names.encode()).hexdigest()[:16]
