"""Documents in the shape of Crossref's, with invented content."""

from __future__ import annotations

import json
from typing import Any


def work(**values: Any) -> dict[str, Any]:
    """A journal article; ``None`` leaves a field out, and underscores stand for hyphens."""
    said: dict[str, Any] = {
        "indexed": {"date-parts": [[2025, 3, 4]], "date-time": "2025-03-04T05:06:07Z", "timestamp": 1741064767000},
        "DOI": "10.5555/WOVEN.1",
        "type": "journal-article",
        "title": ["A woven lattice"],
        "container-title": ["Journal of Invented Research"],
        "volume": "7",
        "issue": "2",
        "page": "11-29",
        "publisher": "Nowhere Press",
        "issued": {"date-parts": [[2024, 12]]},
        "published": {"date-parts": [[2024, 12]]},
        "author": [person("Zo\u00eb", "Vek", sequence="first"), person("Ansel", "Thorn")],
        "license": [{"URL": "https://creativecommons.org/licenses/by/4.0/", "content-version": "vor"}],
        "is-referenced-by-count": 3,
        "score": 0.0,
    }
    said |= {key.replace("_", "-") if key != "DOI" else key: value for key, value in values.items()}
    return {key: value for key, value in said.items() if value is not None}


def person(given: str, family: str, **values: Any) -> dict[str, Any]:
    return {"given": given, "family": family, "sequence": "additional", "affiliation": [], **values}


def answer(message: Any, kind: str = "work") -> bytes:
    """An answer of the REST API."""
    said = {"status": "ok", "message-type": kind, "message-version": "1.0.0", "message": message}
    return json.dumps(said).encode()


def answer_list(*works: Any) -> bytes:
    message = {"facets": {}, "total-results": len(works), "items": list(works), "items-per-page": 20}
    return answer(message, "work-list")


def failure(*problems: str) -> bytes:
    message = [{"type": "parameter-not-allowed", "value": "x", "message": each} for each in problems]
    return json.dumps({"status": "failed", "message-type": "validation-failure", "message": message}).encode()


def lines(*works: Any) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in works)
