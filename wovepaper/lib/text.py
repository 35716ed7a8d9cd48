"""Plain text as upstream documents really hold it: white space, control characters, wrong encodings, fingerprints."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

FINGERPRINT_LENGTH = 64
"""The longest fingerprint, in characters."""

# What neither a database nor a reader wants: C0 controls, unpaired surrogates, invisible marks that only reorder or
# join what is shown. The zero-width joiner and non-joiner stay: several scripts need them.
_UNWANTED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\x80-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
# Two or more characters that an encoder wrote by reading UTF-8 as Windows-1252: a lead byte and what follows it.
_MOJIBAKE_LEAD = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122]"
)

_MARKUP = re.compile(
    r"</?(?:(?:mml|jats):[\w-]+|i|b|em|strong|sub|sup|sc|scp|tt|u|span|p|br|title|italic|bold|monospace|"
    r"fixed-case|tex-math|inline-formula|alternatives|inline-graphic)(?:\s[^<>]{0,2000})?/?>",
    re.IGNORECASE,
)
_TEX_FORMATTING = re.compile(
    r"\\(?:math(?:bb|bf|cal|frak|it|rm|scr|sf|tt|ring)?|text(?:bf|it|rm|sc|sf|sl|tt|normal)?|emph|mbox|hbox|rm|it|bf|em|sl|tt|"
    r"operatorname|ensuremath|boldsymbol|bm|left|right|big|Big|bigl|bigr|displaystyle|limits)(?![A-Za-z])\*?"
)
_TEX_ACCENT = re.compile(r"\\[\"'`^~=.]|\\[uvHckrdbt](?![A-Za-z])")
# Letters that Unicode does not decompose into a base letter and a mark.
_UNDECOMPOSED = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŋ": "n", "ŧ": "t",
    }
)  # fmt: skip
_NO_KEY = re.compile("[^0-9a-z ]+")
_DIGITS_APART = re.compile(r"(?<=[0-9])[^0-9a-z]+(?=[0-9])")


def fold_space(text: str) -> str:
    """Every run of white space (line breaks, tabs, no-break and thin spaces) as one space; none at the ends."""
    return " ".join(text.split())


def repair_mojibake(text: str) -> str:
    """Undo UTF-8 that was read as Windows-1252, where that is certain; the text unchanged otherwise.

    Certain means a strict round trip: every character outside ASCII must be a byte of Windows-1252 (or ISO 8859-1
    where that has no character), and all those bytes together must be valid UTF-8. A text that holds one honest
    accented letter beside the damage fails the test and is left alone.
    """
    if text.isascii() or not _MOJIBAKE_LEAD.search(text):
        return text
    try:
        repaired = bytes(_windows_1252_byte(character) for character in text).decode("utf-8")
    except ValueError:
        return text
    return repaired


def clean(text: str) -> str:
    """The text fit to store and show: encoding repaired, controls removed, NFC, white space folded.

    NUL never survives (PostgreSQL refuses it), nor do unpaired surrogates (UTF-8 cannot hold them); they, unlike
    other controls, are marked by U+FFFD. C1 controls are read as the Windows-1252 characters they stand for, as
    the HTML standard does.
    """
    if text.isascii() and text.isprintable():
        return fold_space(text) if "  " in text or text[:1] == " " or text[-1:] == " " else text
    text = repair_mojibake(text)
    if not text.isprintable():
        text = _UNWANTED.sub(_replace_unwanted, text)
    return fold_space(unicodedata.normalize("NFC", text))


def strip_accents(text: str) -> str:
    """Letters without their marks, compatibility forms resolved (``₂`` becomes ``2``); other scripts stay."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    # Classes from 200 on are marks over, under and through letters; lower ones are signs of Indic and Semitic scripts.
    kept = "".join(character for character in decomposed if unicodedata.combining(character) < 200)
    return unicodedata.normalize("NFC", kept)


def title_fingerprint(title: str) -> str:
    """A key that titles of one work share whichever source prints them; empty for a title without letter or digit.

    Case, accents, punctuation, spaces, HTML and TeX markup do not count; Greek letters count by their names, so that
    ``$\\alpha$`` and ``α`` agree; numerals stay, and two numbers stay two. At most ``FINGERPRINT_LENGTH``
    characters: a longer one keeps its beginning and ends in a digest of the whole.
    """
    text = title
    if "<" in text:
        text = _MARKUP.sub("", text)
    if "\\" in text:
        text = _TEX_ACCENT.sub("", _TEX_FORMATTING.sub("", text))
    text = strip_accents(text.casefold()).translate(_UNDECOMPOSED)
    if not text.isascii():
        text = "".join(_spelt(character) for character in text)
    text = _DIGITS_APART.sub(" ", text)
    if text.isascii():
        key = _NO_KEY.sub("", text)
    else:
        key = "".join(character for character in text if character.isalnum() or character == " ")
    key = re.sub(r"(?<![0-9]) | (?![0-9])", "", key)
    if len(key) <= FINGERPRINT_LENGTH:
        return key
    digest = hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
    return f"{key[: FINGERPRINT_LENGTH - len(digest) - 1]}~{digest}"


def _windows_1252_byte(character: str) -> int:
    """The byte; ``ValueError`` (``UnicodeEncodeError``) where there is none."""
    code = ord(character)
    return code if code < 0x100 else character.encode("cp1252")[0]


def _replace_unwanted(match: re.Match[str]) -> str:
    character = match.group()
    if "\x80" <= character <= "\x9f":
        return bytes([ord(character)]).decode("cp1252", "ignore")
    return "\ufffd" if "\ud800" <= character <= "\udfff" else ""


@lru_cache(maxsize=4096)
def _spelt(character: str) -> str:
    """A Greek letter's name; other characters as they are."""
    if "\u0370" <= character <= "\u03ff":
        name = unicodedata.name(character, "")
        if " LETTER " in name and name.startswith("GREEK"):
            return name.split(" LETTER ", 1)[1].removeprefix("FINAL ").split(" ")[0].lower().replace("lamda", "lambda")
    return character
