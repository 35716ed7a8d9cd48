"""From a work as Crossref sent it to what it says (https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md)."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from papers.sources.crossref import dates, notices, people, references, wording
from papers.sources.crossref.wording import plain
from papers.sources.records import CitationCount, EventRecord, PaperRecord
from papers.sources.standing import read_mark
from wovepaper.harvest.contracts import RawRecord, RecordRefused
from wovepaper.lib import arxiv_id, doi, text

NAME = "crossref"
"""The name of the source."""

RANK = 20
"""Precedence of an article: behind arXiv's formats, which know the title, the abstract and the versions best."""
PREPRINT_RANK = 22
"""Precedence of posted content: behind the article that it became."""

LONGEST_COLUMN = 64
"""Characters of a volume, an issue or pages; what is longer is cut."""

LONGEST_NAME = 1_000
"""Characters of what an event is called, and of where it was; what is longer is cut."""

MOST_CITATIONS = 10_000_000
"""A larger count is damage: the most cited work there is has less than a million."""

_KINDS = {
    "journal-article": "article",
    "proceedings-article": "proceedings-article",
    "posted-content": "preprint",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "book-chapter": "book-chapter",
    "book-section": "book-chapter",
    "book-part": "book-chapter",
    "book-track": "book-chapter",
    "reference-entry": "book-chapter",
    "dissertation": "thesis",
    "report": "report",
    "report-component": "report",
    "dataset": "dataset",
}
_NO_PAPERS = frozenset(
    "journal journal-volume journal-issue proceedings proceedings-series book-series book-set report-series "
    "standard-series component grant database".split()
)
"""Types of what papers appear in or consist of."""

_NO_LONGER_STANDS = frozenset(("retraction", "withdrawal", "removal"))

_ENVELOPE = ("indexed", "score", "is-referenced-by-count")
"""What changes without the work saying anything else."""
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")


def parse(record: RawRecord) -> PaperRecord:
    """What the record says. Raises ``RecordRefused``."""
    try:
        said = json.loads(record.payload)
    except (ValueError, RecursionError) as error:
        raise RecordRefused(f"The record is not JSON: {error}.") from error
    if not isinstance(said, dict):
        raise RecordRefused("The record is not a JSON object.")
    name = _doi(said)
    kind = _kind(said)
    told = notices.read_notices(said, name)
    standing = read_mark(
        _title(said),
        is_notice=any(notice.work != name for notice in told),
        is_known=any(notice.work == name and notice.kind in _NO_LONGER_STANDS for notice in told),
    )
    return PaperRecord(
        source=NAME,
        format="work",
        external_id=name,
        stamp=dates.stamp(said),
        payload=record.payload,
        content_hash=_digest(said),
        identifiers=_identifiers(name, said.get("relation")),
        title=standing.title,
        rank=PREPRINT_RANK if kind == "preprint" else RANK,
        abstract=wording.abstract(said.get("abstract")),
        kind=kind,
        published=dates.published(said),
        authors=people.read_authors(said.get("author")),
        venue=_first(said.get("container-title")),
        volume=_short(said.get("volume")),
        issue=_short(said.get("issue")),
        pages=_short(said.get("page")) or _short(said.get("article-number")),
        publisher=plain(said.get("publisher")),
        licence=_licence(said.get("license")),
        withdrawn=True if standing.withdrawn else None,
        retracted=standing.retracted,
        references=references.read_references(said.get("reference")),
        reference_count=references.read_count(said),
        dates=dates.by_kind(said),
        event=_event(said.get("event")),
        notices=told,
        citations=_citations(said),
    )


def _doi(said: dict[str, Any]) -> str:
    given = said.get("DOI")
    if not isinstance(given, str) or not given.strip():
        raise RecordRefused('The record has no "DOI", so it is no work of Crossref.')
    name = doi.normalise(text.clean(given).replace("\\/", "/"))
    if name is None:
        raise RecordRefused(f"{text.clean(given)[:80]!r} is not a DOI.")
    return name


def _kind(said: dict[str, Any]) -> str:
    type_ = said.get("type")
    if not isinstance(type_, str):
        return "other"
    if type_ in _NO_PAPERS:
        raise RecordRefused(f"The record describes a {type_.replace('-', ' ')}, which is not a paper.")
    return _KINDS.get(type_, "other")


def _first(said: Any) -> str:
    """The first text of a list that says something; a single text counts as such a list."""
    for value in said if isinstance(said, list) else [said]:
        words = plain(value)
        if words:
            return words
    return ""


def _title(said: dict[str, Any]) -> str:
    title = _first(said.get("title")) or _first(said.get("original-title"))
    if not title:
        raise RecordRefused("The work has no title.")
    subtitle = _first(said.get("subtitle"))
    if subtitle and subtitle.casefold() not in title.casefold():
        title = f"{title}{' ' if title[-1] in ':?!.–—-' else ': '}{subtitle}"
    return title


def _event(said: Any) -> EventRecord | None:
    """The conference; ``None`` where it has no name."""
    name = plain(said.get("name")) if isinstance(said, dict) else ""
    if not name:
        return None
    start, end = dates.read(said.get("start")), dates.read(said.get("end"))
    return EventRecord(
        name=_cut(name),
        acronym=_cut(plain(said.get("acronym"))),
        place=_cut(plain(said.get("location"))),
        start=start,
        # A conference that ends before it begins has one of the two mistyped.
        end=end if end is None or start is None or start.first_day <= end.first_day else None,
    )


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST_NAME else f"{words[: LONGEST_NAME - 1]}…"


def _short(said: Any) -> str:
    if isinstance(said, int) and not isinstance(said, bool):
        said = str(said)
    words = plain(said)
    return words if len(words) <= LONGEST_COLUMN else f"{words[: LONGEST_COLUMN - 1]}…"


_LICENCES = {"vor": 1, "unspecified": 2, "am": 3}


def _licence(said: Any) -> str:
    """The address of the licence: an open one, else that of the version of record, else the next best."""
    found = []
    for index, entry in enumerate(said if isinstance(said, list) else ()):
        address = entry.get("URL") if isinstance(entry, dict) else None
        if isinstance(address, str) and address.strip():
            address = text.clean(address)
            rank = 0 if "creativecommons.org/" in address else _LICENCES.get(str(entry.get("content-version")), 4)
            found.append((rank, index, address))
    return min(found, default=(0, 0, ""))[2]


def _citations(said: dict[str, Any]) -> CitationCount | None:
    """How many works of Crossref refer to it, as of the day on which Crossref last indexed it."""
    count = said.get("is-referenced-by-count")
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MOST_CITATIONS:
        return None
    return CitationCount(count, dates.indexed_on(said))


def _identifiers(name: str, relation: Any) -> tuple[tuple[str, str], ...]:
    own = _as_identifier(name)
    found = {own: None} if own else {}
    if isinstance(relation, dict):
        for kind in ("is-preprint-of", "has-preprint"):
            related = relation.get(kind)
            others = (
                {identifier for entry in related if (identifier := _related(entry))}
                if isinstance(related, list)
                else set()
            )
            if len(others) == 1:  # several: it does not say which
                found.update(dict.fromkeys(others))
    return tuple(found)


def _related(entry: Any) -> tuple[str, str] | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        return None
    match entry.get("id-type"):
        case "doi":
            name = doi.normalise(text.clean(entry["id"]))
            return _as_identifier(name) if name else None
        case "arxiv":
            found = arxiv_id.normalise(text.clean(entry["id"]))
            return ("arxiv", found.value) if found else None
    return None


def _as_identifier(name: str) -> tuple[str, str]:
    match = _ARXIV_DOI.fullmatch(name)
    found = arxiv_id.normalise(match[1]) if match else None
    return ("arxiv", found.value) if found else ("doi", name)


def _digest(said: dict[str, Any]) -> str:
    content = {key: value for key, value in said.items() if key not in _ENVELOPE}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode("utf-8", "replace")).hexdigest()
