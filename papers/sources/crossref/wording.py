"""Titles, abstracts and names of Crossref as plain text: entities (double ones too), HTML, JATS and MathML resolved.

JATS: https://jats.nlm.nih.gov/publishing/tag-library/. What is set high or low, and all mathematics, becomes TeX
between dollar signs, as arXiv writes it.
"""

from __future__ import annotations

import html
import re
from typing import Any

from papers.sources.crossref import mathematics
from papers.sources.crossref.spans import Span
from wovepaper.lib import tex, text

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_MOST_ESCAPES = 3
"""How often a text may have been escaped."""

_BLOCKS = (
    "p|sec|title|subtitle|list|list-item|def-list|def-item|def|term|label|br|break|div|section|ul|ol|li|h[1-6]|"
    "disp-formula|disp-quote|table|tr|td|th|thead|tbody|fig|caption|abstract|trans-abstract"
)
_INLINE = (
    "i|b|em|strong|sub|sup|sc|scp|tt|u|s|span|small|big|a|font|cite|q|abbr|code|emph|italic|bold|monospace|roman|"
    "sans-serif|underline|overline|strike|fixed-case|named-content|styled-content|ext-link|xref|uri|email|"
    "inline-formula|alternatives|inline-graphic|graphic|inline-supplementary-material|tex-math|fn|chem-struct|subitem"
)
_SPACE_BEFORE_POINT = re.compile(r"(</[\w:-]+\s*>)\s+(?=[.,;:)\]])")
_BLOCK = re.compile(rf"</?(?:[\w-]+:)?(?:{_BLOCKS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_TAG = re.compile(
    rf"</?(?:[\w-]+:)?(?:{_INLINE})(?:\s[^<>]*)?/?>|</?(?:mml|jats):[\w-]+(?:\s[^<>]*)?/?>", re.IGNORECASE
)
_COMMENT = re.compile(r"<!--.*?-->|<\?[^<>]*\?>", re.DOTALL)
_HEADING = Span("title")
_NO_HEADING = re.compile(
    r"\W*(?:(?:graphical |author |structured )?abstract|summary|résumé|resumen|resumo|zusammenfassung|riassunto|"
    r"аннотация|要旨|抄録|摘要|초록)\W*",
    re.IGNORECASE,
)
_SCRIPT = Span("sub|sup|inf")
_WORD = re.compile(r"[^\W\d_]{2,}")
_TEX_SIGN = re.compile(r"[\\{}$%#^~]")


def plain(said: Any) -> str:
    """A text on one line; empty where there is none."""
    if not isinstance(said, str) or not said:
        return ""
    for _ in range(_MOST_ESCAPES):
        if "<" in said:
            said = _without_markup(said)
        decoded = _ENTITY.sub(_decoded, said) if "&" in said else said
        if decoded == said:
            break
        said = decoded
    said = text.clean(said)
    return text.fold_space(tex.to_unicode(said)) if "\\" in said else said


def abstract(said: Any) -> str:
    """An abstract on one line: its own heading dropped, those of its sections before a colon."""
    if isinstance(said, str) and "title" in said:
        said = _HEADING.sub(_heading, said)
    words = plain(said)
    for heading in ("Abstract. ", "Abstract: ", "ABSTRACT. ", "ABSTRACT: "):
        words = words.removeprefix(heading)
    return words


def _decoded(match: re.Match[str]) -> str:
    return html.unescape(match.group())


def _without_markup(said: str) -> str:
    said = mathematics.to_tex(said)
    said = _COMMENT.sub("", said)
    said = _SPACE_BEFORE_POINT.sub(r"\1", said)
    said = _SCRIPT.sub(_script, said)
    return _TAG.sub("", _BLOCK.sub(" ", said))


def _script(match: re.Match[str]) -> str:
    """What stands low or high, as TeX."""
    inside = text.fold_space(_TAG.sub("", match["inside"]))
    sign = "^" if match["name"].lower() == "sup" else "_"
    if not inside or _TEX_SIGN.search(inside) or "&" in inside or "<" in inside or len(inside) > 40:
        return inside
    return f"${sign}{{\\mathrm{{{inside}}}}}$" if _WORD.search(inside) else f"${sign}{{{inside}}}$"


def _heading(match: re.Match[str]) -> str:
    inside = text.fold_space(_TAG.sub("", match["inside"]))
    if not inside or _NO_HEADING.fullmatch(inside):
        return " "
    return f" {inside} " if inside[-1] in ".:?!" else f" {inside}: "
