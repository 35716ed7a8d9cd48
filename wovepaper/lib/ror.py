"""ROR ids: nine characters, the last two a checksum (https://ror.readme.io/docs/identifier)."""

from __future__ import annotations

import re

_ID = re.compile(r"(?:(?:https?://)?(?:www\.)?ror\.org/|ror:\s*)?(0[a-hj-km-np-tv-z0-9]{6}[0-9]{2})/?", re.IGNORECASE)
_DIGITS = {character: value for value, character in enumerate("0123456789abcdefghjkmnpqrstvwxyz")}
"""Crockford's base 32."""


def normalise(text: str) -> str | None:
    """The nine characters in small letters, whatever form the id comes in; ``None`` for anything else.

    The checksum of ISO 7064 (MOD 97-10) over the number that the first seven characters write must be right.
    """
    match = _ID.fullmatch(text.strip())
    if match is None:
        return None
    name = match[1].lower()
    number = 0
    for character in name[:7]:
        number = number * 32 + _DIGITS[character]
    return name if 98 - (number * 100) % 97 == int(name[7:]) else None


def url_of(name: str) -> str:
    """The address that is the identifier."""
    return f"https://ror.org/{name}"
