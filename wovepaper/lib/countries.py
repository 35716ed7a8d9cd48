"""Countries by their codes of ISO 3166, with the English names that the time-zone database keeps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources


def country_name(code: str) -> str:
    """``Germany`` for ``DE``; a code that nobody knows stands for itself."""
    return country_names().get(code, code)


def is_country(code: str) -> bool:
    """Whether this is the code of a country, in capitals."""
    return code in country_names()


@cache
def country_names() -> Mapping[str, str]:
    """Every code with its name."""
    table = resources.files("tzdata").joinpath("zoneinfo", "iso3166.tab").read_text(encoding="utf-8")
    lines = (line.split("\t", 1) for line in table.splitlines() if line and not line.startswith("#"))
    return {code: name.strip() for code, name in lines}
