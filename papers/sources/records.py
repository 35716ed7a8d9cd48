"""What a source says of a paper, in one shape for all sources. Values only: nothing here is saved.

Text is plain Unicode: TeX accents decoded, markup removed, white space folded; mathematics stays TeX between dollar
signs. Identifiers are normalised (``wovepaper.lib``).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date with the precision the source gave: month and day are ``None`` where unknown."""

    year: int
    month: int | None = None
    day: int | None = None

    @property
    def precision(self) -> Literal["day", "month", "year"]:
        """How much is known."""
        if self.month is None:
            return "year"
        return "month" if self.day is None else "day"

    @property
    def first_day(self) -> dt.date:
        """The first day of the period. Raises ``ValueError`` for a day that does not exist."""
        return dt.date(self.year, self.month or 1, self.day or 1)

    @classmethod
    def of(cls, day: dt.date, precision: str = "day") -> PartialDate:
        """A date, or as much of it as ``precision`` says."""
        match precision:
            case "year":
                return cls(day.year)
            case "month":
                return cls(day.year, day.month)
        return cls(day.year, day.month, day.day)

    def __str__(self) -> str:
        """In the form of ISO 8601: ``2015``, ``2015-03`` or ``2015-03-04``."""
        parts = [f"{part:02d}" for part in (self.month, self.day) if part is not None]
        return "-".join([f"{self.year:04d}", *parts])


@dataclass(frozen=True, slots=True)
class AuthorRecord:
    """One entry of an author list, as printed. ``name`` is the full printed form, the parts only where known."""

    name: str
    given: str = ""
    family: str = ""
    suffix: str = ""
    orcid: str = ""
    source_author_id: str = ""
    affiliations: tuple[str, ...] = ()
    is_collaboration: bool = False
    corresponding: bool = False


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """One submitted version of a preprint; ``size`` in bytes."""

    number: int
    submitted_at: dt.datetime | None = None
    size: int | None = None
    source_type: str = ""
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class CitationCount:
    """How often others cite the paper, as the source counts; ``as_of`` is empty where it does not date its counts."""

    count: int
    as_of: dt.date | None = None


@dataclass(frozen=True, slots=True)
class ReferenceRecord:
    """One entry of a paper's list of references; its place in the list is its position.

    ``identifiers`` as of ``PaperRecord``: they say which work is meant. ``text`` is the entry as printed, where the
    source has it; the other fields are what it was taken apart into. A source may know no more than an identifier.
    """

    identifiers: tuple[tuple[str, str], ...] = ()
    title: str = ""
    authors: str = ""
    year: int | None = None
    container: str = ""
    volume: str = ""
    first_page: str = ""
    text: str = ""

    @property
    def shown_text(self) -> str:
        """As printed, or put together from its parts; empty where nothing is known but identifiers."""
        if self.text:
            return self.text
        where = " ".join(part for part in (self.container, self.volume) if part)
        where = ", ".join(part for part in (where, self.first_page) if part)
        who = f"{self.authors} ({self.year})" if self.authors and self.year else self.authors
        said = [part.rstrip(" .") for part in (who, self.title, where) if part]
        if self.year and not self.authors:
            said.append(str(self.year))
        return f"{'. '.join(said)}." if said else ""


DateKind = Literal[
    "submitted", "accepted", "approved", "posted", "published-online", "published-print", "published-other"
]
"""What happened on a date that a source gives, in the order in which it happens."""


@dataclass(frozen=True, slots=True)
class EventRecord:
    """The conference that a paper was given at."""

    name: str
    acronym: str = ""
    place: str = ""
    start: PartialDate | None = None
    end: PartialDate | None = None


NoticeKind = Literal[
    "retraction", "withdrawal", "removal", "partial-retraction", "expression-of-concern", "correction", "reinstatement"
]


@dataclass(frozen=True, slots=True)
class NoticeRecord:
    """A notice about a work that was published before. ``work`` and ``notice`` are their DOIs.

    The record of either may tell of it. They are one DOI where the notice took the place of the work; ``notice`` is
    empty where it has none. ``asserted_by`` is ``publisher``, or who keeps a register (``retraction-watch``).
    """

    kind: NoticeKind
    work: str
    notice: str = ""
    date: PartialDate | None = None
    asserted_by: str = "publisher"


@dataclass(frozen=True, slots=True)
class PaperRecord:
    """Everything one source record says of one paper. Empty means that the source does not say.

    ``rank`` orders the records of one paper for precedence, lowest first; equal ranks are broken by format and
    external id, so that the outcome never depends on the order of arrival.
    """

    source: str
    format: str
    external_id: str
    stamp: str
    payload: bytes
    content_hash: str
    identifiers: tuple[tuple[str, str], ...]
    title: str
    rank: int = 50
    abstract: str = ""
    kind: str = ""
    published: PartialDate | None = None
    primary_category: str = ""
    categories: tuple[str, ...] = ()
    authors: tuple[AuthorRecord, ...] = ()
    versions: tuple[VersionRecord, ...] = ()
    withdrawn: bool | None = None
    retracted: bool = False
    """Whether the source says that the publication was retracted."""
    venue: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    licence: str = ""
    comments: str = ""
    journal_reference: str = ""
    report_number: str = ""
    references: tuple[ReferenceRecord, ...] = ()
    """In the order of the list; content, so a hash of content covers them."""
    reference_count: int | None = None
    """How many there are by the source's own count, which may list fewer or none; content too."""
    dates: tuple[tuple[DateKind, PartialDate], ...] = ()
    """What happened when, each kind at most once. ``published`` stays the one date that the paper is sorted by."""
    event: EventRecord | None = None
    notices: tuple[NoticeRecord, ...] = ()
    """Of retractions and the like: those about this work, and, if this is itself a notice, what it is about."""
    citations: CitationCount | None = None
    """Part of the envelope: it changes without the record saying anything else, so no hash of content covers it."""
    is_demo: bool = False
    names_only: bool = False
    """It says no more than that its identifiers name one work: it has no title, and makes no paper."""
