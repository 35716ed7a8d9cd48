"""Raw records as text for people: set out with line ends and indents where they are XML or JSON, as sent otherwise."""

from __future__ import annotations

import json
from dataclasses import dataclass

from lxml import etree

from wovepaper.lib.markup.characters import make_readable

MOST_BYTES = 2_000_000
"""Longer payloads are not set out, only cut."""
MOST_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class ReadablePayload:
    """Text to show; not escaped. ``size`` in bytes, of the whole payload."""

    text: str
    size: int
    cut: bool


def readable_payload(payload: bytes, *, most: int = MOST_CHARACTERS) -> ReadablePayload:
    """The payload as text, at most ``most`` characters of it. Never raises: bytes that are no UTF-8 are marked."""
    text = _set_out(payload) if len(payload) <= MOST_BYTES else None
    if text is None:
        text = payload[: 4 * most].decode("utf-8", errors="replace")
    text = make_readable(text)
    cut = len(text) > most or (len(payload) > MOST_BYTES and len(payload) > 4 * most)
    return ReadablePayload(text[:most], len(payload), cut)


def _set_out(payload: bytes) -> str | None:
    start = payload.lstrip()[:1]
    if start == b"<":
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, remove_blank_text=True)
        try:
            tree = etree.fromstring(payload, parser)
        except (etree.XMLSyntaxError, ValueError):
            return None
        etree.indent(tree, "  ")
        return str(etree.tostring(tree, encoding="unicode"))
    if start in {b"{", b"["}:
        try:
            return json.dumps(json.loads(payload), ensure_ascii=False, indent=2)
        except (ValueError, RecursionError):
            return None
    return None
