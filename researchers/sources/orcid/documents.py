"""From a public document of ORCID to what it says (https://info.orcid.org/documentation/integration-guide/orcid-record/).

Read are whole records (``/record``), their parts ``/person``, ``/works`` and ``/works/<put codes>``, and ``/search``,
all of them as JSON. Schema v3.0 groups employments and writes kinds in lower case, v2 does neither; both are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from researchers.sources.orcid.records import Employment, OrcidRecord, OrcidSearch, OrcidWork, PartialDay
from wovepaper.harvest.contracts import RecordRefused
from wovepaper.lib import arxiv_id, doi, orcid, ror
from wovepaper.lib.text import clean

_OF_THE_WORK = ("self", "version-of")
"""How an identifier relates to the work where it is not that of a whole, a part or a grant."""
LONGEST_LIST = 20_000
"""Works, employments or names; a record with more is damage."""


def read_record(body: bytes) -> OrcidRecord:
    """A record or a part of one. Raises ``RecordRefused`` with the reason; so does an answer that tells of an error."""
    said = _object(body)
    if "bulk" in said:
        return OrcidRecord("", works=tuple(_bulk(said["bulk"])))
    if "result" in said or "num-found" in said:
        raise RecordRefused("The document is a list of search results, and a record is wanted.")
    if "group" in said:
        return OrcidRecord(_owner(said.get("path")), works=tuple(_works(said)))
    if "orcid-identifier" in said:
        return _whole(said)
    if "name" in said and "other-names" in said:
        return _person(said, _owner(said.get("path")), {})
    raise RecordRefused("The document is neither a record of ORCID nor a part of one.")


def read_search(body: bytes) -> OrcidSearch:
    """A page of search results. Raises ``RecordRefused``."""
    said = _object(body)
    total = said.get("num-found")
    if not isinstance(total, int) or isinstance(total, bool) or total < 0:
        raise RecordRefused("The document is no list of search results: it does not say how many there are.")
    found = (_text(_get(entry, "orcid-identifier", "path")) for entry in _list(said.get("result")))
    return OrcidSearch(tuple(dict.fromkeys(filter(None, map(orcid.normalise, found)))), total)


def _object(body: bytes) -> dict[str, Any]:
    """The document as an object. Raises ``RecordRefused`` for what is none, and for an error's."""
    if body.lstrip()[:1] == b"<":
        raise RecordRefused("The document is XML or HTML: ask ORCID for JSON.")
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RecordRefused(f"The document is not JSON: {error}.") from error
    if not isinstance(said, dict):
        raise RecordRefused("The document is not a JSON object.")
    status = said.get("response-code")
    if status is not None or "error" in said:
        told = _text(said.get("user-message")) or _text(said.get("error_description")) or _text(said.get("error"))
        where = f" with status {status}" if isinstance(status, int) else ""
        raise RecordRefused(f"ORCID answers{where}: {told[:200].rstrip('.') or 'it does not say why'}.")
    return said


def _owner(path: Any) -> str:
    """Whose part of a record it is, by its path such as ``/0000-0002-1825-0097/works``."""
    name = orcid.normalise(_text(path).strip("/").partition("/")[0])
    if name is None:
        raise RecordRefused(f"{_text(path)[:80]!r} does not say whose record this is: it names no ORCID iD.")
    return name


def _whole(said: dict[str, Any]) -> OrcidRecord:
    given = _text(_get(said, "orcid-identifier", "path"))
    name = orcid.normalise(given)
    if name is None:
        raise RecordRefused(f"{given[:80]!r} is no ORCID iD: its form or its check digit is wrong.")
    host = _text(_get(said, "orcid-identifier", "host")).lower()
    if host.startswith("sandbox."):
        raise RecordRefused("The record is of ORCID's sandbox, whose records are nobody's.")
    if _get(said, "history", "deactivation-date", "value") is not None:
        raise RecordRefused("The record was deactivated by its owner.")
    activities = said.get("activities-summary")
    return _person(said.get("person"), name, activities if isinstance(activities, dict) else {})


def _person(said: Any, owner: str, activities: dict[str, Any]) -> OrcidRecord:
    others = (_text(_get(entry, "content")) for entry in _list(_get(said, "other-names", "other-name")))
    ids = (
        (_text(_get(entry, "external-id-type")), _text(_get(entry, "external-id-value")))
        for entry in _list(_get(said, "external-identifiers", "external-identifier"))
    )
    return OrcidRecord(
        orcid=owner,
        given_names=_text(_get(said, "name", "given-names", "value")),
        family_name=_text(_get(said, "name", "family-name", "value")),
        credit_name=_text(_get(said, "name", "credit-name", "value")),
        other_names=tuple(dict.fromkeys(filter(None, others))),
        identifiers=tuple(dict.fromkeys(pair for pair in ids if all(pair))),
        employments=tuple(_employments(activities.get("employments"))),
        works=tuple(_works(activities.get("works"))),
    )


def _employments(said: Any) -> Iterator[Employment]:
    entries = list(_list(_get(said, "employment-summary")))
    for group in _list(_get(said, "affiliation-group")):
        entries += [_get(summary, "employment-summary") for summary in _list(_get(group, "summaries"))]
    for entry in entries:
        organisation = _get(entry, "organization")
        name = _text(_get(organisation, "name"))
        if not name:
            continue
        known_as = _get(organisation, "disambiguated-organization")
        source = _text(_get(known_as, "disambiguation-source")).upper()
        found = ror.normalise(_text(_get(known_as, "disambiguated-organization-identifier")))
        yield Employment(
            organisation=name,
            department=_text(_get(entry, "department-name")),
            role=_text(_get(entry, "role-title")),
            city=_text(_get(organisation, "address", "city")),
            country=_text(_get(organisation, "address", "country")).upper()[:2],
            organisation_id=found if found and source == "ROR" else "",
            began=_day(_get(entry, "start-date")),
            ended=_day(_get(entry, "end-date")),
        )


def _works(said: Any) -> Iterator[OrcidWork]:
    """One for each group: its summaries are what several sources say of the same work, the preferred one first."""
    for group in _list(_get(said, "group")):
        summaries = [entry for entry in _list(_get(group, "work-summary")) if isinstance(entry, dict)]
        read = [_work(entry) for entry in summaries]
        together = (*_identifiers(_get(group, "external-ids")), *(pair for work in read for pair in work.identifiers))
        title = next((work.title for work in read if work.title), "")
        if title or together:
            yield OrcidWork(
                title=title,
                identifiers=tuple(dict.fromkeys(together)),
                kind=next((work.kind for work in read if work.kind), ""),
                published=next((work.published for work in read if work.published), None),
            )


def _bulk(said: Any) -> Iterator[OrcidWork]:
    """Works that were asked for by their put codes; one that cannot be shown is an ``error`` among them."""
    for entry in _list(said):
        work = _get(entry, "work")
        if isinstance(work, dict):
            yield _work(work)


def _work(said: dict[str, Any]) -> OrcidWork:
    return OrcidWork(
        title=_text(_get(said, "title", "title", "value")),
        identifiers=_identifiers(said.get("external-ids")),
        kind=_text(said.get("type")).lower().replace("_", "-"),
        published=_day(said.get("publication-date")),
    )


def _identifiers(said: Any) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    for entry in _list(_get(said, "external-id")):
        relation = _text(_get(entry, "external-id-relationship")).lower().replace("_", "-")
        if relation and relation not in _OF_THE_WORK:
            continue
        value = _text(_get(entry, "external-id-value"))
        match _text(_get(entry, "external-id-type")).lower():
            case "doi":
                found |= dict.fromkeys(("doi", name) for name in doi.normalise_all(value))
            case "arxiv":
                paper = arxiv_id.normalise(value)
                found |= {("arxiv", paper.value): None} if paper else {}
            case "pmid" if value.isascii() and value.isdigit():
                found[("pmid", value.lstrip("0") or "0")] = None
    return tuple(found)


def _day(said: Any) -> PartialDay | None:
    """A day as far as it is known; what makes no sense is left out from there on."""
    year = _number(_get(said, "year", "value"), 1000, 2999)
    if year is None:
        return None
    month = _number(_get(said, "month", "value"), 1, 12)
    day = _number(_get(said, "day", "value"), 1, 31) if month else None
    return year, month, day


def _number(said: Any, least: int, most: int) -> int | None:
    digits = said if isinstance(said, str) else str(said) if isinstance(said, int) else ""
    value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 4 else 0
    return value if least <= value <= most else None


def _get(said: Any, *keys: str) -> Any:
    """What lies under the keys, or ``None``."""
    for key in keys:
        if not isinstance(said, dict):
            return None
        said = said.get(key)
    return said


def _text(said: Any) -> str:
    return clean(said) if isinstance(said, str) else ""


def _list(said: Any) -> list[Any]:
    """Raises ``RecordRefused`` for a list that no person can have."""
    if not isinstance(said, list):
        return []
    if len(said) > LONGEST_LIST:
        raise RecordRefused(f"The record has a list of {len(said)} entries, more than {LONGEST_LIST}.")
    return said
