"""ORCID iDs. Form and check digit: https://support.orcid.org/hc/en-us/articles/360006897674 (ISO 7064, MOD 11-2)."""

from __future__ import annotations

import re

_FORM = re.compile(
    r"(?:orcid\s*:?\s*)?(?:https?://)?(?:(?:www\.)?orcid\.org/)?([0-9]{4})-?([0-9]{4})-?([0-9]{4})-?([0-9]{3}[0-9xX])/?",
    re.IGNORECASE | re.ASCII,
)


def normalise(text: str) -> str | None:
    """The ORCID iD that ``text`` is, as ``0000-0000-0000-000X``, or ``None``. Never raises.

    Takes addresses, missing hyphens and a lower-case check character; rejects a wrong check digit and the iD of
    zeros, which passes the check but is nobody's.
    """
    match = _FORM.fullmatch(text.strip())
    if match is None:
        return None
    digits = "".join(match.groups()).upper()
    if digits[:15] == "0" * 15 or check_digit(digits[:15]) != digits[15]:
        return None
    return "-".join((digits[:4], digits[4:8], digits[8:12], digits[12:]))


def address(orcid: str) -> str:
    """Where ORCID shows a normalised iD; empty where it lies outside the blocks that ORCID gives out.

    Those blocks: 0000-0001-5000-0007 to 0000-0003-5000-0001, 0009-0000-0000-0000 to 0009-0010-0000-0000.
    """
    number = orcid.replace("-", "")[:15]
    given_out = "000000015000000" <= number <= "000000035000000" or "000900000000000" <= number <= "000900100000000"
    return f"https://orcid.org/{orcid}" if given_out else ""


def check_digit(digits: str) -> str:
    """The check character of 15 digits by ISO 7064 MOD 11-2: ``0`` to ``9`` or ``X``."""
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    remainder = (12 - total % 11) % 11
    return "X" if remainder == 10 else str(remainder)
