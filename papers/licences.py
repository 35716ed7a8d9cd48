"""Names of the licences that sources give as addresses."""

from __future__ import annotations

import re

_CREATIVE_COMMONS = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/(?P<kind>licenses|publicdomain)/(?P<code>[a-z+-]+)/(?P<version>\d\.\d)"
    r"(?:/(?P<country>[a-z]{2}))?(?:/.*)?",
    re.IGNORECASE,
)
_ARXIV = {
    "nonexclusive-distrib": "arXiv’s non-exclusive licence to distribute",
    "assumed-1991-2003": "arXiv’s licence assumed for submissions before 2004",
}


def licence_name(address: str) -> str:
    """A name a reader knows, for example ``CC BY 4.0``; the address itself where there is none.

    >>> licence_name("http://creativecommons.org/licenses/by-nc-sa/4.0/")
    'CC BY-NC-SA 4.0'
    """
    if match := _CREATIVE_COMMONS.fullmatch(address):
        code, version = match["code"].lower(), match["version"]
        if match["kind"].lower() == "publicdomain":
            return {"zero": f"CC0 {version}", "mark": f"Public Domain Mark {version}"}.get(code, "Public domain")
        country = f" {match['country'].upper()}" if match["country"] else ""
        return f"CC {code.upper()} {version}{country}"
    if match := re.fullmatch(r"https?://arxiv\.org/licenses/([\w-]+)/(?:\d\.\d/?)?", address):
        return _ARXIV.get(match[1], address)
    return address
