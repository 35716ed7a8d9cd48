r"""Find the mathematics and the emphasis in a paragraph. One pass, a bounded number of steps per character.

What counts as mathematics
    ``$$…$$``, ``\(…\)``, ``\[…\]`` and the environments ``equation``, ``displaymath``, ``math``, ``align``, ``gather``,
    ``eqnarray``, ``multline`` (starred or not) whenever both ends are there; ``$…$`` by these rules, in this order
    (the second and third are those of pandoc's ``tex_math_dollars``, softened where TeX itself is unmistakable):

    1. ``\$`` is a dollar sign. A formula holds no dollar sign outside braces.
    2. A formula without a TeX sign (a command, ``^``, ``_`` or a brace) that begins with a digit or holds a space is
       not followed by a digit: "$5 and $10".
    3. It begins and ends without a space, unless it holds a TeX sign, or is one word that does not begin with a
       digit (``$ k $``). With a digit in front and a space behind it is a price even so.
    4. Without a TeX sign it is not prose: two or more words of two letters, or one after a leading digit, are prose
       ("$5 for members and 10$"); names of functions are no words.

    A dollar sign that begins no formula is text. So no text is ever lost: at worst a dollar sign is shown.

What counts as emphasis
    ``\emph{}``, ``\textit{}``, ``\textbf{}``, ``\textsuperscript{}``, ``\textsubscript{}``, ``{\em …}``, ``{\it …}``,
    ``{\bf …}`` and the tags ``<i> <em> <b> <sub> <sup>`` without attributes, where both ends are there and nest. The
    commands that only choose a fount (``\textrm{}``, ``\textsc{}``, ``\mbox{}``, …) are dropped, their text is kept.
    Everything else, unmatched marks included, is text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Element = Literal["i", "em", "b", "sub", "sup", ""]
"""What a mark becomes on the page; the empty one only chose a fount and becomes nothing."""

MAX_EMPHASIS_DEPTH = 8
MAX_FORMULAS = 300
MAX_MATHS_CHARACTERS = 20_000
_LOOK_AHEAD = 8
"""Further dollar signs that are tried as the end of a formula whose braces hold dollar signs."""


@dataclass(frozen=True, slots=True)
class Text:
    """Characters to show as they are."""

    value: str


@dataclass(frozen=True, slots=True)
class Formula:
    """TeX between two delimiters, or more of it than is converted (``convert`` false: show the source)."""

    source: str
    opening: str
    closing: str
    display: bool
    convert: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """The beginning or end of an emphasised piece; ends match their beginnings and nest."""

    element: Element
    begins: bool


Piece = Text | Formula | Mark


@dataclass(slots=True)
class MathsBudget:
    """How much mathematics of one text is still converted."""

    formulas: int = field(default=MAX_FORMULAS)
    characters: int = field(default=MAX_MATHS_CHARACTERS)

    def spend(self, source: str) -> bool:
        """Whether this formula is still within the bounds."""
        if self.formulas < 1 or self.characters < len(source):
            return False
        self.formulas -= 1
        self.characters -= len(source)
        return True


_COMMANDS: dict[str, Element] = {
    "emph": "em",
    "textit": "i",
    "textsl": "i",
    "textbf": "b",
    "textsuperscript": "sup",
    "textsubscript": "sub",
    **dict.fromkeys(("textrm", "textsc", "textsf", "texttt", "textup", "textmd", "textnormal", "text", "mbox"), ""),
}
_TAGS: dict[str, Element] = {"i": "i", "em": "em", "b": "b", "sub": "sub", "sup": "sup"}
_PARENTHESES = {"(": ")", "[": "]"}
_SWITCHES: dict[str, Element] = {
    "em": "em",
    "it": "i",
    "sl": "i",
    "bf": "b",
    **dict.fromkeys(("rm", "sc", "sf", "tt"), ""),
}
_ENVIRONMENTS = "equation|displaymath|math|align|gather|eqnarray|multline"
_TOKEN = re.compile(
    rf"""
    \\(?P<environment_mark>begin|end)\{{(?P<environment>(?:{_ENVIRONMENTS})\*?)\}}
    | \\(?P<command>{"|".join(sorted(_COMMANDS, key=len, reverse=True))})[ ]{{0,2}}\{{
    | \{{\\(?P<switch>{"|".join(_SWITCHES)})(?:[ ]|(?![A-Za-z]))
    | \\(?P<escaped>[^A-Za-z])
    | (?P<dollar>\$)
    | (?P<brace>[{{}}])
    | (?i:<(?P<tag>/?(?:i|em|b|sub|sup))[ ]{{0,2}}>)
    """,
    re.VERBOSE,
)
_ESCAPES = frozenset("$%&#_{}")
_TEX_SIGN = re.compile(r"\\[A-Za-z]|[\^_{]")
_WORD = re.compile(r"[A-Za-z]{2,}")
_FUNCTIONS = frozenset(
    [
        "arg",
        "cos",
        "cosh",
        "cot",
        "deg",
        "det",
        "dim",
        "exp",
        "gcd",
        "inf",
        "ker",
        "lim",
        "ln",
        "log",
        "max",
        "min",
        "mod",
        "sin",
        "sinh",
        "sup",
        "tan",
        "tanh",
    ]
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    name: str
    start: int
    end: int
    depth: int
    """Braces open before this token."""


def scan(text: str, budget: MathsBudget) -> list[Piece]:
    """The pieces of one paragraph, in order. ``budget`` is spent on the mathematics found."""
    tokens = _tokenise(text)
    closers = _closers(tokens)
    made = _Pieces()
    position = index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.start > position:
            made.pieces.append(Text(text[position : token.start]))
        found = _formula(text, tokens, index, closers, budget)
        if found is None:
            made.place(text[token.start : token.end], token)
            position = token.end
            index += 1
        else:
            formula, index = found
            made.pieces.append(formula)
            position = tokens[index - 1].end
    if position < len(text):
        made.pieces.append(Text(text[position:]))
    return made.pieces


def _tokenise(text: str) -> list[_Token]:
    tokens = []
    depth = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        name = match[kind]
        if kind == "environment":
            kind, name = match["environment_mark"], name
        tokens.append(_Token(kind, name.lower() if kind == "tag" else name, match.start(), match.end(), depth))
        if kind in {"command", "switch"} or name == "{":
            depth += kind != "escaped"
        elif kind == "brace":
            depth -= 1
    return tokens


# --- mathematics ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Closers:
    """For each token, where what it may open would end; one pass from the right, so that no search repeats."""

    by_name: list[int | None]
    next_dollar: list[int | None]
    next_pair: list[int | None]


def _closers(tokens: list[_Token]) -> _Closers:
    size = len(tokens)
    by_name: list[int | None] = [None] * size
    next_dollar: list[int | None] = [None] * size
    next_pair: list[int | None] = [None] * (size + 2)
    seen: dict[tuple[str, str], int] = {}
    dollar = None
    for index in range(size - 1, -1, -1):
        token = tokens[index]
        next_pair[index] = next_pair[index + 1]
        if token.kind == "dollar":
            if _is_pair(tokens, index):
                next_pair[index] = index
            next_dollar[index] = dollar
            dollar = index
        elif token.kind == "escaped" and token.name in _PARENTHESES:
            by_name[index] = seen.get(("escaped", _PARENTHESES[token.name]))
        elif token.kind == "begin":
            by_name[index] = seen.get(("end", token.name))
        seen[token.kind, token.name] = index
    return _Closers(by_name, next_dollar, next_pair)


def _is_pair(tokens: list[_Token], index: int) -> bool:
    """Whether two dollar signs stand side by side, beginning here."""
    if index + 1 >= len(tokens):
        return False
    first, second = tokens[index], tokens[index + 1]
    return first.kind == second.kind == "dollar" and first.end == second.start


def _formula(
    text: str, tokens: list[_Token], index: int, closers: _Closers, budget: MathsBudget
) -> tuple[Formula, int] | None:
    """The formula that begins at this token and the index after its end, or ``None``."""
    token = tokens[index]
    end = closers.by_name[index]
    if end is not None:
        source = text[token.end : tokens[end].start]
        if not source.strip():
            return None
        display = token.name not in {"(", "math", "math*"}
        opening, closing = text[token.start : token.end], text[tokens[end].start : tokens[end].end]
        return Formula(source, opening, closing, display, budget.spend(source)), end + 1
    if token.kind != "dollar":
        return None
    if _is_pair(tokens, index):
        pair = closers.next_pair[index + 2]
        if pair is not None:
            source = text[tokens[index + 1].end : tokens[pair].start]
            if source.strip() and not _is_prose(source):
                return Formula(source, "$$", "$$", True, budget.spend(source)), pair + 2
        return None
    dollar = _closing_dollar(text, tokens, index, closers.next_dollar)
    if dollar is None:
        return None
    source = text[token.end : tokens[dollar].start]
    return Formula(source, "$", "$", False, budget.spend(source)), dollar + 1


def _closing_dollar(text: str, tokens: list[_Token], index: int, next_dollar: list[int | None]) -> int | None:
    """The dollar sign that ends the formula begun at ``index``, by the rules of this module."""
    first = candidate = next_dollar[index]
    for _ in range(_LOOK_AHEAD):
        if candidate is None or tokens[candidate].depth <= tokens[index].depth:
            break
        candidate = next_dollar[candidate]
    if candidate is None or tokens[candidate].depth != tokens[index].depth:
        candidate = first
    if candidate is None:
        return None
    source = text[tokens[index].end : tokens[candidate].start]
    after = text[tokens[candidate].end : tokens[candidate].end + 1]
    return candidate if _is_mathematics(source, after) else None


def _is_mathematics(source: str, after: str) -> bool:
    inner = source.strip()
    if not inner:
        return False
    has_sign = _TEX_SIGN.search(source) is not None
    if inner[0].isdigit() and source[0] == inner[0] and source[-1].isspace():
        return False
    if has_sign:
        return True
    if _is_prose(inner) or (after.isdigit() and (inner[0].isdigit() or " " in source)):
        return False
    return source == inner or not (inner[0].isdigit() or " " in inner)


def _is_prose(source: str) -> bool:
    if _TEX_SIGN.search(source):
        return False
    words = sum(1 for word in source.split() if _WORD.fullmatch(word) and word.lower() not in _FUNCTIONS)
    return words >= (1 if source[:1].isdigit() and " " in source else 2)


# --- emphasis ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Opened:
    """A mark that waits for its end; ``pieces[place]`` is its source text until the end is found."""

    ends_with: str
    element: Element | None
    place: int


@dataclass(slots=True)
class _Pieces:
    """Pieces in the making."""

    pieces: list[Piece] = field(default_factory=list)
    opened: list[_Opened] = field(default_factory=list)
    depth: int = 0
    """Emphasis open at this point; at most ``MAX_EMPHASIS_DEPTH``, which also bounds every search below."""

    def place(self, source: str, token: _Token) -> None:
        """Add a token that is no mathematics: a mark where it belongs to a pair, text otherwise."""
        if token.kind == "escaped":
            self.pieces.append(Text(token.name if token.name in _ESCAPES else source))
        elif token.kind in {"command", "switch"}:
            self._open(source, "}", (_COMMANDS if token.kind == "command" else _SWITCHES)[token.name])
        elif token.name == "{":
            self._open(source, "}", None)
        elif token.name in _TAGS:
            self._open(source, "/" + token.name, _TAGS[token.name])
        elif token.kind in {"tag", "brace"}:
            self._close(source, token.name)
        else:
            self.pieces.append(Text(source))

    def _open(self, source: str, ends_with: str, element: Element | None) -> None:
        if element and self.depth >= MAX_EMPHASIS_DEPTH:
            element = None
        if element is not None or ends_with == "}":
            self.opened.append(_Opened(ends_with, element, len(self.pieces)))
            self.depth += bool(element)
        self.pieces.append(Text(source))

    def _close(self, source: str, name: str) -> None:
        place = len(self.opened) - 1
        # Tags left open inside what ends here stay text. A brace is not crossed by a tag.
        while place >= 0 and self.opened[place].ends_with not in {name, "}"}:
            place -= 1
        if place < 0 or self.opened[place].ends_with != name:
            self.pieces.append(Text(source))
            return
        mark = self.opened[place]
        self.depth -= sum(1 for ended in self.opened[place:] if ended.element)
        del self.opened[place:]
        if mark.element is None:
            self.pieces.append(Text(source))
        else:
            self.pieces[mark.place] = Mark(mark.element, begins=True)
            self.pieces.append(Mark(mark.element, begins=False))
