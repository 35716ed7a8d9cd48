"""Works of Crossref by their DOIs: many with one request, or one by itself."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from papers.sources.crossref.answers import NOT_FOUND, read_works
from wovepaper.harvest.contracts import Identifier, LookupAnswer, Merged, PageRefused, PageRequest, RawRecord
from wovepaper.lib import doi

SIZE = 50
"""DOIs in one request."""
LONGEST_FILTER = 5_000
"""Characters of a filter once it is escaped: servers refuse addresses of 8 kB, and the cursor needs none here."""
_OF_OTHERS = ("10.48550/",)
"""Prefixes of DOIs that another agency registers, in such numbers that it is worth not to ask: arXiv's at DataCite."""


def may_be_known(identifier: Identifier) -> bool:
    """Whether Crossref can know the work at all."""
    return identifier.scheme == "doi" and not identifier.value.startswith(_OF_OTHERS)


def together(identifiers: Sequence[Identifier]) -> tuple[Identifier, ...]:
    """Those of them that one filter can name: it parts values at commas, and an address has its limits."""
    found: list[Identifier] = []
    length = 0
    for identifier in filter(may_be_known, identifiers):
        needs = len(quote(f"doi:{identifier.value},", safe=""))
        if "," not in identifier.value and length + needs <= LONGEST_FILTER:
            found.append(identifier)
            length += needs
    return tuple(found)


def request(base_url: str, params: dict[str, str], identifiers: Sequence[Identifier]) -> PageRequest:
    """One request. Raises ``PageRefused`` where Crossref can know none of them."""
    wanted = [identifier for identifier in identifiers if may_be_known(identifier)]
    if not wanted:
        raise PageRefused("None of these identifiers is a DOI of Crossref's.", retry=False)
    batch = together(wanted)
    if len(wanted) == 1 or not batch:
        url = f"{base_url}/works/{quote(wanted[0].value, safe='')}"
        return PageRequest(url, params, statuses=frozenset({200, 404}))
    named = {"filter": ",".join(f"doi:{each.value}" for each in batch), "rows": str(len(batch))}
    return PageRequest(f"{base_url}/works", {**named, **params}, statuses=frozenset({200, 400}))


def read(body: bytes, identifiers: Sequence[Identifier], *, status: int) -> LookupAnswer:
    """The answer to ``request``. Raises ``PageRefused``."""
    wanted = [identifier for identifier in identifiers if may_be_known(identifier)]
    never = tuple(identifier for identifier in identifiers if not may_be_known(identifier))
    batch = together(wanted)
    if len(wanted) == 1 or not batch:
        later = tuple(wanted[1:])
        return _read_one(body, wanted[0], status=status, unknown=never, singly=later)
    if status == 400:  # one of them is taken for no DOI: which one, only each of them by itself will tell
        return LookupAnswer(unknown=never, singly=tuple(wanted))
    page = read_works(body)
    by_name = {record.external_id: record for record in page.records}
    return LookupAnswer(
        records=tuple(by_name[name] for name in map(_name, batch) if name in by_name),
        damaged=page.damaged,
        unknown=(*never, *(identifier for identifier in batch if _name(identifier) not in by_name)),
        singly=tuple(identifier for identifier in wanted if identifier not in batch),
    )


def _read_one(
    body: bytes, asked: Identifier, *, status: int, unknown: tuple[Identifier, ...], singly: tuple[Identifier, ...]
) -> LookupAnswer:
    if status == 404:
        if body.strip() != NOT_FOUND:
            raise PageRefused("The answer has status 404, but does not say that the DOI is unknown.", retry=True)
        return LookupAnswer(unknown=(*unknown, asked), singly=singly)
    page = read_works(body)
    found: RawRecord | None = page.records[0] if len(page.records) == 1 else None
    if found is None:
        raise PageRefused("The answer is not the one work that was asked for.", retry=False)
    merged: tuple[Merged, ...] = ()
    if found.external_id != _name(asked) and doi.normalise(found.external_id):
        merged = (Merged(asked, Identifier(asked.scheme, found.external_id)),)
    return LookupAnswer((found,), page.damaged, unknown, merged, singly)


def _name(identifier: Identifier) -> str:
    return doi.normalise(identifier.value) or identifier.value
