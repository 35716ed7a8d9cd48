"""Text for the fields of BibTeX: nothing in it can close its braces, begin an entry, or act as a TeX command."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from pylatexenc.latexencode import UnicodeToLatexEncoder

from wovepaper.lib.markup.characters import one_line
from wovepaper.lib.markup.mathematics import Unconvertible, convert
from wovepaper.lib.markup.scanning import Formula, MathsBudget, Text, scan

Escape = Callable[[str], str]

_encoder = UnicodeToLatexEncoder(
    replacement_latex_protection="braces-all", unknown_char_policy="keep", unknown_char_warning=False
)
# BibTeX counts braces without regard to backslashes, so that ``\{`` would leave a field open.
_SPECIAL = {
    "\\": r"{\textbackslash}",
    "{": r"{\textbraceleft}",
    "}": r"{\textbraceright}",
    "$": r"{\$}",
    "&": r"{\&}",
    "%": r"{\%}",
    "#": r"{\#}",
    "_": r"{\_}",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
}
_SPECIALS = re.compile(r"[\\{}$&%#_~^]")
_NEEDS_ENCODING = re.compile(r"[^ -~]|[\"<>|]")
_PARTS = re.compile(r"([^\w']+)")
_EMPHASIS = {"em": r"\emph", "i": r"\textit", "b": r"\textbf", "sub": r"\textsubscript", "sup": r"\textsuperscript"}


def escape_unicode(text: str) -> str:
    """One line for biblatex, which reads UTF-8: only the characters that TeX would obey are written as commands."""
    return _SPECIALS.sub(lambda found: _SPECIAL[found[0]], _one_line(text))


def escape_ascii(text: str) -> str:
    r"""One line for classic BibTeX: accents and signs as commands as well (``{\"u}``).

    A character that TeX has no command for, such as a Chinese one, is kept.
    """
    text = _one_line(text)
    pieces = []
    position = 0
    for found in _SPECIALS.finditer(text):
        pieces += [_encode(text[position : found.start()]), _SPECIAL[found[0]]]
        position = found.end()
    return "".join([*pieces, _encode(text[position:])])


def _encode(text: str) -> str:
    return str(_encoder.unicode_to_latex(text)) if _NEEDS_ENCODING.search(text) else text


@lru_cache(maxsize=1024)
def _is_safe_mathematics(source: str) -> bool:
    try:
        convert(source, display=False)
    except Unconvertible:
        return False
    depth = 0
    for character in source:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0 and "$" not in source


def title_to_tex(title: str, escape: Escape) -> str:
    """A title: words that a style must not put into lower case in braces, mathematics and emphasis as TeX.

    Mathematics is kept only where it is known to be mathematics; anything else is text, so that no command of a
    harvested title reaches the reader's TeX.
    """
    tex: list[str] = []
    for piece in scan(_one_line(title), MathsBudget()):
        if isinstance(piece, Text):
            tex.append(_protected(piece.value, escape, begins=not tex))
        elif isinstance(piece, Formula):
            source = piece.source.strip().replace(r"\{", r"\lbrace ").replace(r"\}", r"\rbrace ")
            if piece.opening.startswith("\\begin") or not _is_safe_mathematics(source):
                tex.append(escape(piece.opening + piece.source + piece.closing))
            else:
                tex.append(f"{{${source}$}}")
        elif piece.element:
            tex.append(f"{_EMPHASIS[piece.element]}{{" if piece.begins else "}")
    return "".join(tex)


def _protected(text: str, escape: Escape, *, begins: bool) -> str:
    parts: list[str] = []
    for index, part in enumerate(_PARTS.split(text)):
        escaped = escape_edges(part, escape)
        first = begins and not "".join(parts).strip()
        parts.append(f"{{{escaped}}}" if index % 2 == 0 and _has_telling_capital(part, first=first) else escaped)
    return "".join(parts)


def _has_telling_capital(word: str, *, first: bool) -> bool:
    """``DNA``, ``mRNA``, ``McGee``, and ``C`` but not as the first word."""
    return any(letter.isupper() for letter in word[1:]) or (len(word) == 1 and word.isupper() and not first)


def escape_edges(text: str, escape: Escape) -> str:
    """``escape`` for a piece of a line, whose outer spaces matter."""
    inner = escape(text)
    if not inner:
        return " " if text else ""
    return f"{' ' if text[:1].isspace() else ''}{inner}{' ' if text[-1:].isspace() else ''}"


def _one_line(text: str) -> str:
    return unicodedata.normalize("NFC", one_line(text))
