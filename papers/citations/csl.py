"""CSL-JSON: the data that citation processors take (schema csl-data, version 1.0)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from papers.citations.data import CitationData, CitedName
from papers.citations.keys import unique_keys
from papers.sources.records import PartialDate
from wovepaper.lib.markup import plain
from wovepaper.lib.markup.characters import one_line

_TYPES = {
    "preprint": "article",
    "article": "article-journal",
    "proceedings-article": "paper-conference",
    "book": "book",
    "book-chapter": "chapter",
    "thesis": "thesis",
    "report": "report",
    "dataset": "dataset",
}


def to_csl_json(papers: Sequence[CitationData]) -> str:
    """A JSON list of items."""
    return json.dumps(csl_items(papers), ensure_ascii=False, indent=2) + "\n"


def csl_items(papers: Sequence[CitationData], keys: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """The items as dictionaries, with keys unique among them as ids; ``keys`` are those of a larger export."""
    return [_item(data, key) for data, key in zip(papers, keys or unique_keys(papers), strict=True)]


def _item(data: CitationData, key: str) -> dict[str, Any]:
    is_preprint = data.kind == "preprint"
    item: dict[str, Any] = {
        "id": key,
        "type": _TYPES.get(data.kind, "document"),
        "title": plain(data.title),
        "author": [csl_name(name) for name in data.authors],
        "issued": _date(data.date),
        "available-date": _date(data.online) if data.online != data.date else None,
        "event-title": one_line(data.event.name) if data.event else "",
        "event-place": one_line(data.event.place) if data.event else "",
        "event-date": _date(data.event.start, data.event.end) if data.event else None,
        "container-title": "" if is_preprint else one_line(data.venue),
        "volume": one_line(data.volume),
        "issue": one_line(data.issue),
        "page": one_line(data.pages),
        "publisher": "arXiv" if is_preprint and data.arxiv_id else one_line(data.publisher),
        "number": f"arXiv:{data.arxiv_id}" if is_preprint and data.arxiv_id else one_line(data.report_number),
        "DOI": "" if data.is_invented else one_line(data.doi),
        "URL": one_line(data.url),
        "abstract": plain(data.abstract),
        "keyword": ", ".join(data.categories),
        "note": data.state_note,
    }
    return {name: value for name, value in item.items() if value or name == "title"}


def csl_name(name: CitedName) -> dict[str, str]:
    """A name variable; particles stay in the family name, as the schema allows."""
    if name.literal:
        return {"literal": one_line(name.literal)}
    parts = {"family": one_line(name.family), "given": one_line(name.given), "suffix": one_line(name.suffix)}
    return {part: value for part, value in parts.items() if value}


def _date(first: PartialDate | None, last: PartialDate | None = None) -> dict[str, list[list[int]]] | None:
    """A date variable; of two dates a range."""
    dates = dict.fromkeys(date for date in (first, last) if date is not None)
    parts = [[part for part in (date.year, date.month, date.day) if part is not None] for date in dates]
    return {"date-parts": parts} if parts else None
