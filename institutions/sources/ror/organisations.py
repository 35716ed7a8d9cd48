"""One record of ROR, schema v2, as a value."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from institutions.sources.records import (
    IdentifierRecord,
    NameRecord,
    OrganisationRecord,
    PlaceRecord,
    RelationRecord,
)
from institutions.sources.ror.documents import stamp_of
from wovepaper.harvest.contracts import RawRecord, RecordRefused
from wovepaper.lib import ror
from wovepaper.lib.text import clean

STATUSES = ("active", "inactive", "withdrawn")
KINDS = ("education", "healthcare", "company", "government", "facility", "nonprofit", "archive", "funder", "other")
"""In ROR's own words, ``funder`` and ``other`` said last: what else an organisation is says more."""
NAME_KINDS = ("label", "alias", "acronym")
LONGEST_NAME = 500
"""Characters; the longest in the registry has about 200."""
RELATIONS = ("parent", "child", "related", "predecessor", "successor")
SCHEMES = ("fundref", "grid", "isni", "wikidata")


def parse(record: RawRecord) -> OrganisationRecord:
    """What the record says. Pure. Raises ``RecordRefused``."""
    try:
        said = json.loads(record.payload)
    except (ValueError, RecursionError) as error:
        raise RecordRefused(f"The record is not JSON: {error}.") from error
    if not isinstance(said, dict):
        raise RecordRefused("The record is not a JSON object.")
    if "names" not in said and "name" in said:
        raise RecordRefused("The record is of ROR's schema v1: take the dump of schema v2.")
    ror_id = ror.normalise(_text(said.get("id")))
    if ror_id is None:
        raise RecordRefused(f"{_text(said.get('id'))[:80]!r} is no ROR id: its form or its checksum is wrong.")
    status = _text(said.get("status")).lower()
    if status not in STATUSES:
        raise RecordRefused(f"The status {status[:40]!r} is none of {', '.join(STATUSES)}.")
    display_name, names = _names(said.get("names"))
    kinds = tuple(dict.fromkeys(kind if kind in KINDS else "other" for kind in map(_text, _list(said.get("types")))))
    links = [link for link in _list(said.get("links")) if isinstance(link, dict)]
    established = said.get("established")
    return OrganisationRecord(
        ror_id=ror_id,
        stamp=stamp_of(said),
        content_hash=_content_hash(said),
        display_name=display_name,
        status=status,
        kind=next((kind for kind in kinds if kind not in ("funder", "other")), kinds[0] if kinds else "other"),
        kinds=kinds or ("other",),
        names=names,
        places=_places(said.get("locations")),
        identifiers=_identifiers(said.get("external_ids")),
        relations=_relations(said.get("relationships"), ror_id),
        established=established if isinstance(established, int) and 0 < established < 2200 else None,
        homepage=_link(links, "website"),
        wikipedia=_link(links, "wikipedia"),
        domains=tuple(dict.fromkeys(filter(None, map(_text, _list(said.get("domains")))))),
    )


def _names(said: Any) -> tuple[str, tuple[NameRecord, ...]]:
    shown = first = ""
    names: dict[NameRecord, None] = {}
    for entry in _list(said):
        if not isinstance(entry, dict) or not 0 < len(value := _text(entry.get("value"))) <= LONGEST_NAME:
            continue
        types = [_text(kind) for kind in _list(entry.get("types"))]
        if "ror_display" in types:
            shown = shown or value
        first = first or value
        # A name that is only displayed is a label: it is what the organisation is called.
        for kind in [kind for kind in NAME_KINDS if kind in types] or ["label"]:
            names[NameRecord(value, _text(entry.get("lang")).lower()[:8], kind)] = None
    if not names:
        raise RecordRefused("The record has no name.")
    return shown or first, tuple(names)


def _places(said: Any) -> tuple[PlaceRecord, ...]:
    places = []
    for entry in _list(said):
        details = entry.get("geonames_details") if isinstance(entry, dict) else None
        if not isinstance(details, dict):
            continue
        country = _text(details.get("country_code")).upper()
        latitude, longitude = _degrees(details.get("lat"), 90), _degrees(details.get("lng"), 180)
        if latitude is None or longitude is None:
            latitude = longitude = None
        places.append(
            PlaceRecord(
                city=_text(details.get("name")),
                subdivision=_text(details.get("country_subdivision_name")),
                country=country if len(country) == 2 else "",
                latitude=latitude,
                longitude=longitude,
            )
        )
    return tuple(dict.fromkeys(places))


def _identifiers(said: Any) -> tuple[IdentifierRecord, ...]:
    found: dict[tuple[str, str], IdentifierRecord] = {}
    for entry in _list(said):
        scheme = _text(entry.get("type")).lower() if isinstance(entry, dict) else ""
        if scheme not in SCHEMES:
            continue
        preferred = _text(entry.get("preferred"))
        for value in [preferred, *map(_text, _list(entry.get("all")))]:
            if value and len(value) <= 64:
                found.setdefault((scheme, value), IdentifierRecord(scheme, value, value == preferred))
    return tuple(found.values())


def _relations(said: Any, own: str) -> tuple[RelationRecord, ...]:
    found: dict[tuple[str, str], RelationRecord] = {}
    for entry in _list(said):
        if not isinstance(entry, dict):
            continue
        kind, target = _text(entry.get("type")).lower(), ror.normalise(_text(entry.get("id")))
        if kind in RELATIONS and target is not None and target != own:
            found.setdefault((kind, target), RelationRecord(kind, target, _text(entry.get("label"))))
    return tuple(found.values())


def _link(links: list[dict[str, Any]], kind: str) -> str:
    """Only addresses of the web: a link of another scheme could run as script."""
    values = (_text(link.get("value")) for link in links if link.get("type") == kind)
    return next((value for value in values if value.lower().startswith(("http://", "https://"))), "")


def _degrees(value: Any, most: int) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and -most <= value <= most else None


def _text(value: Any) -> str:
    return clean(value) if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _content_hash(said: dict[str, Any]) -> str:
    """Of all it says but when that was written, in whatever order its keys come."""
    told = {key: value for key, value in said.items() if key != "admin"}
    return hashlib.sha256(json.dumps(told, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
