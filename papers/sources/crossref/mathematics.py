"""MathML and embedded TeX in titles and abstracts, as TeX between dollar signs.

Presentation MathML Core: https://www.w3.org/TR/mathml-core/. Of a formula in several forms its TeX is taken. What is
not understood keeps its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lxml import etree

from papers.sources.crossref.spans import Span
from wovepaper.lib import text

Element = Any

_ALTERNATIVES = Span("alternatives")
_TEX = Span("tex-math")
_MATHML = Span("math")
_DOCUMENT = re.compile(r"\\begin\s*\{document\}(.*?)\\end\s*\{document\}", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_DOLLARS = re.compile(r"^\s*(?:\$\$?|\\[(\[])(.*?)(?:\$\$?|\\[)\]])\s*$", re.DOTALL)
_PREFIX = re.compile(r"<([\w-]+):math\b")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);)")
_PARSER_OPTIONS: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "huge_tree": False,
    "recover": True,
    "remove_comments": True,
    "remove_pis": True,
}
_DEEPEST = 60
_SPECIAL = re.compile(r"([#$%&_{}])")
_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp lim max min sup inf det dim ker gcd "
    "deg arg Pr mod".split()
)
_FOUNTS = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak", "sans-serif": "mathsf",
    "monospace": "mathtt", "normal": "mathrm", "bold-italic": "boldsymbol",
}  # fmt: skip
_ACCENTS = {
    "¯": "bar", "‾": "overline", "̄": "bar", "^": "hat", "ˆ": "hat", "̂": "hat", "~": "tilde", "˜": "tilde",
    "̃": "tilde", "˙": "dot", "̇": "dot", "¨": "ddot", "→": "vec", "⃗": "vec", "⇀": "vec",
}  # fmt: skip
_SPACES = "\u2061\u2062\u2063\u2064\u200b\u00a0\u2009\u200a\u2002\u2003"
_NO_SPACES = str.maketrans("", "", _SPACES)


def to_tex(said: str) -> str:
    """The text with every formula in it written as TeX between dollar signs; the rest unchanged."""
    if "alternatives" in said:
        said = _ALTERNATIVES.sub(_best, said)
    if "tex-math" in said:
        said = _TEX.sub(_embedded, said)
    if "math" in said:
        said = _MATHML.sub(_formula, said)
    return said


def _best(match: re.Match[str]) -> str:
    """Of several forms of one formula TeX, then MathML."""
    found = _TEX.search(match["inside"]) or _MATHML.search(match["inside"])
    return found.group() if found else match["inside"]


def _embedded(match: re.Match[str]) -> str:
    source = _CDATA.sub(r"\1", match["inside"])
    document = _DOCUMENT.search(source)
    source = document[1] if document else source
    bare = _DOLLARS.match(source)
    source = text.fold_space(bare[1] if bare else source)
    return f" ${source}$ " if source and "$" not in source else f" {source} "


def _formula(match: re.Match[str]) -> str:
    source = _ENTITY.sub("&amp;", match.group())
    prefix = _PREFIX.match(source)
    if prefix and f"xmlns:{prefix[1]}" not in source[: source.index(">")]:
        source = source.replace(f"<{prefix[1]}:math", f'<{prefix[1]}:math xmlns:{prefix[1]}="m"', 1)
    try:
        root = etree.fromstring(source.encode("utf-8", "replace"), etree.XMLParser(**_PARSER_OPTIONS))
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None:
        return re.sub(r"<[^<>]*>", "", match.group())
    annotation = next((e for e in root.iter() if _name(e) == "annotation" and "tex" in e.get("encoding", "")), None)
    formula = text.fold_space((annotation.text or "") if annotation is not None else _row(root, 0))
    if not formula or "$" in formula:
        return formula
    if formula.startswith(("{}_", "{}^")):
        return f"${formula}$"
    # Publishers write words and formulas without space between.
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    return f"{' ' if before.isalpha() else ''}${formula}${' ' if after.isalpha() else ''}"


def _name(element: Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2] if isinstance(tag, str) else ""


def _row(element: Element, depth: int) -> str:
    """The children one after the other; space between a command and a letter only."""
    return _join(_write(child, depth + 1) for child in element if isinstance(child.tag, str)) or _token(element)


def _join(pieces: Any) -> str:
    joined = ""
    for piece in pieces:
        apart = joined and piece and re.search(r"\\[A-Za-z]+$", joined) and piece[0].isalpha()
        joined += f" {piece}" if apart else piece
    return joined


def _token(element: Element) -> str:
    words = text.fold_space((element.text or "").translate(_NO_SPACES))
    return _SPECIAL.sub(r"\\\1", words)


def _write(element: Element, depth: int) -> str:
    if depth > _DEEPEST:
        return text.fold_space("".join(element.itertext()))
    name = _name(element)
    writer = _WRITERS.get(name)
    return writer(element, depth) if writer else _row(element, depth)


def _parts(element: Element, depth: int, number: int) -> list[str]:
    parts = [_write(child, depth + 1) for child in element if isinstance(child.tag, str)]
    return [*parts, *[""] * number][:number]


def _identifier(element: Element, depth: int) -> str:
    name = _token(element)
    fount = _FOUNTS.get(element.get("mathvariant", ""))
    if name in _FUNCTIONS:
        return f"\\{name}"
    if len(name) > 1 and fount is None:
        fount = "mathrm"
    return f"\\{fount}{{{name}}}" if fount and name else name


def _words(element: Element, depth: int) -> str:
    words = _token(element)
    return f"\\text{{{words}}}" if words else " "


def _operator(element: Element, depth: int) -> str:
    sign = _token(element)
    return f"\\{sign}" if sign in _FUNCTIONS else sign


def _scripted(below: int | None, above: int | None) -> Callable[[Element, int], str]:
    def write(element: Element, depth: int) -> str:
        parts = _parts(element, depth, 3)
        base = parts[0] if len(parts[0]) < 2 or re.fullmatch(r"\\\w+(\{[^{}]*\})?", parts[0]) else f"{{{parts[0]}}}"
        low = f"_{{{parts[below]}}}" if below and parts[below] else ""
        high = f"^{{{parts[above]}}}" if above and parts[above] else ""
        return f"{base or '{}'}{low}{high}"

    return write


def _over(element: Element, depth: int) -> str:
    base, above = _parts(element, depth, 2)
    accent = _ACCENTS.get(above)
    return f"\\{accent}{{{base}}}" if accent else f"\\overset{{{above}}}{{{base}}}"


def _under(element: Element, depth: int) -> str:
    base, below = _parts(element, depth, 2)
    return f"{base}_{{{below}}}" if base.startswith("\\") or base in "∑∏⋃⋂" else f"\\underset{{{below}}}{{{base}}}"


def _fraction(element: Element, depth: int) -> str:
    above, below = _parts(element, depth, 2)
    return f"\\frac{{{above}}}{{{below}}}"


def _root(element: Element, depth: int) -> str:
    base, degree = _parts(element, depth, 2)
    return f"\\sqrt[{degree}]{{{base}}}"


def _square_root(element: Element, depth: int) -> str:
    return f"\\sqrt{{{_row(element, depth)}}}"


def _fenced(element: Element, depth: int) -> str:
    inside = ",".join(_write(child, depth + 1) for child in element if isinstance(child.tag, str))
    opening, closing = (_SPECIAL.sub(r"\\\1", element.get(key, sign)) for key, sign in (("open", "("), ("close", ")")))
    return f"{opening}{inside}{closing}"


def _multiscripts(element: Element, depth: int) -> str:
    """Scripts behind the base, then those before it."""
    base = ""
    behind: list[str] = []
    before: list[str] = []
    target = behind
    for index, child in enumerate(child for child in element if isinstance(child.tag, str)):
        if index == 0:
            base = _write(child, depth + 1)
        elif _name(child) == "mprescripts":
            target = before
        else:
            target.append("" if _name(child) == "none" else _write(child, depth + 1))
    return f"{_pairs(before, '{}')}{base}{_pairs(behind, '')}"


def _pairs(scripts: list[str], base: str) -> str:
    written = "".join(
        f"{sign}{{{script}}}" for index, script in enumerate(scripts) if script for sign in ("_^"[index % 2],)
    )
    return f"{base}{written}" if written else ""


def _nothing(element: Element, depth: int) -> str:
    return ""


_WRITERS: dict[str, Callable[[Element, int], str]] = {
    "mi": _identifier,
    "mn": lambda element, depth: _token(element),
    "mo": _operator,
    "mtext": _words,
    "ms": _words,
    "mspace": lambda element, depth: " ",
    "msub": _scripted(1, None),
    "msup": _scripted(None, 1),
    "msubsup": _scripted(1, 2),
    "munderover": _scripted(1, 2),
    "mover": _over,
    "munder": _under,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "mfenced": _fenced,
    "mmultiscripts": _multiscripts,
    "mphantom": _nothing,
    "annotation": _nothing,
    "annotation-xml": _nothing,
}
