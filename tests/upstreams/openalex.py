"""OpenAlex's API, on the loopback, over invented works: lists by filter and cursor, single works, keys and quotas."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import unquote

from tests.upstreams.faults import When, always
from tests.upstreams.web import Fault, Reply, Seen, Upstream

KEY = "a-key-that-nobody-may-see"
_DATES = {"from_updated_date", "to_updated_date", "from_created_date", "to_created_date"}
_OTHERS = {"doi", "openalex", "pmid", "locations.source.id"}


class _Problem(Exception):
    def __init__(self, status: int, error: str, message: str) -> None:
        super().__init__(message)
        self.reply = _json({"error": error, "message": message}, status)


class OpenAlexUpstream(Upstream):
    """``works`` may be changed at any time; ``page_size`` is the most that a page holds, whatever is asked for."""

    path = ""

    def __init__(self, works: Iterable[dict[str, Any]] = (), *, page_size: int = 100) -> None:
        super().__init__()
        self.works = list(works)
        self.page_size = page_size
        self.merged: dict[str, str] = {}
        """Ids of works that are part of another: the single look-up redirects, and no list has them."""
        self.key: str | None = KEY
        """The key that is asked for; ``None`` for none."""
        self.may_ask_for_changes = True
        self.may_ask_for_news = True
        self.calls_left: int | None = None
        self.resets_in = 54_000
        self.dead_cursors = False

    def answer(self, seen: Seen) -> Reply:
        headers = {}
        try:
            self._charge(seen)
            reply = self._answer(seen)
        except _Problem as problem:
            reply = problem.reply
            if reply.status == 429:
                headers["Retry-After"] = str(self.resets_in)
        if self.calls_left is not None:
            headers |= {
                "x-ratelimit-limit": "10000",
                "x-ratelimit-remaining": str(self.calls_left),
                "x-ratelimit-reset": str(self.resets_in),
            }
        return Reply(reply.body, reply.status, {**reply.headers, **headers}, reply.content_type)

    def _charge(self, seen: Seen) -> None:
        if self.key is not None and seen.params.get("api_key") != self.key:
            raise _Problem(401, "Invalid or missing API key", f"API key {seen.params.get('api_key')} not found")
        if self.calls_left is not None:
            if self.calls_left <= 0:
                raise _Problem(429, "Rate limit exceeded", "The calls of the day are used up.")
            self.calls_left -= seen.path == "/works"

    def _answer(self, seen: Seen) -> Reply:
        if seen.path == "/works":
            return self._list(seen)
        name = unquote(seen.path.removeprefix("/works/"))
        if name in self.merged:
            return Reply(b"", 301, {"Location": f"/works/{self.merged[name]}?api_key={seen.params.get('api_key')}"})
        for work in self.works:
            if name in (_short(work["id"]), f"doi:{_doi(work)}"):
                return _json(work)
        return Reply(b"<!doctype html><title>404 Not Found</title>", 404, {}, "text/html")

    def _list(self, seen: Seen) -> Reply:
        per_page = int(seen.params.get("per_page", "25"))
        if not 1 <= per_page <= 100:
            raise _Problem(400, "Invalid query parameters error.", "per_page must be between 1 and 100.")
        found = self._chosen(seen.params.get("filter", ""))
        cursor = seen.params.get("cursor", "*")
        if cursor != "*" and self.dead_cursors:
            raise _Problem(400, "Invalid query parameters error.", "Cursor value is invalid.")
        start = 0 if cursor == "*" else int(cursor.removeprefix("Ils"))
        size = min(per_page, self.page_size)
        items = found[start : start + size]
        # As the real one does: after the last work comes one more page, without any.
        meta = {"count": len(found), "page": None, "per_page": per_page, "next_cursor": None}
        if "cursor" in seen.params and items:
            meta["next_cursor"] = f"Ils{start + size}"
        return _json({"meta": meta, "results": items, "group_by": []})

    def _chosen(self, asked: str) -> list[dict[str, Any]]:
        found = [work for work in self.works if _short(work["id"]) not in self.merged]
        for part in filter(None, asked.split(",")):
            name, _, value = part.partition(":")
            if name not in _DATES | _OTHERS:
                raise _Problem(400, "Invalid query parameters error.", f"{name} is not a valid field.")
            refused = not self.may_ask_for_changes if "updated" in name else not self.may_ask_for_news
            if name in _DATES and refused:
                raise _Problem(403, "Premium required", f"{name} needs another plan.")
            values = value.split("|")
            if len(values) > 100:
                raise _Problem(400, "Invalid query parameters error.", "Maximum number of values exceeded.")
            found = [work for work in found if _has(work, name, values)]
        return found


def _has(work: dict[str, Any], name: str, values: list[str]) -> bool:
    match name:
        case "openalex":
            return _short(work["id"]) in values
        case "doi":
            return _doi(work) in [value.lower().removeprefix("https://doi.org/") for value in values]
        case "pmid":
            return work.get("ids", {}).get("pmid", "").rpartition("/")[2] in values
        case "locations.source.id":
            return work.get("repository", values[0]) in values
    day = work.get("updated_date" if "updated" in name else "created_date", "")[:10]
    return day >= values[0] if name.startswith("from") else day <= values[0]


def _short(said: str) -> str:
    return said.rpartition("/")[2]


def _doi(work: dict[str, Any]) -> str:
    return (work.get("doi") or "").lower().removeprefix("https://doi.org/")


def _json(said: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(said).encode(), status, {}, "application/json")


# --- faults --------------------------------------------------------------------------------------------------


def continuing(seen: Seen) -> bool:
    """Requests with a cursor: every page of a list but the first."""
    return seen.params.get("cursor", "*") != "*"


def looking_up(seen: Seen) -> bool:
    """Requests for works by identifier."""
    return "|" in seen.params.get("filter", "") or seen.path.startswith("/works/")


def changed(change: Callable[[dict[str, Any]], None], on: When = always, times: int | None = None) -> Fault:
    """The answer changed in place."""

    def spoil(_seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = reply()
        said = json.loads(answer.body)
        change(said)
        return answer.with_body(json.dumps(said).encode())

    return Fault(spoil, on, times)


def nothing_known(on: When = always, times: int | None = None) -> Fault:
    """Every work of a list is ``null``."""
    return changed(lambda said: said.update(results=[None for _ in said["results"]]), on, times)
