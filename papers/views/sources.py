"""What each source says of a paper, side by side: where they differ, and what is shown."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from papers.disagreement import Column, Row, compare
from papers.forms import SOURCE_NAMES
from papers.models import Authorship, Paper, SourceAuthorship
from papers.querysets import hidden_names_here
from papers.services.ingest.alignment import name_key
from papers.services.shown_names import FORMER_NAME
from papers.views.links import Link, moved
from papers.views.paper_address import find_or_404, parse_or_404
from wovepaper.lib.markup import plain
from wovepaper.lib.page_head import PageHead, shorten

AUTHORS_LISTED = 100
"""Authors that sources print differently are listed up to so many."""
LONGEST = 1_500
"""Characters of a text; what follows is on the paper's page, or at the source."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one record says; empty text: nothing."""

    source: str
    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Field:
    """One field: what is shown, when a curator fixed it, and what the records say."""

    label: str
    shown: str
    said: tuple[Said, ...]
    is_pinned: bool = False
    pinned_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class AuthorLine:
    """An author that the records do not all print as shown."""

    position: int
    shown: str
    said: tuple[Said, ...]


@require_safe
def sources(request: HttpRequest, address: str) -> HttpResponse:
    """``/papers/<reference>/sources``. Nothing here can be changed."""
    paper = find_or_404(parse_or_404(address))
    path = reverse("papers:sources", args=[paper.reference])
    if request.path != path:
        return moved(path)
    records = list(paper.source_records.order_by("source", "format", "external_id"))
    authorships = read_authorships(paper)
    hidden = {name for place in authorships for name in place.hidden_names}  # type: ignore[attr-defined]
    table = compare(
        paper, records, authorships=authorships, versions=list(paper.versions.order_by("number")), users={},
        hidden=hidden, with_payloads=False,
    )  # fmt: skip
    names = {column.row.pk: _name(column, table.columns) for column in table.columns}
    said = [row for row in table.rows if row.shown or any(cell.text for cell in row.cells)]
    lines = _author_lines(authorships, names, hidden)
    heading = f"What sources say of “{plain(paper.title)}”"
    context = {
        "head": PageHead(title=shorten(heading, 80), description=shorten(heading), path=path, index=False),
        "crumbs": [
            Link("Papers", reverse("papers:paper_list")),
            Link(shorten(plain(paper.title), 80), paper.get_absolute_url()),
        ],
        "paper": paper,
        "records": [(names[column.row.pk], column) for column in table.columns],
        "differing": [_field(row, names) for row in said if (row.differs or row.pin) and row.field != "authors"],
        "agreeing": [
            (row.label, _cut(row.shown), sum(bool(cell.text) for cell in row.cells))
            for row in said
            if not row.differs and not row.pin and row.field != "authors"
        ],
        "author_total": len(authorships),
        "authors": lines[:AUTHORS_LISTED],
        "authors_alike": len(authorships) - len(lines),
        "more_authors": max(0, len(lines) - AUTHORS_LISTED),
    }
    return render(request, "papers/sources.html", context)


def read_authorships(paper: Paper) -> list[Authorship]:
    """The author list with the names that sources print there, and the names nobody is to see, in two queries."""
    printed = SourceAuthorship.objects.order_by("source_record_id", "position")
    rows = paper.authorships.order_by("position").annotate(hidden_names=hidden_names_here())
    return list(rows.prefetch_related(Prefetch("source_authorships", printed)))


def _name(column: Column, columns: Sequence[Column]) -> str:
    """The source, with the format or the source's id where it has several records."""
    row = column.row
    name = SOURCE_NAMES.get(row.source, row.source)
    same_source = [other.row for other in columns if other.row.source == row.source]
    if len(same_source) == 1:
        return name
    formats = {other.format for other in same_source}
    return f"{name} ({row.format if len(formats) == len(same_source) else row.external_id})"


def _field(row: Row, names: dict[int, str]) -> Field:
    return Field(
        row.label,
        _cut(row.shown),
        tuple(Said(names[cell.record], _cut(cell.text), cell.differs) for cell in row.cells if cell.text),
        is_pinned=row.pin is not None,
        pinned_at=row.pin.at if row.pin else None,
    )


def _cut(text: str) -> str:
    text = plain(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…"


def _author_lines(
    authorships: Sequence[Authorship], names: dict[int, str], hidden: Collection[str]
) -> list[AuthorLine]:
    """Authors that a record prints otherwise, or that a record with a list of authors lacks."""
    former = set(map(name_key, hidden))
    listing = {one.source_record_id for place in authorships for one in place.source_authorships.all()}
    lines = []
    for place in authorships:
        printed = {one.source_record_id: one.name for one in place.source_authorships.all()}
        said = []
        for record in sorted(listing, key=lambda number: names.get(number, "")):
            name = printed.get(record)
            if name is None:
                said.append(Said(names[record], "", differs=True))
            elif name_key(name) in former:
                said.append(Said(names[record], FORMER_NAME, differs=False))
            else:
                said.append(Said(names[record], name, differs=name_key(name) != name_key(place.name)))
        if any(one.differs for one in said):
            lines.append(AuthorLine(place.position, place.name, tuple(said)))
    return lines
