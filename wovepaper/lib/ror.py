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
    return name if check_digits(name[:7]) == name[7:] else None


def check_digits(name: str) -> str:
    """The last two characters that belong to the first seven, in small letters."""
    number = 0
    for character in name:
        number = number * 32 + _DIGITS[character]
    return f"{98 - (number * 100) % 97:02}"


def is_invented(name: str) -> bool:
    """Whether the registry can have given these nine characters to nobody.

    It draws numbers below 200,000,000 (https://github.com/ror-community/ror-api), whose second character is 0 to 5.
    """
    return name[1:2] > "5"


def url_of(name: str) -> str:
    """The address that is the identifier."""
    return f"https://ror.org/{name}"
