"""RIS, which EndNote, Zotero and Mendeley read: one tag a line, ``TY`` first and ``ER`` last."""

from __future__ import annotations

from collections.abc import Sequence

from papers.citations.data import CitationData
from papers.citations.keys import unique_keys
from wovepaper.lib.markup import plain
from wovepaper.lib.markup.characters import one_line

_TYPES = {
    "preprint": "UNPB",
    "article": "JOUR",
    "proceedings-article": "CPAPER",
    "book": "BOOK",
    "book-chapter": "CHAP",
    "thesis": "THES",
    "report": "RPRT",
    "dataset": "DATA",
}


def to_ris(papers: Sequence[CitationData], keys: Sequence[str] | None = None) -> str:
    """Records with the line ends that the format asks for (CR LF). ``keys`` are those of a larger export."""
    lines: list[str] = []
    for data, key in zip(papers, keys or unique_keys(papers), strict=True):
        lines += [f"{tag}  - {value}" for tag, value in _fields(data, key) if value]
        lines += ["ER  - ", ""]
    return "".join(f"{line}\r\n" for line in lines)


def _fields(data: CitationData, key: str) -> list[tuple[str, str]]:
    first, last = data.page_range
    return [
        ("TY", _TYPES.get(data.kind, "GEN")),
        ("ID", key),
        *(("AU", one_line(name.inverted)) for name in data.authors),
        ("TI", plain(data.title)),
        ("PY", data.year),
        ("DA", _date(data)),
        *_container(data),
        ("VL", one_line(data.volume)),
        ("IS", one_line(data.issue)),
        ("SP", one_line(first)),
        ("EP", one_line(last)),
        ("PB", one_line(data.publisher)),
        ("DO", one_line(data.doi)),
        ("AN", f"arXiv:{one_line(data.arxiv_id)}" if data.arxiv_id else ""),
        ("M1", one_line(data.report_number)),
        ("UR", one_line(data.url)),
        *(("KW", one_line(category)) for category in data.categories),
        ("AB", plain(data.abstract)),
        ("N1", data.state_note),
    ]


def _container(data: CitationData) -> list[tuple[str, str]]:
    """Where it appeared; of a conference paper what the conference was called, with the proceedings beside it."""
    if data.event is None or data.kind != "proceedings-article":
        return [("T2", one_line(data.venue))]
    return [
        ("T2", one_line(data.event.name)),
        ("C3", one_line(data.venue)),
        ("CY", one_line(data.event.place)),
    ]


def _date(data: CitationData) -> str:
    """``YYYY/MM/DD/``, with nothing between the slashes for what is not known."""
    if data.date is None:
        return ""
    month = f"{data.date.month:02d}" if data.date.month else ""
    day = f"{data.date.day:02d}" if data.date.day else ""
    return f"{data.year}/{month}/{day}"
