"""What the head of a page says about it: title, description, canonical address, whether it is for search engines."""

from __future__ import annotations

from dataclasses import dataclass

DESCRIPTION_LENGTH = 200
MARKDOWN_ENDING = ".md"
FRONT_PAGE_AS_MARKDOWN = "/index.md"


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
    feed: str = ""
    """What the feed of the same list is called under ``/rss/`` and ``/atom/``; empty where there is none."""

    @property
    def markdown_path(self) -> str:
        """The same page as Markdown, from the slash on."""
        path, mark, query = self.path.partition("?")
        return f"{FRONT_PAGE_AS_MARKDOWN if path == '/' else path + MARKDOWN_ENDING}{mark}{query}"


def shorten(text: str, length: int = DESCRIPTION_LENGTH) -> str:
    """``text`` on one line, cut at a word to at most ``length`` characters with an ellipsis."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    head, space, _ = cut.rpartition(" ")
    return (head if space and len(head) > length // 2 else cut).rstrip(" ,;:.") + "…"
