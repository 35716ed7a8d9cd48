"""Papers as the entries of a feed: what they say, when, and a name that never changes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import QuerySet

from papers.models import Paper
from papers.models.paper import paper_address, slug_of
from papers.querysets import author_names
from wovepaper.lib.markup import plain
from wovepaper.lib.page_head import shorten

MOST_ENTRIES = 100
AUTHORS_OF_AN_ENTRY = 20
SUMMARY_LENGTH = 2_000
"""Characters of an abstract: nearly all of them are shorter."""
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class _Row(NamedTuple):
    id: int
    title: str
    abstract: str
    status: str
    published_on: dt.date | None
    announced_on: dt.date | None
    last_version_on: dt.date | None
    categories: list[str]
    arxiv_id: str
    author_count: int
    is_demo: bool
    created_at: dt.datetime
    updated_at: dt.datetime
    author_names: list[str]


_FIELDS = _Row._fields[:-1]


@dataclass(frozen=True, slots=True)
class Entry:
    """One paper in a feed. Texts are plain, on one line, and hold no beginning of a tag."""

    number: int
    title: str
    path: str
    """The address of its page, from the slash on."""
    authors: tuple[str, ...]
    summary: str
    categories: tuple[str, ...]
    published: dt.datetime
    updated: dt.datetime
    """When what a reader sees of it was new: its last version, else as ``published``."""
    changed: dt.datetime
    """When anything of it was last written here."""

    @property
    def lasting_path(self) -> str:
        """An address by the number alone: it stays when the title changes or the paper gets an arXiv id."""
        return f"/papers/{self.number}"


def read_entries(papers: QuerySet[Paper]) -> list[Entry]:
    """The first ``MOST_ENTRIES`` of these papers in their order, in one query."""
    rows = papers.values_list(*_FIELDS, author_names("pk", AUTHORS_OF_AN_ENTRY))[:MOST_ENTRIES]
    return [_entry(_Row._make(row)) for row in rows]


def read_numbered(numbers: Sequence[int]) -> list[Entry]:
    """The papers of these numbers in this order, in one query; those without a page are left out."""
    found = {entry.number: entry for entry in read_entries(Paper.objects.visible().filter(pk__in=numbers))}
    return [found[number] for number in numbers if number in found]


def last_change(entries: Iterable[Entry], *others: dt.datetime | None) -> dt.datetime:
    """When the newest change was, to the second; the first of 1970 where there is nothing."""
    moments = [entry.changed for entry in entries] + [other for other in others if other]
    return max(moments, default=EPOCH).replace(microsecond=0)


def harmless(text: str) -> str:
    """``text`` in which nothing begins a tag: some readers take titles and names for HTML, others for plain text.

    A "<" that a space follows is a character for both (HTML Living Standard, "Tag open state").
    """
    return plain(text).replace("<", "< ")


def _entry(row: _Row) -> Entry:
    published = _midnight(row.announced_on or row.published_on) or row.created_at
    standing = Paper.Status(row.status).label if row.status != Paper.Status.CURRENT else ""
    marks = "".join(f"[{mark}] " for mark in ("Invented" if row.is_demo else "", standing) if mark)
    names = [harmless(name) for name in row.author_names]
    if row.author_count > len(names):
        names.append(f"and {row.author_count - len(names):,} more")
    return Entry(
        number=row.id,
        title=marks + (harmless(row.title) or f"Paper {row.id}"),
        path=paper_address(row.arxiv_id or str(row.id), slug_of(row.title)),
        authors=tuple(name for name in names if name),
        summary=shorten(plain(row.abstract), SUMMARY_LENGTH),
        categories=tuple(row.categories),
        published=published,
        updated=max(published, _midnight(row.last_version_on) or published),
        changed=row.updated_at,
    )


def _midnight(day: dt.date | None) -> dt.datetime | None:
    return dt.datetime.combine(day, dt.time(), dt.UTC) if day else None
