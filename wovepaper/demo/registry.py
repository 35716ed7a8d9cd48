"""ORCID iDs of invented people: well formed, and of a block that ORCID has not been given."""

from __future__ import annotations

from wovepaper.demo.chance import Chance
from wovepaper.lib.orcid import check_digit

BLOCK = "0099"
"""The first four digits. ORCID gives out 0000-0001-5000-0007 to 0000-0003-5000-0001 and 0009-0000-0000-0000 to
0009-0010-0000-0000 only (https://support.orcid.org/hc/en-us/articles/360006897674)."""


def invented_orcid(seed: int, key: str) -> str:
    """The iD of the person with that key."""
    number = Chance(seed, "orcid", key).below(10**11)
    digits = f"{BLOCK}{number:011d}"
    whole = digits + check_digit(digits)
    return "-".join(whole[start : start + 4] for start in range(0, 16, 4))


def misprinted(orcid: str) -> str:
    """The iD with another last character but one, so that the check fails."""
    digit = orcid[-2]
    return f"{orcid[:-2]}{(int(digit) + 1) % 10}{orcid[-1]}"
