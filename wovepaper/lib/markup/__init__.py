"""Harvested titles and abstracts, made fit for a page: mathematics as MathML, emphasis kept, nothing executable.

The input is the plain Unicode text that the sources hand over: TeX mathematics between ``$…$``, ``$$…$$``,
``\\(…\\)`` or ``\\[…\\]``, the emphasis commands and the five tags named in ``scanning``, and possibly stray TeX or
markup, which is shown as the text it is. Every piece of output is either escaped text or an element from a fixed list;
no attribute and no element of the input ever reaches the page.

The work grows linearly with the length of the text, and mathematics is bounded in length, depth and number: what lies
beyond the bounds is shown as its source.
"""

from __future__ import annotations

import re
from html import escape

from django.utils.safestring import SafeString, mark_safe

from wovepaper.lib.markup.characters import has_right_to_left, make_readable, one_line
from wovepaper.lib.markup.rendering import to_html, to_text
from wovepaper.lib.markup.scanning import MathsBudget, scan

__all__ = ["plain", "render_abstract", "render_title"]

_MAY_BE_MARKUP = re.compile(r"[\\${}<]")
"""Every token that ``scan`` knows has one of these; a text without them is one piece of text."""


def render_title(text: str) -> SafeString:
    """Inline HTML of a title, or of any one-line text. Display mathematics is set inline."""
    folded = one_line(text)
    if _MAY_BE_MARKUP.search(folded):
        html = to_html(scan(folded, MathsBudget()), display_allowed=False)
    else:
        html = escape(folded)
    # What `mark_safe` makes, without its question whether this is lazy: there are two dozen titles on a page.
    return SafeString(_isolated(folded, html))


def render_abstract(text: str) -> SafeString:
    """HTML paragraphs of an abstract. A new paragraph begins after an empty line, or at an indented line (arXiv)."""
    budget = MathsBudget()
    html = []
    for paragraph in _paragraphs(make_readable(text)):
        inner = to_html(scan(paragraph, budget), display_allowed=True)
        html.append(f"<p>{_isolated(paragraph, inner)}</p>")
    return mark_safe("\n".join(html))  # noqa: S308 - to_html escapes every character of its input


def plain(text: str) -> str:
    """One line of Unicode text without markup, for page titles, descriptions and feeds. Not escaped."""
    folded = one_line(text)
    return " ".join(to_text(scan(folded, MathsBudget())).split())


def _isolated(text: str, html: str) -> str:
    """Keep right-to-left text from reordering what stands beside it."""
    return f"<bdi>{html}</bdi>" if has_right_to_left(text) else html


def _paragraphs(text: str) -> list[str]:
    paragraphs: list[list[str]] = [[]]
    for line in text.splitlines():
        words = line.split()
        if (not words or line.startswith("  ")) and paragraphs[-1]:
            paragraphs.append([])
        paragraphs[-1].extend(words)
    return [" ".join(words) for words in paragraphs if words]
