"""Semantic Scholar's Graph API, on the loopback, over invented papers and authors: look-ups in batches, and errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from tests.upstreams.faults import When, always
from tests.upstreams.web import Fault, Reply, Seen, Upstream

KEY = "a-key-that-nobody-may-see"
_MOST = {"/graph/v1/paper/batch": 500, "/graph/v1/author/batch": 1_000}
_PAPER_FIELDS = frozenset(
    "paperId corpusId externalIds url title abstract venue publicationVenue year referenceCount citationCount "
    "influentialCitationCount isOpenAccess openAccessPdf fieldsOfStudy s2FieldsOfStudy publicationTypes "
    "publicationDate journal citationStyles authors citations references embedding tldr".split()
)
_AUTHOR_FIELDS = frozenset(
    "authorId externalIds url name affiliations homepage paperCount citationCount hIndex papers".split()
)


class SemanticScholarUpstream(Upstream):
    """``papers`` and ``authors`` may be changed at any time."""

    path = "/graph/v1"

    def __init__(self, papers: Iterable[dict[str, Any]] = (), authors: Iterable[dict[str, Any]] = ()) -> None:
        super().__init__()
        self.papers = list(papers)
        self.authors = list(authors)
        self.merged: dict[str, str] = {}
        """Hashes of papers that are part of another: the answer holds that one."""
        self.key: str | None = KEY
        """The key that is asked for; ``None`` for none."""
        self.most_answered: int | None = None
        """Items beyond which an answer would be too large."""
        self.tells_when_none_is_known = False
        """Whether it refuses a batch of which it knows nothing, as it does where no id makes sense to it."""

    def answer(self, seen: Seen) -> Reply:
        if self.key is not None and seen.headers.get("x-api-key") != self.key:
            return _json({"message": f"Forbidden: {seen.headers.get('x-api-key')}"}, 403)
        if seen.method != "POST" or seen.path not in _MOST:
            return _json({"error": f"Unknown endpoint {seen.path}"}, 404)
        ids = json.loads(seen.body)["ids"]
        of_papers = "paper" in seen.path
        asked = {field.partition(".")[0] for field in seen.params.get("fields", "").split(",")}
        wrong = sorted(asked - (_PAPER_FIELDS if of_papers else _AUTHOR_FIELDS))
        if wrong:
            return _json({"error": f"Unrecognized or unsupported fields: {wrong}".replace("'", "")}, 400)
        if len(ids) > _MOST[seen.path]:
            return _json({"error": f"Too many ids: at most {_MOST[seen.path]} are allowed"}, 400)
        if self.most_answered is not None and len(ids) > self.most_answered:
            return _json({"error": "Response would exceed maximum size. Request fewer fields or ids"}, 400)
        found = [self._paper(one) if of_papers else self._author(one) for one in ids]
        if self.tells_when_none_is_known and not any(found):
            return _json({"error": f"No valid {'paper' if of_papers else 'author'} ids given"}, 400)
        return _json([one and {name: value for name, value in one.items() if name in asked} for one in found])

    def _paper(self, name: str) -> dict[str, Any] | None:
        scheme, _, value = name.rpartition(":")
        value = self.merged.get(value, value)
        for one in self.papers:
            ids = one["externalIds"] or {}
            known = {
                "": one["paperId"],
                "CorpusId": str(one["corpusId"]),
                "ARXIV": ids.get("ArXiv"),
                "DOI": (ids.get("DOI") or "").lower(),
                "PMID": ids.get("PubMed"),
            }
            if known.get(scheme) == (value.lower() if scheme == "DOI" else value):
                return one
        return None

    def _author(self, name: str) -> dict[str, Any] | None:
        return next((one for one in self.authors if one["authorId"] == name), None)


def _json(said: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(said).encode(), status, {}, "application/json")


# --- faults --------------------------------------------------------------------------------------------------


def too_many_requests(times: int | None = 1, retry_after: str | None = None, on: When = always) -> Fault:
    """As the gateway says it, not the API."""
    said = {"message": "Too Many Requests. Please wait and try again or apply for a key.", "code": "429"}
    headers = {"Retry-After": retry_after} if retry_after else {}
    reply = Reply(json.dumps(said).encode(), 429, headers, "application/json")
    return Fault(lambda _seen, _reply: reply, on, times)


def answers(said: Any, status: int = 200, on: When = always, times: int | None = 1) -> Fault:
    """This and nothing else."""
    return Fault(lambda _seen, _reply: _json(said, status), on, times)


def page_of_html(times: int | None = 1, on: When = always) -> Fault:
    """HTML with status 200."""
    reply = Reply(b"<!doctype html><title>Maintenance</title>", 200, {}, "text/html")
    return Fault(lambda _seen, _reply: reply, on, times)


def changed(change: Callable[[list[Any]], Any], times: int | None = 1, on: When = always) -> Fault:
    """The list of the answer as ``change`` makes it."""

    def spoil(_seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = reply()
        return answer.with_body(json.dumps(change(json.loads(answer.body))).encode())

    return Fault(spoil, on, times)
