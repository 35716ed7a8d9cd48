"""BibTeX, for the classic styles and for biblatex.

Field names follow the documentation of the standard BibTeX styles (btxdoc), arXiv's advice for ``eprint``, and the
manual of biblatex (section 2.2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import quote

from papers.citations.data import CitationData, CitedName
from papers.citations.keys import unique_keys
from papers.citations.tex import Escape, escape_ascii, escape_unicode, title_to_tex

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLASSIC_TYPES = {
    "article": "article",
    "proceedings-article": "inproceedings",
    "book": "book",
    "book-chapter": "incollection",
    "thesis": "phdthesis",
    "report": "techreport",
}
_BIBLATEX_TYPES = {
    "preprint": "online",
    "article": "article",
    "proceedings-article": "inproceedings",
    "book": "book",
    "book-chapter": "incollection",
    "thesis": "thesis",
    "report": "report",
    "dataset": "dataset",
}
_AND = re.compile(r"\band\b|\bothers\b", re.IGNORECASE)
_PAGES = re.compile(r"(\w+)\s*[-–—]+\s*(\w+)")
_Fields = list[tuple[str, str]]


def to_bibtex(papers: Sequence[CitationData], keys: Sequence[str] | None = None) -> str:
    """Entries for classic BibTeX, in ASCII as far as TeX has commands. ``keys`` are those of a larger export."""
    return _entries(papers, _classic_entry, keys)


def to_biblatex(papers: Sequence[CitationData]) -> str:
    """Entries for biblatex, in UTF-8."""
    return _entries(papers, _biblatex_entry)


def _entries(
    papers: Sequence[CitationData],
    entry: Callable[[CitationData], tuple[str, _Fields]],
    keys: Sequence[str] | None = None,
) -> str:
    texts = []
    for data, key in zip(papers, keys or unique_keys(papers), strict=True):
        kind, fields = entry(data)
        lines = [f"@{kind}{{{key},"]
        lines += [f"  {name} = {value}," for name, value in fields if value not in {"", "{}"}]
        texts.append("\n".join([*lines, "}"]) + "\n")
    return "\n".join(texts)


def _classic_entry(data: CitationData) -> tuple[str, _Fields]:
    kind = _CLASSIC_TYPES.get(data.kind, "misc")
    if kind == "article" and not data.venue:
        kind = "misc"  # the standard styles demand a journal
    text = escape_ascii
    fields: _Fields = [*_shared_head(data, text)]
    if data.date:
        fields.append(("year", f"{{{data.year}}}"))
        if data.date.month:
            fields.append(("month", _MONTHS[data.date.month - 1]))
    fields += _venue(data, kind, text, journal="journal")
    notes = [data.state_note, data.journal_reference if kind == "misc" else ""]
    fields += [
        ("doi", _verbatim(data.doi)),
        *_eprint(data, ("archivePrefix", "{arXiv}"), "primaryClass"),
        ("url", _verbatim(data.url)),
        ("note", _braced(". ".join(note for note in notes if note), text)),
    ]
    return kind, fields


def _biblatex_entry(data: CitationData) -> tuple[str, _Fields]:
    kind = _BIBLATEX_TYPES.get(data.kind, "misc")
    if kind == "article" and not data.venue:
        kind = "online" if data.url else "misc"
    text = escape_unicode
    fields: _Fields = [*_shared_head(data, text)]
    if data.date:
        fields.append(("date", f"{{{data.date}}}"))
    fields += _venue(data, kind, text, journal="journaltitle")
    if data.event:
        fields += [
            ("eventtitle", _braced(data.event.name, text)),
            ("eventdate", f"{{{data.event.interval}}}"),
            ("venue", _braced(data.event.place, text)),
        ]
    if kind == "thesis":
        fields.append(("type", "{phdthesis}"))
    if kind == "report":
        fields.append(("type", "{techreport}"))
    fields += [
        ("doi", _verbatim(data.doi)),
        *_eprint(data, ("eprinttype", "{arxiv}"), "eprintclass"),
        ("url", _verbatim(data.url)),
        ("note", _braced(data.state_note, text)),
        ("addendum", _braced(data.journal_reference if kind in {"online", "misc"} else "", text)),
    ]
    return kind, fields


def _shared_head(data: CitationData, text: Escape) -> _Fields:
    return [
        ("author", f"{{{' and '.join(_name(name, text) for name in data.authors)}}}"),
        ("title", f"{{{title_to_tex(data.title, text)}}}"),
    ]


def _venue(data: CitationData, kind: str, text: Escape, *, journal: str) -> _Fields:
    container = {"article": journal, "inproceedings": "booktitle", "incollection": "booktitle"}.get(kind, "")
    publisher = {"phdthesis": "school", "techreport": "institution", "thesis": "institution", "report": "institution"}
    fields: _Fields = []
    if container:
        # A conference without proceedings of its own is named in their place.
        name = data.venue or (data.event.name if data.event and kind == "inproceedings" else "")
        fields.append((container, _braced(name, text)))
    elif data.venue and data.kind != "preprint":
        fields.append(("howpublished", _braced(data.venue, text)))
    fields.append(("volume", _braced(data.volume, text)))
    if kind in {"techreport", "report"}:
        fields.append(("number", _braced(data.report_number, text)))
    else:
        fields.append(("number", _braced(data.issue, text)))
    fields.append(("pages", _braced(_PAGES.sub(r"\1--\2", data.pages), text)))
    fields.append((publisher.get(kind, "publisher"), _braced(data.publisher, text)))
    return fields


def _eprint(data: CitationData, prefix: tuple[str, str], category: str) -> _Fields:
    if not data.arxiv_id:
        return []
    return [("eprint", _verbatim(data.arxiv_id)), prefix, (category, _verbatim(data.primary_category))]


def _name(name: CitedName, text: Escape) -> str:
    """``von Last, Jr, First``. What BibTeX would take apart wrongly stands in braces."""
    if name.literal or not name.family:
        return f"{{{text(name.literal or name.given)}}}"
    family = _part(name.family, text)
    if not name.given:
        # Without a comma BibTeX would take the first words for given names.
        return family if " " not in name.family or family.startswith("{") else f"{{{text(name.family)}}}"
    if name.suffix:
        return f"{family}, {_part(name.suffix, text)}, {_part(name.given, text)}"
    return f"{family}, {_part(name.given, text)}"


def _part(part: str, text: Escape) -> str:
    escaped = text(part)
    return f"{{{escaped}}}" if "," in part or _AND.search(part) else escaped


def _braced(value: str, text: Escape) -> str:
    return f"{{{text(value)}}}"


def _verbatim(value: str) -> str:
    """A field that TeX takes letter by letter: what could end it is written as in an address."""
    return f"{{{quote(value, safe='!#$&*+,/:;=?@()_.~-<>[]%')}}}" if value else ""
