"""Feeds as RSS 2.0 and Atom (RFC 4287), written by Django's generators."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.xmlreader import AttributesImpl

from django.utils.feedgenerator import Atom1Feed, Rss201rev2Feed
from django.utils.html import escape
from django.utils.xmlutils import SimplerXMLGenerator

from wovepaper.pages.feeds.entries import Entry

FORMATS = ("rss", "atom")


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed before it is written. Paths are of this site, from the slash on; texts are plain and harmless."""

    title: str
    description: str
    page: str
    """The page with the same list."""
    name: str
    """What it is called under ``/rss/`` and ``/atom/``; with its query."""
    entries: Sequence[Entry]
    changed: dt.datetime


class _Rss(Rss201rev2Feed):
    """RSS with each author by themselves."""

    def latest_post_date(self) -> dt.datetime:
        """The same for the same entries: without any, Django would say "now"."""
        return self.feed["changed"]  # type: ignore[no-any-return]

    def rss_attributes(self) -> dict[str, str]:
        """With the namespace of ``dc:creator``."""
        return {**super().rss_attributes(), "xmlns:dc": "http://purl.org/dc/elements/1.1/"}

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict[str, Any]) -> None:
        """Everything of an entry."""
        super().add_item_elements(handler, item)
        for name in item["authors"]:
            handler.addQuickElement("dc:creator", name)


class _Atom(Atom1Feed):
    """Atom with each author by themselves."""

    def latest_post_date(self) -> dt.datetime:
        """The same for the same entries."""
        return self.feed["changed"]  # type: ignore[no-any-return]

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict[str, Any]) -> None:
        """Everything of an entry."""
        super().add_item_elements(handler, item)
        for name in item["authors"]:
            handler.startElement("author", AttributesImpl({}))
            handler.addQuickElement("name", name)
            handler.endElement("author")


_WRITERS: dict[str, type[_Rss | _Atom]] = {"rss": _Rss, "atom": _Atom}
CONTENT_TYPES = {name: writer.content_type for name, writer in _WRITERS.items()}


def write_feed(feed: Feed, form: str, *, site_url: str) -> str:
    """The document in one of ``FORMATS``."""
    writer = _WRITERS[form](
        title=feed.title,
        link=f"{site_url}{feed.page}",
        description=feed.description,
        subtitle=feed.description,
        language="en",
        author_name="wovepaper",  # Atom wants one of the feed, for entries without any
        feed_url=f"{site_url}/{form}/{feed.name}",
        feed_guid=f"{site_url}/atom/{feed.name}",
        changed=feed.changed,
    )
    for entry in feed.entries:
        writer.add_item(
            title=entry.title,
            link=f"{site_url}{entry.path}",
            # HTML by definition, in both formats.
            description=escape(entry.summary),
            pubdate=entry.published,
            updateddate=entry.updated,
            unique_id=f"{site_url}{entry.lasting_path}",
            unique_id_is_permalink=False,
            categories=entry.categories,
            authors=entry.authors,
        )
    return writer.writeString("utf-8")
