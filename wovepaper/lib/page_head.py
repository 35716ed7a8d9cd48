"""What the head of a page says about it: title, description, canonical address, whether it is for search engines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe

_ESCAPES = {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}

DESCRIPTION_LENGTH = 200


@dataclass(frozen=True, slots=True)
class PageHead:
    """The head of one page. Everything is plain text; the template escapes it."""

    title: str
    description: str
    path: str
    """The canonical address on this site, from the slash on."""
    kind: str = "website"
    """Open Graph's type: ``website`` or ``article``."""
    index: bool = True
    """Off for filtered lists, search results and older versions."""


def shorten(text: str, length: int = DESCRIPTION_LENGTH) -> str:
    """``text`` on one line, cut at a word to at most ``length`` characters with an ellipsis."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    head, space, _ = cut.rpartition(" ")
    return (head if space and len(head) > length // 2 else cut).rstrip(" ,;:.") + "…"


def json_for_script(data: Mapping[str, Any]) -> SafeString:
    """JSON that can stand between ``<script>`` tags: nothing in it can end the element or begin another."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)
    return mark_safe(text)  # noqa: S308 - every character that HTML could read is escaped above
