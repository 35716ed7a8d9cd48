"""A MathML tree as one line of Unicode text, for places that can hold no markup."""

from __future__ import annotations

from wovepaper.lib.markup.characters import subscript, superscript
from wovepaper.lib.markup.mathematics import Node

_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
_SPACED = frozenset("=<>≤≥≠≈≃≅∼≡∝→←↔⇒⇐⇔↦∈∉⊂⊆⊃⊇∪∩≪≫≲≳⩽⩾±∓×+−:∣∘⊗⊕∧∨⟶⟷⟹⟼")
_SCRIPTED = frozenset({"msub", "msup", "msubsup", "munder", "munderover"})
_ACCENTS = {
    "^": "\u0302",
    "~": "\u0303",
    "∼": "\u0303",
    "¯": "\u0304",
    "―": "\u0305",
    "˙": "\u0307",
    "¨": "\u0308",
    "→": "\u20d7",
    "´": "\u0301",
    "`": "\u0300",
    "ˇ": "\u030c",
    "˘": "\u0306",
}


def read(tree: Node) -> str:
    """The formula as text, its words as few as can be: ``x²``, ``a/b``, ``√(a + b)``, ``x_{ij}``."""
    return " ".join(_read(tree).split())


def _read(node: Node) -> str:
    reader = _READERS.get(node.element)
    return reader(node) if reader is not None else _read_row(node)


def _read_row(node: Node) -> str:
    parts: list[str] = []
    for index, child in enumerate(node.children):
        text = _read(child)
        if (
            child.element == "mo"
            and text
            and text in _SPACED
            and 0 < index < len(node.children) - 1
            and not _is_sign(node, index)
        ):
            text = f" {text} "
        elif parts and parts[-1][-1:].strip() and text[:1].strip() and _needs_space(node.children[index - 1], child):
            text = " " + text
        parts.append(text)
    return "".join(parts)


def _is_sign(row: Node, index: int) -> bool:
    """Whether the operator stands where nothing precedes it: a minus sign, not a subtraction."""
    before = row.children[index - 1]
    return before.element == "mo" and before.text not in {")", "]", "}", "|", "′", "!"}


def _needs_space(before: Node, after: Node) -> bool:
    """Whether two neighbours would run together: ``lim x``, ``∑ᵢ x``, ``GeV c``."""
    if after.element == "mo":
        return False
    if before.element in _SCRIPTED and before.children[0].element == "mo":
        return True
    return _is_word(before) and (_is_word(after) or before.element == "mo")


def _is_word(node: Node) -> bool:
    return node.element in {"mi", "mo"} and len(node.text) > 1 and node.text.isalpha()


def _read_leaf(node: Node) -> str:
    return node.text.translate(_INVISIBLE)


def _read_space(node: Node) -> str:
    width = dict(node.attributes).get("width", "")
    return "" if width.startswith("-") or width in {"", "0"} else " "


def _read_fraction(node: Node) -> str:
    above, below = (_read(child) for child in node.children)
    if dict(node.attributes).get("linethickness") == "0":
        return f"{above} choose {below}"
    return f"{_grouped(above)}/{_grouped(below)}"


def _read_square_root(node: Node) -> str:
    inner = _read_row(node)
    return f"√{_grouped(inner)}"


def _read_root(node: Node) -> str:
    inner, index = (_read(child) for child in node.children)
    raised = superscript(index)
    return f"{raised}√{_grouped(inner)}" if raised is not None else f"√[{index}]{_grouped(inner)}"


def _read_super(node: Node) -> str:
    base, above = node.children
    return _read(base) + _raised(_read(above))


def _read_sub(node: Node) -> str:
    base, below = node.children
    return _read(base) + _lowered(_read(below))


def _read_subsuper(node: Node) -> str:
    base, below, above = node.children
    return _read(base) + _lowered(_read(below)) + _raised(_read(above))


def _read_over(node: Node) -> str:
    base, above = node.children
    accent = _ACCENTS.get(_read(above)) if above.element == "mo" else None
    text = _read(base)
    if accent is not None and len(text) == 1:
        return text + accent
    if accent is not None or above.element == "mo":
        return text
    return text + _raised(_read(above))


def _read_under(node: Node) -> str:
    base, below = node.children
    return _read(base) if below.element == "mo" else _read(base) + _lowered(_read(below))


def _read_table(node: Node) -> str:
    rows = [" ".join(cell for cell in map(_read, row.children) if cell.strip()) for row in node.children]
    return "; ".join(row for row in rows if row)


def _raised(text: str) -> str:
    compact = text.replace(" ", "")
    if not compact:
        return ""
    return superscript(compact) or f"^{_braced(text)}"


def _lowered(text: str) -> str:
    compact = text.replace(" ", "")
    if not compact:
        return ""
    return subscript(compact) or f"_{_braced(text)}"


def _braced(text: str) -> str:
    return text if len(text.strip()) == 1 else f"{{{text.strip()}}}"


def _grouped(text: str) -> str:
    text = text.strip()
    return text if len(text) == 1 or text.isalnum() else f"({text})"


_READERS = {
    "mi": _read_leaf,
    "mn": _read_leaf,
    "mo": _read_leaf,
    "mtext": _read_leaf,
    "mspace": _read_space,
    "mphantom": lambda node: "",
    "mfrac": _read_fraction,
    "msqrt": _read_square_root,
    "mroot": _read_root,
    "msup": _read_super,
    "msub": _read_sub,
    "msubsup": _read_subsuper,
    "mover": _read_over,
    "munder": _read_under,
    "munderover": _read_subsuper,
    "mtable": _read_table,
}
