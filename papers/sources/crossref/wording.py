"""Titles, abstracts and names of Crossref as plain text: entities (also double ones), HTML, JATS and MathML resolved."""

from __future__ import annotations

import html
import re
from typing import Any

from wovepaper.lib import text

_TAGS = re.compile(r"</?[A-Za-z][^<>]*>")


def plain(said: Any) -> str:
    """A text on one line; empty where there is none."""
    if not isinstance(said, str) or not said:
        return ""
    if "&" in said:
        said = html.unescape(html.unescape(said))
    if "<" in said:
        said = _TAGS.sub("", said)
    return text.clean(said)
