"""Letters with accents as authors type them in TeX: the form in which arXiv keeps what was submitted."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u0304": "=", "\u0307": ".",
    "\u030c": "v", "\u0327": "c", "\u0328": "k", "\u0306": "u", "\u030b": "H", "\u030a": "r",
}  # fmt: skip
_LETTERS = {"ł": r"\l{}", "Ł": r"\L{}", "ø": r"\o{}", "Ø": r"\O{}", "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}",
            "å": r"\aa{}", "Å": r"\AA{}", "ı": r"\i{}"}  # fmt: skip


@lru_cache(maxsize=50_000)
def accents_to_tex(text: str) -> str:
    r"""Latin letters with accents as TeX, for example ``J\"org``; everything else stays as it is.

    A letter with two accents, as Vietnamese has, keeps its Unicode form: authors paste it.
    """
    if text.isascii():
        return text
    pieces: list[str] = []
    for character in unicodedata.normalize("NFC", text):
        if character in _LETTERS:
            pieces.append(_LETTERS[character])
            continue
        decomposed = unicodedata.normalize("NFD", character)
        if len(decomposed) == 2 and decomposed[0].isascii() and decomposed[1] in _ACCENTS:
            accent = _ACCENTS[decomposed[1]]
            base = r"\i" if decomposed[0] == "i" else decomposed[0]
            # A letter as the command needs braces; a sign does too before \i.
            pieces.append(f"\\{accent}{{{base}}}" if accent.isalpha() or base == r"\i" else f"\\{accent}{base}")
        else:
            pieces.append(character)
    return "".join(pieces)
