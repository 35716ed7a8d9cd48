"""Countries by their codes of ISO 3166, with the English names that the time-zone database keeps."""

from __future__ import annotations

from functools import cache
from importlib import resources


def country_name(code: str) -> str:
    """``Germany`` for ``DE``; a code that nobody knows stands for itself."""
    return _names().get(code, code)


def is_country(code: str) -> bool:
    """Whether this is the code of a country, in capitals."""
    return code in _names()


@cache
def _names() -> dict[str, str]:
    table = resources.files("tzdata").joinpath("zoneinfo", "iso3166.tab").read_text(encoding="utf-8")
    lines = (line.split("\t", 1) for line in table.splitlines() if line and not line.startswith("#"))
    return {code: name.strip() for code, name in lines}
