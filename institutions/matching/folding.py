"""Names as keys: what does not tell institutions apart is taken away."""

from __future__ import annotations

import re

from wovepaper.lib.text import strip_accents

_UNDECOMPOSED = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŋ": "n",
        "ŧ": "t", "'": None, "’": None, "ʼ": None, "`": None, "´": None, "‘": None, "ʻ": None, "·": None,
    }
)  # fmt: skip
_WORD = re.compile(r"\w+")


def fold(text: str) -> str:
    """Small letters without marks, words apart by one space; other scripts stay."""
    folded = strip_accents(text.casefold()).translate(_UNDECOMPOSED)
    return " ".join(_WORD.findall(folded.replace("_", " ")))
