"""Crossref's REST API, on the loopback, over invented works.

A list is kept on the server: its cursor is the same on every page, each request with it gives what comes next, and a
cursor that is too old is not known any more (404 in plain text, or 500 with an exception, as ``forgets_with`` says).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Literal
from urllib.parse import unquote

from tests.upstreams.faults import When, always
from tests.upstreams.web import Fault, Reply, Seen, Upstream

_FILTERS = {"from-index-date", "until-index-date", "prefix", "member", "issn", "type", "doi"}


class _Problem(Exception):
    def __init__(self, kind: str, value: str, message: str) -> None:
        super().__init__(message)
        self.said = {"type": kind, "value": value, "message": message}


class CrossrefUpstream(Upstream):
    """``works`` may be changed at any time; ``page_size`` is the most that a page holds, whatever is asked for."""

    path = ""

    def __init__(self, works: Iterable[dict[str, Any]] = (), *, page_size: int = 10) -> None:
        super().__init__()
        self.works = list(works)
        self.page_size = page_size
        self.aliases: dict[str, str] = {}
        """DOIs of works that have become part of another."""
        self.refused_dois: set[str] = set()
        """DOIs that make a whole filter invalid."""
        self.limit, self.interval = "50", "1s"
        self.forgets_with: Literal["text", "exception"] = "text"
        self._lists: dict[str, tuple[list[dict[str, Any]], int]] = {}

    def forget_lists(self) -> None:
        """All cursors are older than five minutes."""
        self._lists.clear()

    def answer(self, seen: Seen) -> Reply:
        pool = "polite" if "mailto" in seen.params else "public"
        headers = {"x-rate-limit-limit": self.limit, "x-rate-limit-interval": self.interval, "x-api-pool": pool}
        try:
            reply = self._answer(seen)
        except _Problem as problem:
            said = {"status": "failed", "message-type": "validation-failure", "message": [problem.said]}
            reply = _json(said, 400)
        return Reply(reply.body, reply.status, headers, reply.content_type)

    def _answer(self, seen: Seen) -> Reply:
        if seen.path == "/works":
            return self._list(seen)
        name = unquote(seen.path.removeprefix("/works/")).lower()
        name = self.aliases.get(name, name)
        for work in self.works:
            if work["DOI"].lower() == name:
                return _json({"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": work})
        return _not_found()

    def _list(self, seen: Seen) -> Reply:
        rows = int(seen.params.get("rows", "20"))
        if rows > 1000:
            raise _Problem("integer-not-valid", str(rows), f"Integer specified as {rows} but must be at most 1000.")
        chosen = self._chosen(seen.params.get("filter", ""))
        message: dict[str, Any] = {"facets": {}, "items-per-page": rows}
        size = min(rows, self.page_size)
        cursor = seen.params.get("cursor")
        if cursor is None:
            return _work_list({**message, "total-results": len(chosen), "items": chosen[:size]})
        if cursor == "*":
            cursor = f"DnF1ZXJ5:{len(self._lists)}+/=="
            self._lists[cursor] = (chosen, 0)
        if cursor not in self._lists:
            return _not_found() if self.forgets_with == "text" else _exception()
        found, position = self._lists[cursor]
        self._lists[cursor] = (found, position + size)
        items = found[position : position + size]
        return _work_list({**message, "total-results": len(found), "next-cursor": cursor, "items": items})

    def _chosen(self, asked: str) -> list[dict[str, Any]]:
        wanted: dict[str, list[str]] = {}
        for part in filter(None, asked.split(",")):
            name, _, value = part.partition(":")
            if name not in _FILTERS:
                raise _Problem("filter-not-available", name, f"Filter '{name}' specified but there is no such filter.")
            wanted.setdefault(name, []).append(value.lower())
        if bad := self.refused_dois.intersection(wanted.get("doi", [])):
            raise _Problem("doi-not-valid", min(bad), "A DOI is not valid.")
        return [work for work in self.works if all(_has(work, name, values) for name, values in wanted.items())]


def _has(work: dict[str, Any], name: str, values: list[str]) -> bool:
    day = work["indexed"]["date-time"][:10]
    match name:
        case "from-index-date":
            return day >= values[0]
        case "until-index-date":
            return day <= values[0]
        case "doi":
            return work["DOI"].lower() in values
        case "prefix":
            return work["DOI"].partition("/")[0] in values
        case "issn":
            return bool(set(map(str.lower, work.get("ISSN", ()))) & set(values))
    return str(work.get(name, "")).lower() in values


def _work_list(message: dict[str, Any]) -> Reply:
    return _json({"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message})


def _json(said: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(said).encode(), status, {}, "application/json")


def _not_found() -> Reply:
    return Reply(b"Resource not found.", 404, {}, "text/plain;charset=utf-8")


def _exception() -> Reply:
    message = {"name": "class invented.ExceptionInfo", "message": "Response Exception", "stack": [], "cause": None}
    said = {"status": "error", "message-type": "exception", "message-version": "1.0.0", "message": message}
    return _json(said, 500)


# --- faults --------------------------------------------------------------------------------------------------


def continuing(seen: Seen) -> bool:
    """Requests with a cursor: every page of a list but the first."""
    return seen.params.get("cursor", "*") != "*"


def page(number: int) -> When:
    """The page of that number, counted over all requests for lists from 1."""
    met: list[int] = []

    def on(seen: Seen) -> bool:
        met.append(seen.number)
        return len(met) == number

    return on


def changed(change: Callable[[dict[str, Any]], None], on: When = always, times: int | None = None) -> Fault:
    """The answer with its message changed in place."""

    def spoil(_seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = reply()
        said = json.loads(answer.body)
        change(said["message"])
        return answer.with_body(json.dumps(said).encode())

    return Fault(spoil, on, times)


def cut(on: When = always, times: int | None = 1) -> Fault:
    """The first two thirds of an answer."""

    def spoil(_seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = reply()
        return answer.with_body(answer.body[: len(answer.body) * 2 // 3])

    return Fault(spoil, on, times)


def same_page_for_ever(on: When = continuing) -> Fault:
    """Every continuation is answered with the first one again."""
    first: list[Reply] = []

    def spoil(_seen: Seen, reply: Callable[[], Reply]) -> Reply:
        if not first:
            first.append(reply())
        return first[0]

    return Fault(spoil, on)
