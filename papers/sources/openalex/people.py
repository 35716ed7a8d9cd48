"""OpenAlex's authorships as authors: the name that was printed, and whom OpenAlex takes for its bearer."""

from __future__ import annotations

import re
from typing import Any

from papers.sources.crossref.wording import plain
from papers.sources.openalex.entities import NOBODY, normalise
from papers.sources.records import AuthorRecord
from wovepaper.lib import names, orcid, text

_LONGEST_SUFFIX = 64
_LETTER = re.compile(r"[^\W\d_]")


def read_authors(said: Any) -> tuple[AuthorRecord, ...]:
    """The authors in the order of the list."""
    entries = [entry for entry in said if isinstance(entry, dict)] if isinstance(said, list) else []
    return tuple(author for entry in entries if (author := _author(entry)) is not None)


def _author(entry: dict[str, Any]) -> AuthorRecord | None:
    """One author; none where neither the work nor OpenAlex has a name."""
    given = entry.get("author")
    profile = given if isinstance(given, dict) else {}
    author_id = normalise(profile.get("id"), "A")
    raw = plain(entry.get("raw_author_name"))
    profiled = "" if author_id in NOBODY else plain(profile.get("display_name"))
    if author_id in NOBODY:
        author_id = ""
    printed = raw if _LETTER.search(raw) else profiled
    if _LETTER.search(printed) is None:
        return None
    affiliations = _affiliations(entry)
    if names.is_collaboration(printed):
        return AuthorRecord(printed, affiliations=affiliations, is_collaboration=True)
    parts = names.split_name(printed)
    suffix = parts.suffix if len(parts.suffix) <= _LONGEST_SUFFIX else ""
    shown = " ".join(part for part in (parts.given, parts.family, suffix) if part) if "," in printed else printed
    return AuthorRecord(
        shown,
        parts.given,
        parts.family,
        suffix,
        orcid=_orcid(entry, profile, printed, profiled),
        source_author_id=author_id,
        affiliations=affiliations,
        corresponding=entry.get("is_corresponding") is True,
    )


def _orcid(entry: dict[str, Any], profile: dict[str, Any], printed: str, profiled: str) -> str:
    """What the work printed, where OpenAlex tells; else that of the profile, if the profile goes by the printed name.

    Profiles hold works of several people at times, and an ORCID decides who somebody is.
    """
    if isinstance(entry.get("raw_orcid"), str):
        return orcid.normalise(entry["raw_orcid"]) or ""
    known = profile.get("orcid")
    if not isinstance(known, str) or not _is_same_name(printed, profiled):
        return ""
    return orcid.normalise(known) or ""


def _is_same_name(one: str, other: str) -> bool:
    """Whether two names have a family name and the first letter of the given name in common."""
    first, second = names.split_name(one), names.split_name(other)
    return _folded(first.family) == _folded(second.family) and _folded(first.given)[:1] == _folded(second.given)[:1]


def _folded(name: str) -> str:
    return "".join(sign for sign in text.strip_accents(name).casefold() if sign.isalnum())


def _affiliations(entry: dict[str, Any]) -> tuple[str, ...]:
    """As printed. Which institutions OpenAlex takes them for stays in the record, for the stage that matches them."""
    raw = entry.get("raw_affiliation_strings")
    said = list(raw) if isinstance(raw, list) else []
    if not said:
        listed = entry.get("affiliations")
        said = [one.get("raw_affiliation_string") for one in listed or () if isinstance(one, dict)]
    if not said:
        said = [entry.get("raw_affiliation_string")]
    return tuple(dict.fromkeys(words for one in said if (words := plain(one))))
