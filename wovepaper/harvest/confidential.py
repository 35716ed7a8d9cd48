"""Keys are sent to their source and stand nowhere else: not in addresses that are kept, in answers, or in errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, quote_plus

import httpx2

_HEXADECIMAL = re.compile(r"%[0-9A-F]{2}")
STRUCK_OUT = "***"
SHORTEST = 4
"""Characters. Something shorter is no key, and striking it out would damage what it stands in by chance."""


def _escaped(key: str) -> Iterable[str]:
    """As addresses write it, in either case of their hexadecimal digits."""
    for escaped in (quote(key), quote(key, safe=""), quote_plus(key)):
        yield escaped
        yield _HEXADECIMAL.sub(lambda found: found[0].lower(), escaped)


class Confidential:
    """Strikes the values it is given out of whatever passes."""

    def __init__(self, values: Iterable[str]) -> None:
        keys = [value for value in values if len(value) >= SHORTEST]
        forms = {form for key in keys for form in (key, *_escaped(key))}
        self._forms = sorted(forms, key=len, reverse=True)

    def text(self, said: str) -> str:
        """Without the values, written as they are or as addresses write them."""
        for form in self._forms:
            said = said.replace(form, STRUCK_OUT)
        return said

    def body(self, said: bytes) -> bytes:
        """Without the values."""
        for form in self._forms:
            said = said.replace(form.encode(), STRUCK_OUT.encode())
        return said

    def address(self, url: httpx2.URL, names: Iterable[str]) -> str:
        """Without the parameters of these names, and without the values wherever else they stand."""
        for name in names:
            url = url.copy_remove_param(name)
        return self.text(str(url))

    def headers(self, given: Mapping[str, str]) -> dict[str, str]:
        """With clean values."""
        return {name: self.text(value) for name, value in given.items()}
