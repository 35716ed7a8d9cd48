"""Institutions that a source names by their ROR ids beside printed affiliations. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from institutions.matching.folding import fold
from wovepaper.lib import ror


def read_asserted(payload: bytes) -> dict[str, tuple[str, ...]]:
    """Printed affiliation, folded, to the ROR ids that the record says of it; records of other forms say nothing.

    Crossref: ``author[].affiliation[].id[]`` with ``id-type`` ROR. OpenAlex: ``authorships[].affiliations[]`` with
    ``institution_ids``, whose ROR ids stand in ``authorships[].institutions[]``.
    """
    try:
        said = json.loads(payload)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(said, dict):
        return {}
    found: dict[str, dict[str, None]] = {}
    for text, ror_id in (*_of_crossref(said), *_of_openalex(said)):
        if key := fold(text):
            found.setdefault(key, {})[ror_id] = None
    return {key: tuple(ror_ids) for key, ror_ids in found.items()}


def _of_crossref(said: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for author in _dicts(said.get("author")):
        for affiliation in _dicts(author.get("affiliation")):
            text = affiliation.get("name")
            for identifier in _dicts(affiliation.get("id")):
                ror_id = _ror_id(identifier.get("id"))
                if isinstance(text, str) and str(identifier.get("id-type", "")).upper() == "ROR" and ror_id:
                    yield text, ror_id


def _of_openalex(said: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for authorship in _dicts(said.get("authorships")):
        known = {one.get("id"): _ror_id(one.get("ror")) for one in _dicts(authorship.get("institutions"))}
        for affiliation in _dicts(authorship.get("affiliations")):
            text, names = affiliation.get("raw_affiliation_string"), affiliation.get("institution_ids")
            for name in names if isinstance(names, list) else ():
                ror_id = known.get(name) if isinstance(name, str) else None
                if isinstance(text, str) and ror_id:
                    yield text, ror_id


def _ror_id(value: Any) -> str | None:
    return ror.normalise(value) if isinstance(value, str) else None


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
