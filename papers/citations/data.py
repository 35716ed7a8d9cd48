"""What a reference says of a paper, taken from the catalogue once and then independent of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from django.db.models import Prefetch

from papers.sources.records import PartialDate
from wovepaper.lib.dates import parse_partial
from wovepaper.lib.names import split_name

_PAGES = re.compile(r"\s*([^\s–—-]+)\s*[-–—]+\s*([^\s–—-]+)\s*")

if TYPE_CHECKING:
    from papers.models import Authorship, Paper, SourceAuthorship


@dataclass(frozen=True, slots=True)
class CitedName:
    """A person by parts (particles stay with the family name), or a ``literal`` name that has none."""

    family: str = ""
    given: str = ""
    suffix: str = ""
    literal: str = ""

    @property
    def inverted(self) -> str:
        """``Family, Given, Suffix``, as far as they are known."""
        return self.literal or ", ".join(part for part in (self.family, self.given, self.suffix) if part)


@dataclass(frozen=True, slots=True)
class CitedEvent:
    """The conference that a paper was given at; empty where a part is not known."""

    name: str
    place: str = ""
    start: PartialDate | None = None
    end: PartialDate | None = None

    @property
    def interval(self) -> str:
        """Its days in the form of ISO 8601-2, as biblatex takes them: ``2023-11-12/2023-11-17``."""
        first, last = self.start or self.end, self.end or self.start
        return "" if first is None else str(first) if first == last else f"{first}/{last}"


@dataclass(frozen=True, slots=True)
class CitationData:
    """A reference. Titles and abstracts are as harvested, with TeX mathematics; empty means unknown."""

    title: str
    authors: tuple[CitedName, ...]
    kind: str
    """A value of ``Paper.Kind``."""
    date: PartialDate | None = None
    status: str = "current"
    """A value of ``Paper.Status``."""
    abstract: str = ""
    arxiv_id: str = ""
    primary_category: str = ""
    doi: str = ""
    venue: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    licence: str = ""
    journal_reference: str = ""
    report_number: str = ""
    categories: tuple[str, ...] = ()
    event: CitedEvent | None = None
    online: PartialDate | None = None
    """When it was published online or posted, where a source tells that apart."""
    address: str = ""
    """The page of this site, absolute or empty."""
    is_invented: bool = False
    """A paper of the demo catalogue: its identifiers may be those of other, real papers, so none is made a link."""

    @property
    def year(self) -> str:
        """Four digits, or empty."""
        return f"{self.date.year:04d}" if self.date else ""

    @property
    def url(self) -> str:
        """Where the work itself is: arXiv for a preprint, the DOI for what a publisher issued, else this site."""
        both = (self.arxiv_url, self.doi_url) if self.kind == "preprint" else (self.doi_url, self.arxiv_url)
        return both[0] or both[1] or self.address

    @property
    def doi_url(self) -> str:
        """The DOI as an address, or empty."""
        return f"https://doi.org/{quote(self.doi, safe='/:;()._-')}" if self.doi and not self.is_invented else ""

    @property
    def arxiv_url(self) -> str:
        """arXiv's page, or empty."""
        known = self.arxiv_id and not self.is_invented
        return f"https://arxiv.org/abs/{quote(self.arxiv_id, safe='/.')}" if known else ""

    @property
    def pdf_url(self) -> str:
        """arXiv's PDF; empty for a paper that was withdrawn, whose last version has none."""
        return "" if self.status == "withdrawn" else self.arxiv_url.replace("/abs/", "/pdf/", 1)

    @property
    def page_range(self) -> tuple[str, str]:
        """The first page and the last; the last is empty where ``pages`` is no range."""
        found = _PAGES.fullmatch(self.pages)
        return (found[1], found[2]) if found else (self.pages, "")

    @property
    def state_note(self) -> str:
        """What a reader of the reference must know of its standing; empty for a paper in force."""
        standing = {"withdrawn": "Withdrawn", "retracted": "Retracted"}.get(self.status, "")
        return ". ".join(note for note in (standing, "Invented for demonstration" if self.is_invented else "") if note)


def _printed_names() -> Prefetch:
    from papers.models import SourceAuthorship

    names = SourceAuthorship.objects.order_by("authorship_id", "source_record_id", "position")
    # Into a list: a manager's own cache would cost a queryset for every author.
    return Prefetch("source_authorships", queryset=names, to_attr="printed_names")


def citation_prefetches() -> tuple[Prefetch, ...]:
    """What ``from_paper`` reads beside the paper: with these, any number of papers takes two further queries."""
    from papers.models import Authorship

    authorships = Authorship.objects.order_by("paper_id", "position").prefetch_related(_printed_names())
    return (Prefetch("authorships", queryset=authorships),)


class PrintedName(NamedTuple):
    """What a citation reads of a ``SourceAuthorship``."""

    name: str
    given: str
    family: str
    suffix: str


def read_authorships(paper: Paper) -> list[Authorship]:
    """The authorships of one paper with their printed names, in two queries and as plain values: there may be 3,000."""
    from papers.models import Authorship, SourceAuthorship

    printed: dict[int, list[PrintedName]] = {}
    rows = SourceAuthorship.objects.filter(authorship__paper=paper).order_by("source_record_id", "position")
    for authorship, *parts in rows.values_list("authorship_id", *PrintedName._fields):
        printed.setdefault(authorship, []).append(PrintedName._make(parts))
    # Not by the paper's own manager: it would tell every one of them who their paper is.
    authorships = list(Authorship.objects.filter(paper=paper).order_by("position"))
    for authorship in authorships:
        authorship.printed_names = printed.get(authorship.pk, [])  # type: ignore[attr-defined]
    return authorships


def from_paper(paper: Paper, *, site_url: str = "", authorships: Sequence[Authorship] | None = None) -> CitationData:
    """The reference of a paper.

    Two queries; none where ``citation_prefetches`` has fetched its authorships, or with those of ``read_authorships``.
    """
    if authorships is None:
        authorships = getattr(paper, "_prefetched_objects_cache", {}).get("authorships")
    if authorships is None:
        authorships = read_authorships(paper)
    in_order = sorted(authorships, key=lambda authorship: authorship.position)
    return CitationData(
        title=paper.title,
        authors=tuple(cited_name(authorship) for authorship in in_order),
        kind=paper.kind,
        date=PartialDate.of(paper.published_on, paper.published_precision) if paper.published_on else None,
        status=paper.status,
        abstract=paper.abstract,
        arxiv_id=paper.arxiv_id,
        primary_category=paper.primary_category_id or "",
        doi=paper.doi,
        venue=paper.venue,
        volume=paper.volume,
        issue=paper.issue,
        pages=paper.pages,
        publisher=paper.publisher,
        licence=paper.licence,
        journal_reference=paper.journal_reference,
        report_number=paper.report_number,
        categories=tuple(paper.categories),
        event=cited_event(paper.event),
        online=next((_date(paper.dates[kind]) for kind in ("published-online", "posted") if kind in paper.dates), None),
        address=f"{site_url.rstrip('/')}{paper.get_absolute_url()}" if site_url else "",
        is_invented=paper.is_demo,
    )


def cited_event(said: dict[str, str] | None) -> CitedEvent | None:
    """The conference, as a paper keeps it."""
    if not said:
        return None
    return CitedEvent(
        said["name"],
        said.get("place", ""),
        *(_date(said[key]) if key in said else None for key in ("start", "end")),
    )


def _date(said: str) -> PartialDate:
    return PartialDate(*parse_partial(said))


def cited_name(authorship: Authorship) -> CitedName:
    """The parts of a shown name: as the source gave them that printed it so, else taken apart.

    Where it takes the place of another name, sources print that one: it is taken apart.
    """
    name = " ".join(authorship.name.split())
    if authorship.is_collaboration:
        return CitedName(literal=name)
    fetched: Sequence[SourceAuthorship | PrintedName] | None = getattr(authorship, "printed_names", None)
    if authorship.replaced_name is not None:
        fetched = ()
    elif fetched is None:
        fetched = list(authorship.source_authorships.order_by("source_record_id"))
    printed = [found for found in fetched if found.family]
    same = [found for found in printed if _same_letters(found.name, name)]
    if same:
        best = same[0]
        return CitedName(family=best.family.strip(), given=best.given.strip(), suffix=best.suffix.strip())
    parts = split_name(name)
    if not parts.family:
        return CitedName(literal=name)
    return CitedName(family=parts.family, given=parts.given, suffix=parts.suffix)


def _same_letters(one: str, other: str) -> bool:
    def letters(text: str) -> str:
        return "".join(sorted(character for character in text.casefold() if character.isalnum()))

    return one == other or letters(one) == letters(other)
