"""Documents in the shape of ORCID's public ones, with invented content."""

from __future__ import annotations

import json
from typing import Any

OWNER = "0000-0002-1825-0097"
"""The iD of ORCID's own documentation: nobody's."""


def record(owner: str = OWNER, **values: Any) -> dict[str, Any]:
    """A whole record of v3.0."""
    return {
        "orcid-identifier": {"uri": f"https://orcid.org/{owner}", "path": owner, "host": "orcid.org"},
        "preferences": {"locale": "en"},
        "history": {"claimed": True, "deactivation-date": None},
        "person": person(owner),
        "activities-summary": {
            "employments": {"affiliation-group": [{"summaries": [{"employment-summary": employment()}]}]},
            "works": works(group(summary())),
        },
        "path": f"/{owner}",
        **values,
    }


def person(owner: str = OWNER, **values: Any) -> dict[str, Any]:
    return {
        "name": {
            "given-names": {"value": "Zo\u00eb"},
            "family-name": {"value": "Vek"},
            "credit-name": {"value": "Z. A. Vek"},
            "visibility": "public",
            "path": owner,
        },
        "other-names": {"other-name": [{"content": "Zoja Vekov\u00e1"}, {"content": "Zo\u00eb Vek"}]},
        "biography": None,
        "external-identifiers": {"external-identifier": [{"external-id-type": "Loom ID", "external-id-value": "L-17"}]},
        "path": f"/{owner}/person",
        **values,
    }


def employment(**values: Any) -> dict[str, Any]:
    return {
        "department-name": "Department of Weaving",
        "role-title": "Reader",
        "start-date": {"year": {"value": "2015"}, "month": {"value": "09"}, "day": None},
        "end-date": None,
        "organization": {
            "name": "University of Threadham",
            "address": {"city": "Threadham", "region": None, "country": "GB"},
            "disambiguated-organization": {
                "disambiguated-organization-identifier": "https://ror.org/05gq02987",
                "disambiguation-source": "ROR",
            },
        },
        **values,
    }


def external_id(kind: str, value: str, relationship: str = "self") -> dict[str, Any]:
    return {
        "external-id-type": kind,
        "external-id-value": value,
        "external-id-url": None,
        "external-id-relationship": relationship,
    }


def summary(*ids: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {
        "put-code": 4711,
        "title": {"title": {"value": "A woven lattice"}, "subtitle": None, "translated-title": None},
        "external-ids": {"external-id": list(ids) or [external_id("doi", "https://doi.org/10.5555/WOVEN.1")]},
        "type": "journal-article",
        "publication-date": {"year": {"value": "2024"}, "month": {"value": "12"}, "day": {"value": "09"}},
        **values,
    }


def group(*summaries: dict[str, Any], ids: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"external-ids": {"external-id": list(ids)}, "work-summary": list(summaries)}


def works(*groups: dict[str, Any], owner: str = OWNER) -> dict[str, Any]:
    return {"last-modified-date": None, "group": list(groups), "path": f"/{owner}/works"}


def failure(status: int, words: str) -> dict[str, Any]:
    return {
        "response-code": status,
        "developer-message": f"{words} Full validation error: invented",
        "user-message": words,
        "error-code": 9016,
        "more-info": "https://members.example.org/troubleshooting",
    }


def body(said: Any) -> bytes:
    return json.dumps(said).encode()
