"""arXiv's two OAI-PMH servers, on the loopback, over invented papers.

The **new** server (``flavour="new"``): stateless, percent-encoded offset tokens that carry the whole request, with an
``expirationDate`` only; an empty ``resumptionToken`` element ends a list of several pages, a single page has none.
The **classic** one (``"classic"``): tokens like ``1403493|1001`` with ``cursor`` and ``completeListSize``. Both answer
errors with HTTP 200.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Literal
from urllib.parse import parse_qsl, quote, unquote

from tests.upstreams import render
from tests.upstreams.catalogue import Paper
from tests.upstreams.web import Reply, Seen, Upstream

Flavour = Literal["new", "classic"]
EARLIEST = dt.date(2005, 9, 16)
_ARGUMENTS = {
    "Identify": set(),
    "ListSets": set(),
    "ListMetadataFormats": {"identifier"},
    "GetRecord": {"identifier", "metadataPrefix"},
    "ListRecords": {"from", "until", "set", "metadataPrefix", "resumptionToken"},
    "ListIdentifiers": {"from", "until", "set", "metadataPrefix", "resumptionToken"},
}


class _Problem(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ArxivUpstream(Upstream):
    """``papers`` may be changed at any time, and are served in their order; ``page_size`` records to a page."""

    path = "/oai"

    def __init__(self, papers: Iterable[Paper] = (), *, flavour: Flavour = "new", page_size: int = 10) -> None:
        super().__init__()
        self.papers = list(papers)
        self.flavour: Flavour = flavour
        self.page_size = page_size
        self.merged: dict[str, str] = {}
        """Identifiers that are redirected to another, as absolute or relative address."""
        self._lists: dict[str, tuple[dict[str, str], list[str]]] = {}

    @property
    def classic(self) -> bool:
        return self.flavour == "classic"

    def answer(self, seen: Seen) -> Reply:
        params = seen.params
        now = dt.datetime.now(dt.UTC).replace(microsecond=0)
        try:
            verb = self._verb(params)
            if verb == "GetRecord" and params.get("identifier") in self.merged:
                return Reply(status=301, headers={"Location": self.merged[params["identifier"]]})
            content = self._content(verb, params, now)
        except _Problem as problem:
            return Reply(render.error(problem.code, str(problem), params, self.url, now))
        return Reply(render.document(verb, content, params, self.url, now))

    def _verb(self, params: dict[str, str]) -> str:
        verb = params.get("verb", "")
        if verb not in _ARGUMENTS:
            raise _Problem("badVerb", f"Illegal verb {verb!r}")
        for name in params:
            if name != "verb" and name not in _ARGUMENTS[verb]:
                raise _Problem("badArgument", f"Illegal argument {name!r}")
        if "resumptionToken" in params and len(params) > 2:
            raise _Problem("badArgument", "resumptionToken is an exclusive argument")
        return verb

    def _content(self, verb: str, params: dict[str, str], now: dt.datetime):
        match verb:
            case "Identify":
                return render.identify_elements(self.url, EARLIEST.isoformat())
            case "ListSets":
                specs = sorted({spec for paper in self.papers for spec in self._specs(paper)})
                return [render.set_element(spec, spec) for spec in specs]
            case "ListMetadataFormats":
                return [render.format_element(prefix) for prefix in render.FORMATS]
            case "GetRecord":
                return [self._record(params)]
        return self._list(verb, params, now)

    def _specs(self, paper: Paper) -> set[str]:
        """The sets a paper is in: those of its header and all above them."""
        specs = set()
        for spec in paper.sets:
            parts = spec.split(":")
            most = 2 if self.classic and parts[0] == "physics" else 1 if self.classic else len(parts)
            specs |= {":".join(parts[:length]) for length in range(1, most + 1)}
        return specs

    def _record(self, params: dict[str, str]):
        prefix = _prefix(params)
        identifier = params.get("identifier", "")
        for paper in self.papers:
            if paper.oai_id == identifier:
                return render.record(paper, prefix, classic=self.classic)
        raise _Problem("idDoesNotExist", f"{identifier!r} is not known here")

    def _list(self, verb: str, params: dict[str, str], now: dt.datetime):
        token = params.get("resumptionToken")
        if token is not None:
            request, papers, skip = self._resume(verb, token)
        else:
            request, skip = {name: value for name, value in params.items() if name != "verb"}, 0
            papers = self._select(request)
            if not papers:
                raise _Problem("noRecordsMatch", "The combination of arguments gives an empty list")
        prefix = _prefix(request)
        page = papers[skip : skip + self.page_size]
        if verb == "ListIdentifiers":
            content = [render.header(paper, classic=self.classic) for paper in page]
        else:
            content = [render.record(paper, prefix, classic=self.classic) for paper in page]
        content += self._token_element(verb, request, papers, skip, now)
        return content

    def _select(self, request: dict[str, str]) -> list[Paper]:
        _prefix(request)
        first, last = _day(request, "from", EARLIEST), _day(request, "until", dt.date.max)
        if first < EARLIEST:
            raise _Problem("badArgument", f"from is before {EARLIEST}")
        if first > last:
            raise _Problem("badArgument", "from is after until")
        wanted = request.get("set")
        return [
            paper
            for paper in self.papers
            if first <= paper.datestamp <= last and (wanted is None or wanted in self._specs(paper))
        ]

    # --- tokens ----------------------------------------------------------------------------------------------

    def _token_element(self, verb: str, request: dict[str, str], papers: list[Paper], skip: int, now: dt.datetime):
        end = skip + self.page_size
        more = end < len(papers)
        if not more and not skip:
            return []
        if self.classic:
            attributes = {"cursor": str(skip), "completeListSize": str(len(papers))}
            token = self._classic_token(request, papers, end) if more else ""
            return [render.resumption_token(token, **attributes)]
        if not more:
            return [render.resumption_token("")]
        midnight = (now + dt.timedelta(days=1)).replace(hour=0, minute=0, second=0)
        return [
            render.resumption_token(
                offset_token(verb, request, end), expirationDate=midnight.strftime("%Y-%m-%dT%H:%M:%SZ")
            )
        ]

    def _classic_token(self, request: dict[str, str], papers: list[Paper], end: int) -> str:
        """The classic server remembers the list under a number."""
        number = next((each for each, (known, _) in self._lists.items() if known == request), None)
        if number is None:
            number = str(1_403_493 + len(self._lists))
            self._lists[number] = (request, [paper.arxiv_id for paper in papers])
        return f"{number}|{end + 1}"

    def _resume(self, verb: str, token: str) -> tuple[dict[str, str], list[Paper], int]:
        bad = _Problem("badResumptionToken", "The resumptionToken supplied is illegal for this repository")
        if self.classic:
            number, _, start = token.partition("|")
            if number not in self._lists or not start.isdigit():
                raise bad
            request, ids = self._lists[number]
            by_id = {paper.arxiv_id: paper for paper in self.papers}
            return request, [by_id[each] for each in ids if each in by_id], int(start) - 1
        fields = dict(parse_qsl(unquote(token)))
        if fields.pop("verb", None) != verb or not fields.get("skip", "").isdigit():
            raise bad
        skip = int(fields.pop("skip"))
        return fields, self._select(fields), skip


def offset_token(verb: str, request: dict[str, str], skip: int) -> str:
    """``verb%3DListRecords%26…%26skip%3D1300``."""
    pairs = [("verb", verb), *request.items(), ("skip", str(skip))]
    return quote("&".join(f"{name}={value}" for name, value in pairs), safe="")


def _prefix(request: dict[str, str]) -> str:
    prefix = request.get("metadataPrefix")
    if prefix is None:
        raise _Problem("badArgument", "metadataPrefix is required")
    if prefix not in render.FORMATS:
        raise _Problem("cannotDisseminateFormat", f"{prefix!r} is not served")
    return prefix


def _day(request: dict[str, str], name: str, otherwise: dt.date) -> dt.date:
    if name not in request:
        return otherwise
    try:
        return dt.date.fromisoformat(request[name])
    except ValueError:
        raise _Problem("badArgument", f"{name} must be a day") from None
