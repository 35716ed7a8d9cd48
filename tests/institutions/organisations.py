"""Records of invented organisations in the shape of ROR's schema v2."""

from __future__ import annotations

import json
from typing import Any

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def ror_id(number: int) -> str:
    """A valid id for a number below 2**30."""
    name = ""
    rest = number
    for _ in range(7):
        rest, digit = divmod(rest, 32)
        name = ALPHABET[digit] + name
    return f"{name}{98 - (number * 100) % 97:02}"


def name(value: str, *types: str, lang: str | None = "en") -> dict[str, Any]:
    return {"value": value, "types": list(types) or ["label", "ror_display"], "lang": lang}


def place(city: str = "Threadham", country: str = "GB", lat: float | None = 52.5, lng: float | None = -1.25) -> dict:
    details = {"name": city, "country_code": country, "country_name": "", "lat": lat, "lng": lng}
    return {"geonames_id": 1, "geonames_details": {**details, "country_subdivision_name": "Woolshire"}}


def relation(kind: str, number: int, label: str = "Another") -> dict[str, Any]:
    return {"type": kind, "id": f"https://ror.org/{ror_id(number)}", "label": label}


def organisation(number: int = 1, *names: dict[str, Any], changed: str = "2025-01-01", **said: Any) -> dict[str, Any]:
    """A record; ``said`` replaces what it says by default."""
    return {
        "id": f"https://ror.org/{ror_id(number)}",
        "names": list(names) or [name(f"Woven Institute {number}")],
        "status": "active",
        "types": ["education", "funder"],
        "established": 1851,
        "locations": [place()],
        "links": [{"type": "website", "value": "https://weave.example.org"}],
        "external_ids": [{"type": "isni", "preferred": None, "all": [f"0000 0000 0000 {number:04}"]}],
        "relationships": [],
        "domains": [],
        "admin": {
            "created": {"date": "2018-11-14", "schema_version": "1.0"},
            "last_modified": {"date": changed, "schema_version": "2.1"},
        },
        **said,
    }


def dump(*records: dict[str, Any]) -> bytes:
    return json.dumps(list(records)).encode()


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)
