"""Papers of an item of the queue, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Q

from papers.disagreement import label_of, shown_text
from papers.forms import SOURCE_NAMES
from papers.models import (
    Authorship,
    Paper,
    PaperAssertion,
    PaperIdentifier,
    PaperMergeEvent,
    SourceRecord,
)
from papers.services.ingest.alignment import initials_key
from wovepaper.lib.markup import plain

MOST_COLUMNS = 4
NAMED = 12
"""Authors of each that are named."""
EARLIER = 20
_FIELDS = (
    "kind", "status", "published_on", "venue", "volume", "issue", "pages", "publisher", "journal_reference",
    "comments", "abstract",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """A paper."""

    letter: str
    paper: Paper
    title: str
    authors: tuple[str, ...]
    more_authors: int
    records: tuple[tuple[int, str, str], ...]
    """Number of the record, source and the source's id."""
    identifiers: tuple[tuple[str, str, bool], ...]
    """Scheme, value, and whether another paper of the item claims it too."""

    @property
    def pk(self) -> int:
        """Its number."""
        return self.paper.pk


@dataclass(frozen=True, slots=True)
class Row:
    """One field of all of them; ``differs`` where two say different things."""

    label: str
    cells: tuple[tuple[str, str], ...]
    """Letter and text."""
    differs: bool


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The whole page."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    shared_authors: int
    """By family name and initial, of the first two."""
    fewest_authors: int
    events: tuple[PaperMergeEvent, ...]
    assertions: tuple[PaperAssertion, ...]


def set_side_by_side(papers: Sequence[int]) -> SideBySide:
    """What is known of a few papers, in a fixed number of queries."""
    found = sorted(Paper.objects.filter(pk__in=papers), key=lambda paper: paper.pk)
    letters = {paper.pk: "ABCDEFGH"[index] for index, paper in enumerate(found)}
    names: dict[int, list[str]] = {paper.pk: [] for paper in found}
    for pk, name in (
        Authorship.objects.filter(paper__in=letters).order_by("paper", "position").values_list("paper", "name")
    ):
        names[pk].append(name)
    records: dict[int, list[tuple[int, str, str]]] = {paper.pk: [] for paper in found}
    for row in SourceRecord.objects.filter(paper__in=letters).defer("payload").order_by("source", "pk"):
        records[row.paper_id].append((row.pk, SOURCE_NAMES.get(row.source, row.source), row.external_id))
    identifiers: dict[int, list[tuple[str, str, bool]]] = {paper.pk: [] for paper in found}
    claimed = set(
        Paper.objects.filter(pk__in=letters, identifier_clashes__isnull=False).values_list(
            "identifier_clashes__scheme", "identifier_clashes__value"
        )
    )
    for one in PaperIdentifier.objects.filter(paper__in=letters).order_by("scheme", "value"):
        identifiers[one.paper_id].append((one.get_scheme_display(), one.value, (one.scheme, one.value) in claimed))
    columns = tuple(
        Column(
            letter=letters[paper.pk],
            paper=paper,
            title=plain(paper.title),
            authors=tuple(names[paper.pk][:NAMED]),
            more_authors=max(0, len(names[paper.pk]) - NAMED),
            records=tuple(records[paper.pk]),
            identifiers=tuple(identifiers[paper.pk]),
        )
        for paper in found
    )
    rows = []
    for field in _FIELDS:
        texts = [(letters[paper.pk], plain(shown_text(paper, field))) for paper in found]
        said = {text for _, text in texts if text}
        if said:
            rows.append(Row(label_of(field), tuple(texts), len(said) > 1))
    authors = [{initials_key(name) for name in names[paper.pk]} for paper in found[:2]]
    across = Q(loser__root__in=letters) | Q(survivor__root__in=letters)
    told = Q(a__root__in=letters, b__root__in=letters) & ~Q(a__root=F("b__root"))
    return SideBySide(
        columns=columns,
        rows=tuple(rows),
        shared_authors=len(set.intersection(*authors)) if len(authors) > 1 else 0,
        fewest_authors=min(map(len, authors), default=0),
        events=tuple(PaperMergeEvent.objects.filter(across).select_related("actor").order_by("-pk")[:EARLIER]),
        assertions=tuple(PaperAssertion.objects.filter(told).select_related("by").order_by("-pk")[:EARLIER]),
    )
