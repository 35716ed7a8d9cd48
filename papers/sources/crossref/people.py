"""Crossref's contributors as authors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from papers.sources.crossref.wording import plain
from papers.sources.records import AuthorRecord
from wovepaper.lib import names, orcid

LONGEST_SUFFIX = 64
"""Characters; what is longer is part of the name."""

_AND = re.compile(r"^and(?: |$)")
"""Left before the last author where a printed list was taken apart; lower case, for And is a name too."""
_ET_AL = re.compile(r"et\.?\s*al\b\.?|and others|others", re.IGNORECASE)
_COMPANY = re.compile(r",? (?:inc|ltd|llc|corp|gmbh|co)\b\.?|&", re.IGNORECASE)
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3々]+")
"""Han, kana and Hangul: written without space, the family first."""
_LETTER = re.compile(r"[^\W\d_]")


def read_authors(said: Any) -> tuple[AuthorRecord, ...]:
    """The authors in the order of the list; the one that is marked as the first comes first."""
    if not isinstance(said, list):
        return ()
    entries = [entry for entry in said if isinstance(entry, dict)]
    first = [index for index, entry in enumerate(entries) if entry.get("sequence") == "first"]
    if len(first) == 1 and first[0]:
        entries.insert(0, entries.pop(first[0]))
    return tuple(author for entry in entries for author in _authors(entry))


def _authors(entry: dict[str, Any]) -> Iterator[AuthorRecord]:
    """One author; or several, where a publisher put a whole list into one name; or none (``et al.``)."""
    family = plain(entry.get("family"))
    people = family.split(", ") if not entry.get("given") and ", " in family else []
    if len(people) > 1 and all(" " in person for person in people):
        listed = [_author({"family": person}) for person in people]
    else:
        listed = [_author(entry)]
    yield from (author for author in listed if author is not None)


def _author(entry: dict[str, Any]) -> AuthorRecord | None:
    given, family = names.join_initials(plain(entry.get("given"))), plain(entry.get("family"))
    organisation = plain(entry.get("name"))
    if _ET_AL.fullmatch(f"{given} {family}".strip() or organisation):
        return None
    if given:
        given = _AND.sub("", given)
    else:
        family = _AND.sub("", family)
    suffix = plain(entry.get("suffix"))
    printed = f"{given} {family}".strip() or organisation
    if _LETTER.search(printed) is None:
        return None
    affiliations = _affiliations(entry.get("affiliation"))
    # A contributor with nothing but a name is an organisation; some organisations are given as families.
    if not (given or family) or names.is_collaboration(printed):
        return AuthorRecord(printed, affiliations=affiliations, is_collaboration=True)
    if not (given and family) and " " in printed and _COMPANY.search(printed) is None:
        parts = names.split_name(printed)
        given, family, suffix = parts.given, parts.family, suffix or parts.suffix
        printed = f"{given} {family}".strip()
    elif not family:
        given, family = "", given
    elif given and _EAST_ASIAN.fullmatch(given) and _EAST_ASIAN.fullmatch(family):
        printed = f"{family}{given}"
    if suffix and len(suffix) <= LONGEST_SUFFIX:
        printed = f"{printed} {suffix}"
    else:
        suffix = ""
    identifier = entry.get("ORCID")
    return AuthorRecord(
        printed,
        given,
        family,
        suffix,
        orcid=(orcid.normalise(identifier) or "") if isinstance(identifier, str) else "",
        affiliations=affiliations,
    )


def _affiliations(said: Any) -> tuple[str, ...]:
    if not said or not isinstance(said, list):
        return ()
    texts = (plain(entry.get("name")) for entry in said if isinstance(entry, dict))
    return tuple(dict.fromkeys(text for text in texts if text))
