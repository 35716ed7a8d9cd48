"""How text becomes terms: the same for documents and for queries.

Two forms of every text field are indexed. The *stemmed* form joins the inflections of a word; the *exact* form keeps
words as they are printed, for phrases, prefixes, spelling and names. Both fold case and accents. What the engine's
own filters cannot do happens here before it sees the text: composed characters (NFC), single Greek letters by name,
and hyphenated compounds, which are indexed apart ("e", "mail") and joined ("email").
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import tantivy

STEMMED = "wovepaper_stemmed"
EXACT = "wovepaper_exact"
KEYWORD = "raw"

LONGEST_TERM = 255
"""Longer tokens are no words; they are neither indexed nor searched. In bytes, as the engine counts."""

_HYPHENS = "-\u2010\u2011\u2012\u2013\u00ad"
_HYPHEN = re.compile(f"[{_HYPHENS}]")
_COMPOUND = re.compile(rf"\w+(?:[{_HYPHENS}]\w+)+")
# A Greek letter on its own or after Latin ones is a symbol; next to other Greek letters it is a word of that language.
_GREEK = re.compile("(?<![\u0370-\u03ff])[\u0391-\u03c9](?![\u0370-\u03ff])")


def _filtered(*, stemmed: bool) -> tantivy.TextAnalyzer:
    builder = (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(LONGEST_TERM))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
    )
    if stemmed:
        builder = builder.filter(tantivy.Filter.stemmer("english"))
    return builder.build()


@cache
def analyzers() -> dict[str, tantivy.TextAnalyzer]:
    """The analyzers by the name under which every index registers them."""
    return {STEMMED: _filtered(stemmed=True), EXACT: _filtered(stemmed=False)}


def well_formed(text: str) -> str:
    """The text without lone surrogates, which neither UTF-8 nor the engine can hold; each becomes U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _letter_names() -> dict[str, str]:
    """The Greek letters by what they are called in Latin; those with accents belong to words and have none."""
    names = {}
    for letter in map(chr, range(0x391, 0x3CA)):
        name = unicodedata.name(letter, "")
        if " LETTER " in name and " WITH " not in name:
            names[letter] = name.rsplit(" ", 1)[1].lower()
    return names


_LETTER_NAMES = _letter_names()


def _spelt_out(match: re.Match[str]) -> str:
    name = _LETTER_NAMES.get(match[0])
    return f" {name} " if name else match[0]


def folded(text: str) -> str:
    """The text as the analyzers should see it: well formed, composed, Greek symbols spelt out."""
    if text.isascii():
        return text
    return _GREEK.sub(_spelt_out, unicodedata.normalize("NFC", well_formed(text)))


def _around_hyphens(text: str) -> list[str]:
    words = []
    at = text.find("-")
    while at >= 0:
        start, end = text.rfind(" ", 0, at) + 1, text.find(" ", at)
        end = len(text) if end < 0 else end
        words.append(text[start:end])
        at = text.find("-", end)
    return words


def joined_compounds(text: str) -> str:
    """The hyphenated compounds of a text, each without its hyphens, separated by spaces; empty where there is none.

    Linear in the text: only words that hold a hyphen are looked at closely.
    """
    # Nearly every text is ASCII, and then this is most of the cost of its document.
    words = _around_hyphens(text) if text.isascii() else [word for word in text.split() if _HYPHEN.search(word)]
    return " ".join(_HYPHEN.sub("", found) for word in words for found in _COMPOUND.findall(word[: 4 * LONGEST_TERM]))


def is_hyphen(character: str) -> bool:
    """Whether a character joins the parts of a compound."""
    return character in _HYPHENS


def tokens(text: str, analyzer: str) -> list[str]:
    """The terms of a text in order, by the analyzer of that name."""
    return analyzers()[analyzer].analyze(folded(text))
