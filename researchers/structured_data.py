"""What machines read of a researcher's page: a person by the vocabulary of schema.org."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from researchers.services.profile import Facts, ShownAffiliations

MOST_NAMES = 20


def person(*, name: str, url: str, facts: Facts, affiliations: ShownAffiliations) -> dict[str, Any]:
    """JSON-LD of a person. ``url`` is absolute. Only trusted identifiers are said to be theirs."""
    trusted = [one.url for one in facts.identifiers if one.trusted and one.url]
    described: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Person",
        "@id": url,
        "url": url,
        "mainEntityOfPage": url,
        "name": name,
        "alternateName": list(facts.public_names[:MOST_NAMES]),
        "sameAs": trusted,
        "affiliation": _organisations(one.text for one in affiliations.newest),
    }
    return {key: value for key, value in described.items() if value}


def _organisations(names: Iterable[str]) -> list[dict[str, str]]:
    return [{"@type": "Organization", "name": name} for name in names]
