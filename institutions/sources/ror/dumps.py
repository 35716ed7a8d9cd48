"""Where the newest dump of the registry is (https://ror.readme.io/docs/zenodo)."""

from __future__ import annotations

import json
from typing import Any

from wovepaper.harvest.contracts import PageRefused, PageRequest
from wovepaper.lib import text

NEWEST = "https://zenodo.org/api/records/6347574"
"""Redirects to the record of the newest release."""
_PACKED = (b"PK\x03\x04", b"\x1f\x8b")


def find(body: bytes) -> tuple[str, PageRequest | None]:
    """The name of the dump, and where it is: nowhere else where ``body`` is a dump. Raises ``PageRefused``."""
    if body.startswith(_PACKED):
        return "ror-data.zip" if body.startswith(b"PK") else "ror-data.json.gz", None
    begins = body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    if begins.startswith(b"["):
        return "ror-data.json", None
    if not begins.startswith(b"{"):
        said = text.clean(body[:80].decode("utf-8", "replace"))
        raise PageRefused(
            f"The answer is neither a dump of ROR nor the record of one, but begins {said!r}.", retry=True
        )
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise PageRefused(f"The record of the dump is not JSON: {error}.", retry=True) from error
    files = said.get("files")
    if not isinstance(files, list):
        raise PageRefused("The answer is neither a dump of ROR nor a record that names its files.", retry=False)
    found = [(name, address) for each in files if (name := _text(each, "key")) and (address := _address(each))]
    dumps = sorted(pair for pair in found if pair[0].lower().endswith((".zip", ".json", ".json.gz")))
    if not dumps:
        raise PageRefused("The record of the dump names no file of JSON, zipped or not.", retry=False)
    # More than one: that of schema v2 before others, and the packed one before its content.
    name, address = max(
        dumps, key=lambda pair: ("schema_v2" in pair[0].lower(), pair[0].lower().endswith(".zip"), pair)
    )
    return name, PageRequest(address)


def _address(said: Any) -> str:
    links = said.get("links") if isinstance(said, dict) else None
    return _text(links, "content") or _text(links, "self") or _text(links, "download")


def _text(said: Any, key: str) -> str:
    value = said.get(key) if isinstance(said, dict) else None
    return value.strip() if isinstance(value, str) else ""
