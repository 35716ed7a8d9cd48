"""RIS, which EndNote, Zotero and Mendeley read: one tag a line, ``TY`` first and ``ER`` last."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papers.citations.data import CitationData
from papers.citations.keys import unique_keys
from wovepaper.lib.markup import plain
from wovepaper.lib.markup.characters import make_readable

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
_PAGES = re.compile(r"\s*([^\s–—-]+)\s*[-–—]+\s*([^\s–—-]+)\s*")


def to_ris(papers: Sequence[CitationData]) -> str:
    """Records with the line ends that the format asks for (CR LF)."""
    lines: list[str] = []
    for data, key in zip(papers, unique_keys(papers), strict=True):
        lines += [f"{tag}  - {value}" for tag, value in _fields(data, key) if value]
        lines += ["ER  - ", ""]
    return "".join(f"{line}\r\n" for line in lines)


def _fields(data: CitationData, key: str) -> list[tuple[str, str]]:
    pages = _PAGES.fullmatch(data.pages)
    first, last = pages.groups() if pages else (data.pages, "")
    return [
        ("TY", _TYPES.get(data.kind, "GEN")),
        ("ID", key),
        *(("AU", _line(name.inverted)) for name in data.authors),
        ("TI", plain(data.title)),
        ("PY", data.year),
        ("DA", _date(data)),
        ("T2", _line(data.venue)),
        ("VL", _line(data.volume)),
        ("IS", _line(data.issue)),
        ("SP", _line(first)),
        ("EP", _line(last)),
        ("PB", _line(data.publisher)),
        ("DO", _line(data.doi)),
        ("AN", f"arXiv:{_line(data.arxiv_id)}" if data.arxiv_id else ""),
        ("M1", _line(data.report_number)),
        ("UR", _line(data.url)),
        *(("KW", _line(category)) for category in data.categories),
        ("AB", plain(data.abstract)),
        ("N1", data.state_note),
    ]


def _date(data: CitationData) -> str:
    """``YYYY/MM/DD/``, with nothing between the slashes for what is not known."""
    if data.date is None:
        return ""
    month = f"{data.date.month:02d}" if data.date.month else ""
    day = f"{data.date.day:02d}" if data.date.day else ""
    return f"{data.year}/{month}/{day}"


def _line(text: str) -> str:
    """A value is one line: whatever any reader takes for a line end is a space."""
    return " ".join(make_readable(text).split())
