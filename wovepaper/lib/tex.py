"""TeX in running text, as in titles, abstracts and names: to Unicode, with mathematics left alone.

The rules of the accents are those of *The TeXbook*, chapter 9; symbols outside the table here come from pylatexenc's.
Everything takes linear time, and nothing is lost: what is not understood stays as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any

_SPECIAL = re.compile(r"[\\{}$~`]")
_TEXT_SPECIAL = re.compile(r"[\\{}]")
_TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.|$)|[{}]|[^\\{}]+", re.DOTALL)
_DELIMITER = re.compile(r"\\(?:[^()\[\]]|$)|\\[()\[\]]|\$\$?", re.DOTALL)
_TIE = re.compile(r"(?<=[^\s~/\\])~(?=[^\s~])")

_COMBINING = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331", "t": "\u0361",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ",
    "NG": "Ŋ", "SS": "ẞ",
}  # fmt: skip
_ESCAPES = {
    "&": "&", "%": "%", "#": "#", "_": "_", " ": " ", "\n": " ", "\t": " ", "\\": " ", ",": " ", ";": " ", ":": " ",
    "!": "", "-": "", "/": "",
}  # fmt: skip
_FORMATS = frozenset(
    "emph textit textbf textsl textsc texttt textrm textsf textup textmd textnormal text mbox hbox underline uline "
    "url textlatin MakeUppercase uppercase".split()
)
_DECLARATIONS = frozenset(
    "it bf em sl rm tt sc sf itshape bfseries scshape slshape ttfamily rmfamily sffamily normalfont upshape mdseries "
    "tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge protect relax noindent par newline "
    "linebreak".split()
)
_WORDS = {"textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”",
          "textendash": "–", "textemdash": "—", "textasciitilde": "~", "textbackslash": "\\textbackslash ",
          "TeX": "TeX", "LaTeX": "LaTeX", "quad": " ", "qquad": " ", "space": " ", "textregistered": "®"}  # fmt: skip


def to_unicode(text: str) -> str:
    """Running text with its TeX decoded; mathematics stays TeX between dollar signs.

    Accents and letters (``\\'e``, ``\\v{c}``, ``{\\o}``) become characters, formatting and grouping vanish around
    their text, ``~`` becomes a space except in addresses, paired `````` and ``''`` become quotation marks.
    ``\\(…\\)`` becomes ``$…$`` and ``\\[…\\]`` becomes ``$$…$$``. ``\\$``, ``\\{`` and ``\\}`` stay escaped, since
    a bare dollar sign would open mathematics. Unknown commands stay with their arguments. Doing it again changes
    nothing, save where accents are heaped up without braces.
    """
    if _SPECIAL.search(text) is None:
        return text
    pieces = [piece if is_math else _decode(piece) for is_math, piece in _split_mathematics(text)]
    return "".join(pieces)


def _split_mathematics(text: str) -> list[tuple[bool, str]]:
    """The text in order, cut at mathematics; delimiters without a partner count as text."""
    if "$" not in text and "\\(" not in text and "\\[" not in text:
        return [(False, text)]
    tokens = [(match.start(), match.end(), match.group()) for match in _DELIMITER.finditer(text)]
    closers = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
    last_place = {token: index for index, (_, _, token) in enumerate(tokens)}
    pieces: list[tuple[bool, str]] = []
    done = index = 0
    while index < len(tokens):
        start, end, opener = tokens[index]
        closer = closers.get(opener)
        if closer is None or last_place.get(closer, -1) <= index:
            index += 1
            continue
        close = index + 1
        while tokens[close][2] != closer:
            close += 1
        inside = text[end : tokens[close][0]]
        if start > done:
            pieces.append((False, text[done:start]))
        if inside.strip():
            dollars = "$" if opener in ("$", "\\(") else "$$"
            pieces.append((True, f"{dollars}{inside}{dollars}"))
        else:
            pieces.append((True, text[start : tokens[close][1]]))
        done = tokens[close][1]
        index = close + 1
    if done < len(text):
        pieces.append((False, text[done:]))
    return pieces


def _decode(text: str) -> str:
    if _TEXT_SPECIAL.search(text):
        text = _Decoder(text).run()
    if "~" in text:
        text = _replace_ties(text)
    if "``" in text and text.count("``") == text.count("''"):
        text = text.replace("``", "“").replace("''", "”")
    return text


def _replace_ties(text: str) -> str:
    if "/" not in text and "www." not in text:
        return _TIE.sub(" ", text)
    words = re.split(r"(\s+)", text)
    return "".join(word if "/" in word or "www." in word else _TIE.sub(" ", word) for word in words)


class _Decoder:
    """One pass over the tokens of a text without mathematics, with a stack for the groups that are open."""

    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        self.out: list[str] = []
        # For every open group: where it began in ``out`` and what its end means.
        self.groups: list[tuple[int, str, str]] = []
        self.accent = ""
        self.accent_source = ""
        # Whether a group that opens now is an argument of something that is kept as written.
        self.keeps_argument = False
        self.swallows_space = False

    def run(self) -> str:
        for piece in self.tokens:
            if piece == "{":
                self._open()
            elif piece == "}":
                self._close()
            elif piece[0] == "\\":
                self._command(piece)
            else:
                self._text(piece)
        self._drop_accent()
        for start, kind, source in reversed(self.groups):
            if kind != "kept":
                self.out[start] = f"{source}{{"
        return "".join(self.out)

    def _text(self, token: str) -> None:
        if self.swallows_space or self.accent:
            stripped = token.lstrip()
            if self.accent:
                if not stripped:
                    self.accent_source += token
                    return  # \v {c}
                token = self._accented(stripped)
            elif stripped:
                token = stripped
            else:
                return
            self.swallows_space = False
        # A script, or the argument after an optional one: \sqrt[3]{x}
        self.keeps_argument = token[-1] in "^_" or (self.keeps_argument and token[0] == "[" and token[-1] == "]")
        self.out.append(token)

    def _accented(self, letters: str) -> str:
        accent, source, self.accent = self.accent, self.accent_source, ""
        return _compose(accent, source, letters)

    def _drop_accent(self) -> None:
        """An accent over nothing stays as written."""
        if self.accent:
            self.out.append(self.accent_source)
            self.accent = ""

    def _open(self) -> None:
        if self.accent:
            self.groups.append((len(self.out), self.accent, self.accent_source))
            self.out.append("")
            self.accent = ""
        elif self.keeps_argument:
            self.groups.append((len(self.out), "kept", ""))
            self.out.append("{")
        else:
            self.groups.append((len(self.out), "plain", ""))
            self.out.append("")
        self.keeps_argument = False
        self.swallows_space = False

    def _close(self) -> None:
        self._drop_accent()
        self.swallows_space = False
        if not self.groups:
            self.out.append("}")
            self.keeps_argument = False
            return
        start, kind, source = self.groups.pop()
        if kind == "kept":
            self.out.append("}")
            self.keeps_argument = True  # \frac{a}{b}
        elif kind == "plain":
            if self.keeps_argument:  # {\unknown}next must not become \unknownnext
                self.out[start] = "{"
                self.out.append("}")
            self.keeps_argument = False
        else:
            inside = "".join(self.out[start:])
            del self.out[start:]
            self.out.append(_compose(kind, source, inside.strip(), braces=True))
            self.keeps_argument = False

    def _command(self, token: str) -> None:
        name = token[1:]
        if name in _COMBINING and not (name == "~" and self.out and self.out[-1][-1:] == "/"):
            self._drop_accent()
            self.accent, self.accent_source = name, token
            self.swallows_space = False
            return
        if name == "~":
            self.out.append("~")  # http://host/\~name
            self.keeps_argument = False
            return
        if name in _LETTERS:
            letter = _LETTERS[name]
            self.out.append(self._accented(letter) if self.accent else letter)
            self.keeps_argument, self.swallows_space = False, True
            return
        self._drop_accent()
        if name in _ESCAPES:
            self.out.append(_ESCAPES[name])
            self.keeps_argument = name == "_"
            self.swallows_space = False
        elif name in _FORMATS or name in _DECLARATIONS:
            self.keeps_argument, self.swallows_space = False, True
        else:
            known = _WORDS.get(name) or _symbol(name)
            self.out.append(known or token)
            self.keeps_argument = not known and name not in "$(){}[]"
            self.swallows_space = False


def _compose(accent: str, source: str, letters: str, *, braces: bool = False) -> str:
    """The first letter with the accent; as written where there is no letter to carry it."""
    if not letters and accent in "~^" and braces:
        return accent  # \~{} is how a bare tilde is written
    base = {"ı": "i", "ȷ": "j"}.get(letters[:1], letters[:1]) if accent not in "dbck" else letters[:1]
    if not base.isalpha() or (accent == "t" and len(letters) < 2):
        return f"{source}{{{letters}}}" if braces else f"{source}{letters}"
    return unicodedata.normalize("NFC", base + _COMBINING[accent]) + letters[1:]


@lru_cache(maxsize=4096)
def _symbol(name: str) -> str:
    """The single character a command stands for by pylatexenc's table; empty where it is no symbol."""
    replacement = getattr(_commands().get_macro_spec(name), "simplify_repl", None)
    if isinstance(replacement, str) and len(replacement.strip()) == 1 and not replacement.strip().isascii():
        return replacement.strip()
    return ""


@cache
def _commands() -> Any:
    from pylatexenc.latex2text import get_default_latex_context_db  # slow to import, seldom needed

    return get_default_latex_context_db()
