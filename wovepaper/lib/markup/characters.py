"""Single characters: those that must not reach a page, and the mathematical alphabets, superscripts and subscripts."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# C0 and C1 controls except tab and line ends; bidirectional overrides, embeddings and isolates; byte order mark,
# interlinear annotation, tag characters, noncharacters. None of them belongs in a title, and the bidirectional
# ones can make a page read differently from what it says (Unicode Technical Report 36, section 3.2).
_UNWANTED = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb"
    "\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f]"
)
_SURROGATES = re.compile("[\ud800-\udfff]")
_MAYBE_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\ufb1d-\ufdfd\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def make_readable(text: str) -> str:
    """``text`` without the characters that no page should carry; a lone surrogate becomes U+FFFD."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATES.sub("\ufffd", _UNWANTED.sub("", text))


def one_line(text: str) -> str:
    """``text`` made readable, on one line: whatever any reader takes for white space or a line end is a space."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(make_readable(text).split())


def has_right_to_left(text: str) -> bool:
    """Whether any character is strongly right-to-left."""
    return not text.isascii() and any(
        unicodedata.bidirectional(found[0]) in {"R", "AL"} for found in _MAYBE_RIGHT_TO_LEFT.finditer(text)
    )


# --- mathematical alphabets ---------------------------------------------------------------------------------------

_VARIANTS = {
    "bold": "BOLD",
    "italic": "ITALIC",
    "bold-italic": "BOLD ITALIC",
    "script": "SCRIPT",
    "bold-script": "BOLD SCRIPT",
    "fraktur": "FRAKTUR",
    "bold-fraktur": "BOLD FRAKTUR",
    "double-struck": "DOUBLE-STRUCK",
    "sans-serif": "SANS-SERIF",
    "bold-sans-serif": "SANS-SERIF BOLD",
    "sans-serif-italic": "SANS-SERIF ITALIC",
    "sans-serif-bold-italic": "SANS-SERIF BOLD ITALIC",
    "monospace": "MONOSPACE",
}
# Letters that Unicode encoded before the alphabets (its chapter "Letterlike Symbols") have other names.
_EARLIER = {"SCRIPT": "SCRIPT", "FRAKTUR": "BLACK-LETTER", "DOUBLE-STRUCK": "DOUBLE-STRUCK"}


def is_variant(name: str) -> bool:
    """Whether MathML knows a ``mathvariant`` of that name."""
    return name == "normal" or name in _VARIANTS


@lru_cache(maxsize=2048)
def in_variant(character: str, variant: str) -> str:
    """The character of a mathematical alphabet; the character itself where the alphabet lacks it.

    MathML Core leaves it to the author to write these characters: browsers obey no ``mathvariant`` but ``normal``.
    """
    style = _VARIANTS.get(variant)
    if style is None or len(character) != 1:
        return character
    if style == "ITALIC" and character == "h":
        return "\u210e"
    try:
        name = unicodedata.name(character)
    except ValueError:
        return character
    short = re.sub(r"^(?:LATIN|GREEK) (CAPITAL|SMALL) LETTER ", r"\1 ", name)
    if short == name and not name.startswith("DIGIT "):
        return character
    for candidate in (f"MATHEMATICAL {style} {short}", f"{_EARLIER.get(style, '?')} {short}"):
        try:
            return unicodedata.lookup(candidate)
        except KeyError:
            continue
    return character


# --- superscripts and subscripts ------------------------------------------------------------------------------------

_SUPERSCRIPTS = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθ′″*",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿ′″*",
        strict=True,
    )
)
_SUBSCRIPTS = dict(zip("0123456789+-−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True))


def superscript(text: str) -> str | None:
    """``text`` in superscript characters, or ``None`` where Unicode lacks one of them."""
    return _raised(text, _SUPERSCRIPTS)


def subscript(text: str) -> str | None:
    """``text`` in subscript characters, or ``None`` where Unicode lacks one of them."""
    return _raised(text, _SUBSCRIPTS)


def _raised(text: str, table: dict[str, str]) -> str | None:
    if not text:
        return None
    characters = [table.get(character) for character in text]
    return None if None in characters else "".join(character or "" for character in characters)
