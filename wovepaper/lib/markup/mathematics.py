r"""TeX mathematics to MathML, through latex2mathml, whose output cannot be trusted: it escapes nothing and passes
``\href``, ``\style`` and ``\class`` on as attributes.

So its tree is taken before it is written, and rebuilt element by element from the lists below. Elements outside
the list give way to what they hold, attributes outside it are dropped, and lengths are held within bounds, so that
a formula cannot be set on top of something else. A command that latex2mathml does not know, or anything that it
refuses, makes the whole formula unconvertible: its source is shown instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element

from wovepaper.lib.markup.characters import in_variant, is_variant, make_readable

MAX_CHARACTERS = 2_000
MAX_NESTING = 24
MAX_COMMANDS = 400
MAX_NODES = 4_000
CACHED_CHARACTERS = 160
"""Longer formulas are rare, and would make the cache large (about 0.3 kB for each character of a formula)."""

# Definitions could expand without end; ``\sideset`` sets its operator twice, so that nesting doubles the work each
# time; links, classes and styles are not a formula's business; ``\tag`` and ``\verb`` make no sense in running text.
_REFUSED = re.compile(
    r"\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand|(?:re)?newenvironment|DeclareMathOperator|"
    r"catcode|csname|expandafter|loop|input|include|write|read|openin|openout|sideset|verb|tag|mathchoice|"
    r"href|url|class|style|cssId|includegraphics)(?![A-Za-z])"
)
_REFERENCE = re.compile(r"&#x([0-9A-Fa-f]{1,6});")
_STRUCTURE = re.compile(r"\\.|[{}]|&(?:lt|gt|amp);", re.DOTALL)
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_DROPPED = re.compile(r"\\(?:ensuremath|xspace|nonumber|notag|allowbreak|protect|relax)(?![A-Za-z])\s?")
_SINGLE_LETTER = re.compile(r"\\mathrm\{([A-Za-z])\}")
_TEXT = r"\\(?:text(?:rm|normal|up|md)?|mbox)\s{0,3}\{"
_TEXT_WITH_MATHS = re.compile(_TEXT + r"(?=[^{}$]*\$)")
_TEXT_WITH_BRACES = re.compile(r"\\(?:text[a-z]{0,6}|[mhf]box|emph)\s{0,3}\{[^{}]*\{")

_ELEMENTS = frozenset(
    [
        "mrow",
        "mi",
        "mn",
        "mo",
        "mtext",
        "mspace",
        "mfrac",
        "msqrt",
        "mroot",
        "msub",
        "msup",
        "msubsup",
        "munder",
        "mover",
        "munderover",
        "mtable",
        "mtr",
        "mtd",
        "mstyle",
        "mpadded",
        "mphantom",
        "menclose",
    ]
)
_LEAVES = frozenset({"mi", "mn", "mo", "mtext"})
_BOOLEAN = re.compile(r"true|false")
_LENGTH = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{0,4})?|\.\d{1,4})(?:em|ex|px|pt|mu)?|0")
_ATTRIBUTES: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(
        [
            "accent",
            "accentunder",
            "displaystyle",
            "fence",
            "largeop",
            "movablelimits",
            "separator",
            "stretchy",
            "symmetric",
        ],
        _BOOLEAN,
    ),
    **dict.fromkeys(
        ["depth", "height", "lspace", "rspace", "voffset", "width", "minsize", "maxsize", "linethickness"], _LENGTH
    ),
    "scriptlevel": re.compile(r"[+-]?[0-3]"),
    "form": re.compile(r"prefix|infix|postfix"),
    "columnalign": re.compile(r"(?:left|right|center)(?: (?:left|right|center)){0,30}"),
    "columnlines": re.compile(r"(?:none|solid|dashed)(?: (?:none|solid|dashed)){0,30}"),
    "rowlines": re.compile(r"(?:none|solid|dashed)(?: (?:none|solid|dashed)){0,30}"),
    "notation": re.compile(r"box|updiagonalstrike|downdiagonalstrike|updiagonalstrike downdiagonalstrike|bottom|top"),
}
_EM = {"em": 1.0, "ex": 0.5, "px": 1 / 16, "pt": 1 / 12, "mu": 1 / 18, "": 1.0}
_LONGEST_EM = {"width": 4.0, "lspace": 2.0, "rspace": 2.0, "minsize": 4.0, "maxsize": 4.0, "linethickness": 0.3}
_MOST_NEGATIVE_EM = -0.4

# latex2mathml writes some operators as identifiers, which browsers would set in italics and without space.
_OPERATORS = {"~": "∼"} | {sign: sign for sign in "±∓×÷·•†‡∼∗⟨⟩⌈⌉⌊⌋‖|¬⟵⟶⟷⟸⟹⟺⟼△▽◁▷★⋆≲≳⩽⩾⪅⪆/:;"}


class Unconvertible(ValueError):
    """This TeX cannot be shown as MathML; the message says why."""


@dataclass(frozen=True, slots=True)
class Node:
    """One element of the rebuilt tree: everything in it is from the lists of this module, except the text."""

    element: str
    attributes: tuple[tuple[str, str], ...] = ()
    text: str = ""
    children: tuple[Node, ...] = ()


def convert(source: str, *, display: bool) -> Node:
    """The MathML tree of a formula. Raises ``Unconvertible``."""
    if len(source) > MAX_CHARACTERS:
        raise Unconvertible(f"longer than {MAX_CHARACTERS} characters")
    if len(source) > CACHED_CHARACTERS:
        return _convert(source, display)
    result = _convert_cached(source, display)
    if isinstance(result, str):
        raise Unconvertible(result)
    return result


@lru_cache(maxsize=2048)
def _convert_cached(source: str, display: bool) -> Node | str:
    try:
        return _convert(source, display)
    except Unconvertible as problem:
        return str(problem)


def _convert(source: str, display: bool) -> Node:
    prepared = _prepare(source)
    try:
        tree = convert_to_element(prepared, display="block" if display else "inline")
    except Exception as problem:  # the library raises whatever its lists and iterators raise on bad TeX
        raise Unconvertible(f"latex2mathml refuses it: {type(problem).__name__}") from problem
    children = _Rebuilding().children(tree, depth=0)
    return children[0] if len(children) == 1 else Node("mrow", children=children)


def _prepare(source: str) -> str:
    refused = _REFUSED.search(source)
    if refused:
        raise Unconvertible(f"{refused[0]} is not taken")
    if _TEXT_WITH_BRACES.search(source):
        raise Unconvertible("it has braces inside text")
    prepared = _SINGLE_LETTER.sub(r"\\mathrm {\1}", _DROPPED.sub("", source))
    prepared = prepared.replace(r"\textless", "<").replace(r"\textgreater", ">")
    prepared = _TEXT_WITH_MATHS.sub(r"\\hbox{", prepared)
    depth = commands = 0
    pieces = []
    position = 0
    for match in _STRUCTURE.finditer(prepared):
        pieces.append(prepared[position : match.start()].replace("%", r"\%"))
        position = match.end()
        found = match[0]
        pieces.append(_ENTITIES.get(found, found))
        depth += (found == "{") - (found == "}")
        commands += found[0] == "\\"
        if depth < 0:
            raise Unconvertible("its braces do not match")
        if depth > MAX_NESTING or commands > MAX_COMMANDS:
            raise Unconvertible("it is too deep or too long")
    pieces.append(prepared[position:].replace("%", r"\%"))
    if depth or prepared.endswith("\\"):
        raise Unconvertible("its braces do not match")
    return "".join(pieces)


class _Rebuilding:
    """One walk over latex2mathml's tree."""

    def __init__(self) -> None:
        self.count = 0

    def children(self, element: ElementTree.Element, depth: int) -> tuple[Node, ...]:
        """The children of ``element`` that may stay, rebuilt."""
        if depth > 4 * MAX_NESTING:
            raise Unconvertible("it is too deep")
        nodes = []
        for child in element:
            self.count += 1
            if self.count > MAX_NODES:
                raise Unconvertible("it is too large")
            nodes.append(self._node(child, depth + 1))
        return tuple(nodes) if element.tag in _CHILDREN else tuple(_spaced(_joined(nodes)))

    def _node(self, element: ElementTree.Element, depth: int) -> Node:
        name = str(element.tag)
        attributes = dict(_kept_attributes(element.attrib.items()))
        if name not in _LEAVES:
            children = self.children(element, depth)
            if element.text and element.text.strip():  # latex2mathml writes text into rows only for odd input
                children = (Node("mtext", text=_characters(element.text)), *children)
            return _shaped(name if name in _ELEMENTS else "mrow", attributes, children)
        if len(element):
            # For example \fbox: a text that holds a text.
            return Node("mrow", children=self.children(element, depth))
        text = _characters(element.text or "")
        if name != "mtext" and text.startswith("\\") and text != "\\":
            raise Unconvertible(f"{text} is not known")
        variant = element.attrib.get("mathvariant", "")
        if name == "mi" and text in _OPERATORS:
            return Node("mo", (), _OPERATORS[text])
        if variant == "normal" and name == "mi":
            attributes["mathvariant"] = "normal"
        elif is_variant(variant):
            text = "".join(in_variant(character, variant) for character in text)
        return Node(name, tuple(attributes.items()), text)


_CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}


def _shaped(name: str, attributes: dict[str, str], children: tuple[Node, ...]) -> Node:
    """Browsers draw an element with a wrong number of children as an error: complete it, or make it a row."""
    wanted = _CHILDREN.get(name)
    if wanted is not None and len(children) != wanted:
        if len(children) > wanted:
            return Node("mrow", children=children)
        children = (*children, *(Node("mrow") for _ in range(wanted - len(children))))
    if name == "mrow" and len(children) == 1 and not attributes:
        return children[0]
    return Node(name, tuple(attributes.items()), "", children)


def is_function(node: Node) -> bool:
    """Whether this is the name of a function, such as ``log``, or one with indices."""
    while node.element in {"msub", "msup", "msubsup", "munder", "mover", "munderover"}:
        node = node.children[0]
    return node.element == "mi" and len(node.text) > 1 and node.text.isalpha() and not node.attributes


def _spaced(nodes: list[Node]) -> list[Node]:
    """A thin space between the name of a function and what it stands beside, as TeX sets it."""
    spaced: list[Node] = []
    for node in nodes:
        if (
            spaced
            and (is_function(node) or is_function(spaced[-1]))
            and not {node.element, spaced[-1].element} & {"mo", "mspace", "mtext"}
        ):
            spaced.append(Node("mspace", (("width", "0.167em"),)))
        spaced.append(node)
    return spaced


def _joined(nodes: list[Node]) -> list[Node]:
    """Upright letters in a row are one word, for screen readers and for the space between them."""
    joined: list[Node] = []
    for node in nodes:
        before = joined[-1] if joined else None
        if (
            before is not None
            and node.element == before.element == "mi"
            and node.attributes == before.attributes == (("mathvariant", "normal"),)
            and node.text.isalpha()
            and before.text.isalpha()
        ):
            joined[-1] = Node("mi", node.attributes, before.text + node.text)
        else:
            joined.append(node)
    return joined


def _kept_attributes(attributes: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    for name, value in attributes:
        pattern = _ATTRIBUTES.get(name)
        if pattern is None or not pattern.fullmatch(value):
            continue
        if pattern is _LENGTH and not _is_within_bounds(name, value):
            continue
        yield name, value


def _is_within_bounds(name: str, value: str) -> bool:
    digits = value.rstrip("emxptu")
    size = float(digits) * _EM.get(value[len(digits) :], 1.0)
    return _MOST_NEGATIVE_EM <= size <= _LONGEST_EM.get(name, 2.5)


def _characters(text: str) -> str:
    """latex2mathml writes character references into its texts; resolve them, and keep only what a page may carry."""
    return make_readable(_REFERENCE.sub(_referenced, text))


def _referenced(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if 0x20 <= code < 0x110000 else ""
