"""What the page of a paper shows, put together before it is printed."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from papers.models import SourceRecord


@dataclass(frozen=True, slots=True)
class ShownAuthor:
    """A name in the author list, with the numbers of its affiliations and the page of the researcher, if any."""

    name: str
    marks: str
    is_collaboration: bool
    url: str = ""
    is_likely: bool = False


@dataclass(frozen=True, slots=True)
class ShownDate:
    """A date with what happened on it."""

    label: str
    day: dt.date | None
    precision: str = "day"


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """The conference that a paper was given at; empty where a part is not known."""

    name: str
    acronym: str
    place: str
    days: str


@dataclass(frozen=True, slots=True)
class ShownCount:
    """How often a source says the paper is cited, and of which day that is."""

    source: str
    count: int
    as_of: dt.date


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """One row of "Where this comes from"."""

    source: str
    record: SourceRecord
    says: str


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where the paper itself can be read; empty where it cannot."""

    arxiv_url: str = ""
    pdf_url: str = ""
    doi_url: str = ""


@dataclass(frozen=True, slots=True)
class ShownArticle:
    """What a preprint was published as, beside its versions."""

    kind: str
    venue: str
    doi: str
    date: ShownDate | None
