"""Works or authors of OpenAlex by their ids: up to a hundred with one request, or one by itself, which is free.

https://developers.openalex.org/guides/get and .../guides/filtering
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from papers.sources import json_documents
from papers.sources.openalex.answers import load, read_list
from papers.sources.openalex.entities import SHAPE, normalise
from wovepaper.harvest.contracts import Identifier, LookupAnswer, Merged, PageRefused, PageRequest
from wovepaper.lib import doi, orcid

SIZE = 100
"""The most values of a filter."""
LONGEST_FILTER = 6_000
"""Characters of a filter once it is escaped: servers refuse addresses of 8 kB."""

WORKS, AUTHORS = "works", "authors"
_FILTERS = {"openalex": "openalex", "doi": "doi", "arxiv": "doi", "pmid": "pmid", "orcid": "orcid"}
_LETTERS = {WORKS: "W", AUTHORS: "A"}


def request(
    base_url: str, entity: str, identifiers: Sequence[Identifier], *, secret_params: Mapping[str, str]
) -> PageRequest:
    """One request for these ``entity``, which is ``WORKS`` or ``AUTHORS``; all identifiers are of one scheme."""
    batch = together(identifiers)
    if len(identifiers) == 1 or not batch:
        url = f"{base_url}/{entity}/{quote(_address(identifiers[0]), safe=':/')}"
        return PageRequest(url, secret_params=secret_params, statuses=frozenset({200, 404}))
    values = "|".join(_value(each) for each in batch)
    params = {"filter": f"{_FILTERS[batch[0].scheme]}:{values}", "per_page": str(SIZE)}
    return PageRequest(f"{base_url}/{entity}", params, secret_params=secret_params)


def together(identifiers: Sequence[Identifier]) -> tuple[Identifier, ...]:
    """Those of them that one filter can name: it parts values at commas and bars, and an address has its limits."""
    found: list[Identifier] = []
    length = 0
    for identifier in identifiers[:SIZE]:
        value = _value(identifier)
        needs = len(quote(f"{value}|", safe=""))
        if "," not in value and "|" not in value and length + needs <= LONGEST_FILTER:
            found.append(identifier)
            length += needs
    return tuple(found)


def read(body: bytes, entity: str, identifiers: Sequence[Identifier], *, status: int) -> LookupAnswer:
    """The answer to ``request``. Raises ``PageRefused``.

    An own id that a list does not have may be part of another by now, which OpenAlex tells only who asks for it alone.
    """
    batch = together(identifiers)
    if len(identifiers) == 1 or not batch:
        found = _read_one(body, entity, identifiers[0], status=status)
        return LookupAnswer(found.records, (), found.unknown, found.merged, tuple(identifiers[1:]))
    page = read_list(body)
    said = load(body).get("results")
    if not isinstance(said, list):
        raise PageRefused("The answer is no list: it has no results.", retry=True)
    known = {name for one in said if isinstance(one, dict) for name in _names(one, _LETTERS[entity])}
    missing = [identifier for identifier in batch if (_FILTERS[identifier.scheme], _value(identifier)) not in known]
    later = [identifier for identifier in identifiers if identifier not in batch]
    return LookupAnswer(
        records=page.records,
        damaged=page.damaged,
        unknown=tuple(identifier for identifier in missing if identifier.scheme != "openalex"),
        singly=(*(identifier for identifier in missing if identifier.scheme == "openalex"), *later),
    )


def _read_one(body: bytes, entity: str, asked: Identifier, *, status: int) -> LookupAnswer:
    if status == 404:
        return LookupAnswer(unknown=(asked,))
    said = load(body)
    name = normalise(said.get("id"), _LETTERS[entity])
    if not name:
        raise PageRefused(f"The answer is none of OpenAlex's {entity}.", retry=True)
    records = json_documents.read_answer(body, SHAPE).records
    merged: tuple[Merged, ...] = ()
    if asked.scheme == "openalex" and name != asked.value:
        merged = (Merged(asked, Identifier("openalex", name)),)
    return LookupAnswer(records=records, merged=merged)


def _value(identifier: Identifier) -> str:
    """As filters take it."""
    match identifier.scheme:
        case "arxiv":
            return f"10.48550/arxiv.{identifier.value.lower()}"
        case "doi":
            return identifier.value.lower()
    return identifier.value


def _address(identifier: Identifier) -> str:
    """As the address of a single one ends."""
    kind = _FILTERS[identifier.scheme]
    return _value(identifier) if kind == "openalex" else f"{kind}:{_value(identifier)}"


def _names(said: dict[str, Any], letter: str) -> set[tuple[str, str]]:
    """By what it can have been asked for."""
    given = said.get("ids")
    ids = given if isinstance(given, dict) else {}
    found = {("openalex", normalise(said.get("id"), letter))}
    for each in (said.get("doi"), ids.get("doi")):
        found.add(("doi", (doi.normalise(each) or "") if isinstance(each, str) else ""))
    for each in (said.get("orcid"), ids.get("orcid")):
        found.add(("orcid", (orcid.normalise(each) or "") if isinstance(each, str) else ""))
    pmid = ids.get("pmid")
    if pmid is not None:
        found.add(("pmid", str(pmid).rstrip("/").rpartition("/")[2]))
    return found
