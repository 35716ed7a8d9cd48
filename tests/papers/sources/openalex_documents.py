"""Documents in the shape of OpenAlex's, with invented content."""

from __future__ import annotations

import json
from typing import Any

BASE = "https://openalex.org/"


def work(number: int = 700, **values: Any) -> dict[str, Any]:
    """A journal article; ``None`` leaves a field out."""
    said: dict[str, Any] = {
        "id": f"{BASE}W{number}",
        "doi": "https://doi.org/10.5555/WOVEN.1",
        "title": "A woven lattice",
        "display_name": "A woven lattice",
        "publication_year": 2024,
        "publication_date": "2024-12-09",
        "ids": {"openalex": f"{BASE}W{number}", "doi": "https://doi.org/10.5555/woven.1", "mag": "12"},
        "type": "article",
        "primary_location": location(),
        "locations": [location()],
        "biblio": {"volume": "7", "issue": "2", "first_page": "11", "last_page": "29"},
        "authorships": [authorship("Zo\u00eb Vek", 501), authorship("Ansel Thorn", 502, is_corresponding=True)],
        "cited_by_count": 3,
        "is_retracted": False,
        "is_paratext": False,
        "abstract_inverted_index": {"We": [0], "weave": [1, 3], "and": [2], "again.": [4]},
        "updated_date": "2025-03-04T05:06:07.123456",
        "concepts": [],
    }
    said |= values
    return {key: value for key, value in said.items() if value is not None}


def location(**values: Any) -> dict[str, Any]:
    return {
        "is_oa": True,
        "landing_page_url": "https://doi.org/10.5555/woven.1",
        "pdf_url": None,
        "license": "cc-by",
        "version": "publishedVersion",
        "source": {
            "id": f"{BASE}S90",
            "display_name": "Journal of Invented Research",
            "type": "journal",
            "host_organization_name": "Nowhere Press",
        },
        **values,
    }


ARXIV = location(
    landing_page_url="http://arxiv.org/abs/2401.00001v2",
    pdf_url="https://arxiv.org/pdf/2401.00001",
    license=None,
    source={"id": f"{BASE}S91", "display_name": "arXiv (Somewhere)", "type": "repository"},
)


def authorship(name: str | None, author: int | None, **values: Any) -> dict[str, Any]:
    return {
        "author_position": "middle",
        "author": {"id": f"{BASE}A{author}" if author else None, "display_name": name, "orcid": None},
        "institutions": [],
        "is_corresponding": False,
        "raw_author_name": name,
        "raw_affiliation_strings": [],
        "affiliations": [],
        **values,
    }


def answer(*works: Any) -> bytes:
    """An answer of the API; the first key is ``meta``."""
    meta = {"count": len(works), "db_response_time_ms": 9, "page": None, "per_page": 25, "next_cursor": "abc"}
    return json.dumps({"meta": meta, "results": list(works), "group_by": []}).encode()


def lines(*works: Any) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in works)
