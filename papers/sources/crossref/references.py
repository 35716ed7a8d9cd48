"""Crossref's lists of references: DOIs where somebody matched them, printed lines, or what they were taken apart into.

https://www.crossref.org/documentation/schema-library/markup-guide-metadata-segments/references/
"""

from __future__ import annotations

import re
from typing import Any

from papers.sources.crossref.wording import plain
from papers.sources.records import ReferenceRecord
from wovepaper.lib import arxiv_id, doi, text

MOST_REFERENCES = 20_000
"""A longer list is damage, and is cut: the longest that Crossref holds have about ten thousand entries."""
LONGEST_TEXT = 4_000
"""Characters of an entry; what is longer is cut. Whole footnotes are printed as references at times."""

_MENTIONED = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|[\s:.,e-]{1,20})((?:[a-z-]{2,8}(?:\.[a-z]{2})?/)?[0-9]{4}\.?[0-9]{3,5})(?:v[0-9]{1,3})?"
    r"(?![0-9])",
    re.IGNORECASE,
)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")
_YEAR = re.compile(r"\D{0,3}(1[4-9][0-9]{2}|20[0-9]{2})(?![0-9])")
_ARXIV_YEAR = re.compile(r"(0[7-9]|[1-9][0-9])(0[1-9]|1[0-2])")
"""The first four digits of an arXiv id: year and month."""
_FIRST_ARXIV_YEAR = 1991
_NUMBER = re.compile(r"(?:arxiv:)?([0-9]{4,5})(?:v[0-9]{1,3})?", re.IGNORECASE)


def read_references(said: Any) -> tuple[ReferenceRecord, ...]:
    """The references in the order of the list; an entry that says nothing keeps its place and is empty."""
    if not isinstance(said, list):
        return ()
    return tuple(_reference(entry) for entry in said[:MOST_REFERENCES] if isinstance(entry, dict))


def read_count(said: dict[str, Any]) -> int | None:
    """How many references the work has by Crossref's own count, whether it shows them or not."""
    for key in ("reference-count", "references-count"):
        count = said.get(key)
        if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= 1_000_000:
            return count
    return None


def _reference(entry: dict[str, Any]) -> ReferenceRecord:
    printed = _text(entry, "unstructured")
    container = _text(entry, "journal-title") or _text(entry, "volume-title") or _text(entry, "series-title")
    title = _text(entry, "article-title")
    if not title and container and (_text(entry, "journal-title") or container != _text(entry, "volume-title")):
        title = _text(entry, "volume-title")
    volume, first_page = _text(entry, "volume"), _text(entry, "first-page")
    named = _arxiv_id(entry, volume, first_page)
    return ReferenceRecord(
        identifiers=_identifiers(entry.get("DOI"), named),
        title="" if title == container else title,
        authors=_text(entry, "author"),
        year=_year(entry.get("year"), named, is_arxiv="arxiv" in container.casefold()),
        container=container,
        volume=volume,
        first_page=first_page,
        text=printed,
    )


def _text(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key)
    if not value:
        return ""
    words = plain(value)
    return words if len(words) <= LONGEST_TEXT else f"{words[: LONGEST_TEXT - 1]}…"


def _identifiers(said: Any, named: str) -> tuple[tuple[str, str], ...]:
    """The DOI even where it is that of an arXiv id: whoever counts entries with DOIs counts those too."""
    name = doi.normalise(text.clean(said)) if isinstance(said, str) else None
    if name is None:
        return (("arxiv", named),) if named else ()
    match = _ARXIV_DOI.fullmatch(name)
    found = arxiv_id.normalise(match[1]) if match else None
    arxiv = found.value if found else named
    return (("doi", name), ("arxiv", arxiv)) if arxiv else (("doi", name),)


def _arxiv_id(entry: dict[str, Any], volume: str, first_page: str) -> str:
    """The one arXiv id that the entry mentions; empty where there is none, or where there are several."""
    found: set[str] = set()
    for key in ("unstructured", "article-title", "journal-title", "volume-title", "series-title"):
        value = entry.get(key)
        if not isinstance(value, str) or "arxiv" not in value.casefold():
            continue
        mentioned = {known.value for match in _MENTIONED.finditer(value) if (known := arxiv_id.normalise(match[1]))}
        found |= mentioned
        # The parts of an id taken for those of a journal: volume 1908, page 07125.
        number = _NUMBER.fullmatch(first_page)
        if not mentioned and number and (known := arxiv_id.normalise(f"{volume}.{number[1]}")):
            found.add(known.value)
    return found.pop() if len(found) == 1 else ""


def _year(said: Any, named: str, *, is_arxiv: bool) -> int | None:
    """The year of publication. Where an arXiv id was taken for one (1908 of ``1908.07125``), that of the id."""
    given = str(said) if isinstance(said, int) and not isinstance(said, bool) else said
    if not isinstance(given, str):
        return None
    given = given.strip()
    match = _ARXIV_YEAR.fullmatch(given)
    if match and (named.startswith(f"{given}.") or (is_arxiv and int(given) < _FIRST_ARXIV_YEAR)):
        return 2000 + int(match[1])
    year = _YEAR.match(given)
    return int(year[1]) if year else None
