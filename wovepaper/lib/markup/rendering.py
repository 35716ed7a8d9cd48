"""Pieces of text to HTML, and to Unicode text. Everything that is not one of the elements named here is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape

from wovepaper.lib.markup.characters import subscript, superscript
from wovepaper.lib.markup.mathematics import CACHED_CHARACTERS, Node, Unconvertible, convert
from wovepaper.lib.markup.reading import read
from wovepaper.lib.markup.scanning import Formula, Piece, Text


def to_html(pieces: Sequence[Piece], *, display_allowed: bool) -> str:
    """HTML of the pieces: escaped text, emphasis, MathML, and ``span.tex`` around what is shown as its source."""
    html: list[str] = []
    for piece in pieces:
        if isinstance(piece, Text):
            html.append(escape(piece.value))
        elif isinstance(piece, Formula):
            html.append(_formula_to_html(piece, display=piece.display and display_allowed))
        elif piece.element:
            html.append(f"<{piece.element}>" if piece.begins else f"</{piece.element}>")
    return "".join(html)


def _formula_to_html(formula: Formula, *, display: bool) -> str:
    if len(formula.source) > CACHED_CHARACTERS:
        return _make_formula(formula, display)
    return _kept_formula(formula, display)


@lru_cache(maxsize=2048)
def _kept_formula(formula: Formula, display: bool) -> str:
    """Kept, since the same lists are read again and again; only short ones, so that the cache stays small."""
    return _make_formula(formula, display)


def _make_formula(formula: Formula, display: bool) -> str:
    try:
        tree = _tree(formula, display=display)
    except Unconvertible:
        return f'<span class="tex">{escape(formula.opening + formula.source + formula.closing)}</span>'
    kind = "block" if display else "inline"
    return f'<math display="{kind}" alttext="{escape(formula.source.strip())}">{_node_to_html(tree)}</math>'


def _node_to_html(node: Node) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes)
    inner = escape(node.text) + "".join(_node_to_html(child) for child in node.children)
    return f"<{node.element}{attributes}>{inner}</{node.element}>"


def to_text(pieces: Sequence[Piece]) -> str:
    """Unicode text of the pieces: formulas read out, emphasis dropped, sub- and superscripts where they exist."""
    texts: list[list[str]] = [[]]
    for piece in pieces:
        if isinstance(piece, Text):
            texts[-1].append(piece.value)
        elif isinstance(piece, Formula):
            texts[-1].append(_formula_to_text(piece))
        elif piece.element in {"sub", "sup"}:
            if piece.begins:
                texts.append([])
            else:
                inner = "".join(texts.pop())
                moved = superscript(inner) if piece.element == "sup" else subscript(inner)
                texts[-1].append(inner if moved is None else moved)
    return "".join(texts[0])


def _formula_to_text(formula: Formula) -> str:
    try:
        return read(_tree(formula, display=False))
    except Unconvertible:
        return formula.opening + formula.source + formula.closing


def _tree(formula: Formula, *, display: bool) -> Node:
    if not formula.convert:
        raise Unconvertible("there is too much mathematics in this text")
    source = formula.source
    if formula.opening.startswith("\\begin{") and not formula.opening.startswith(
        (r"\begin{equation", r"\begin{displaymath", r"\begin{math")
    ):
        # Starred: the numbers of equations mean nothing outside their paper.
        name = formula.opening.removeprefix("\\begin{").rstrip("*}")
        source = (
            f"\\begin{{{name}*}}{source}\\end{{{name}*}}"
            if name == "align"
            else f"{formula.opening}{source}{formula.closing}"
        )
    return convert(source, display=display)
