"""Markdown written by staff, as HTML that can do no harm."""

from __future__ import annotations

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

TAGS = frozenset(
    "a abbr b blockquote br code dd dl dt em h2 h3 h4 hr i li ol p pre s strong sub sup table tbody td th thead tr "
    "ul".split()
)
_reader = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")


def render_markdown(text: str) -> SafeString:
    """HTML of ``text``: CommonMark with tables. A heading of the first level would repeat the page's own, so it
    becomes one of the second.
    """
    tokens = _reader.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"} and token.tag == "h1":
            token.tag = "h2"
    html = _reader.renderer.render(tokens, _reader.options, {})
    clean = nh3.clean(
        html,
        tags=set(TAGS),
        attributes={"a": {"href", "title"}, "abbr": {"title"}, "th": {"scope"}, "ol": {"start"}},
        url_schemes={"https", "http", "mailto"},
        link_rel="noopener",
    )
    return mark_safe(clean)  # noqa: S308 - sanitised above
