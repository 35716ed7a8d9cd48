"""The readable end of an address."""

from __future__ import annotations

import unicodedata

from anyascii import anyascii
from django.utils.text import slugify


def slug_of_text(text: str, *, longest: int) -> str:
    """``soren-lukasz`` for ``Søren Łukasz``: at most ``longest`` characters, cut at a word.

    Letters of other scripts are left out, since nobody reads them in an address; a text without Latin letters or
    digits has none.
    """
    slug = slugify(text if text.isascii() else "".join(map(_in_ascii, text)))
    return slug if len(slug) <= longest else slug[: longest + 1].rsplit("-", 1)[0][:longest]


def _in_ascii(character: str) -> str:
    """Latin letters that no accent makes, such as ø, ł and ß, would be lost: Unicode does not take them apart."""
    return anyascii(character) if unicodedata.name(character, "").startswith("LATIN ") else character
