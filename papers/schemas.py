"""Papers, categories and what hangs on them, as programs read them."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from ninja import Field

from wovepaper.rest.schemas import ListOf, PageParameters, Selectable, Shape

KindName = Literal[
    "preprint", "article", "proceedings-article", "book", "book-chapter", "thesis", "report", "dataset", "other"
]
StatusName = Literal["current", "withdrawn", "retracted"]
SortName = Literal["newest", "oldest", "cited"]
AUTHORS_OF_ONE = 100
AUTHORS_IN_A_LIST = 20


class IdentifierOut(Shape):
    """A name that some registry or source gave it."""

    scheme: str
    value: str


class PublishedOut(Shape):
    """A date, and how much of it is known."""

    date: dt.date = Field(description="The first day of the period that precision names.")
    precision: Literal["day", "month", "year"]


class ResearcherRef(Shape):
    """Whom an author is taken to be."""

    id: int
    name: str
    url: str


class InstitutionRef(Shape):
    """An institution that an affiliation names."""

    id: int
    ror: str
    name: str


class AffiliationOut(Shape):
    """An affiliation as printed, and the institution it was found to name."""

    text: str
    institution: InstitutionRef | None


class AuthorOut(Selectable):
    """A place in an author list."""

    position: int = Field(description="From 1.")
    name: str
    orcid: str | None = Field(description="As a source gives it with the name, or that of the researcher.")
    researcher: ResearcherRef | None
    affiliations: list[AffiliationOut]


class VersionOut(Selectable):
    """One version of a preprint."""

    number: int
    submitted_at: dt.datetime | None
    withdrawn: bool


class MetricOut(Shape):
    """How often a source says that it is cited."""

    source: str
    cited_by_count: int
    as_of: dt.date


class PaperOut(Selectable):
    """A paper."""

    id: int
    url: str = Field(description="Its page.")
    title: str = Field(description="Plain text with TeX mathematics between dollar signs.")
    abstract: str | None
    kind: KindName
    status: StatusName
    arxiv_id: str | None
    doi: str | None
    identifiers: list[IdentifierOut]
    published: PublishedOut | None
    categories: list[str] = Field(description="arXiv's codes, the primary one first.")
    primary_category: str | None
    authors: list[AuthorOut] = Field(
        description=f"At most {AUTHORS_OF_ONE} on a paper asked for by itself, {AUTHORS_IN_A_LIST} in a list."
    )
    author_count: int
    authors_url: str = Field(description="The list of all authors.")
    versions: list[VersionOut]
    venue: str | None
    metrics: list[MetricOut]
    updated_at: dt.datetime


class PaperList(ListOf[PaperOut]):
    """A page of papers."""


class BulkList(PaperList):
    """A page of papers, or those asked for by ids."""

    missing: list[str] = Field(default_factory=list, description="Ids of which there is nothing here.")


class AuthorList(ListOf[AuthorOut]):
    """A page of an author list."""


class VersionList(ListOf[VersionOut]):
    """All versions."""


class CitedOut(Shape):
    """The paper here that a reference means."""

    id: int
    url: str
    title: str
    arxiv_id: str | None
    status: StatusName


class ReferenceOut(Selectable):
    """An entry of a list of references."""

    position: int
    text: str | None = Field(description="As printed, or put together from what a source took it apart into.")
    identifiers: list[IdentifierOut]
    paper: CitedOut | None


class ReferenceList(ListOf[ReferenceOut]):
    """A page of a list of references."""


class SaidOut(Shape):
    """What a record says of one field of the paper."""

    field: str
    text: str
    differs: bool = Field(description="Whether something else is shown.")


class SourceOut(Selectable):
    """A record that a source has of the paper."""

    source: str
    format: str
    external_id: str
    stamp: str | None = Field(description="The source's own date of change, as sent.")
    harvested_at: dt.datetime
    says: list[SaidOut]


class SourceList(ListOf[SourceOut]):
    """The records of a paper."""


class CategoryOut(Selectable):
    """A category of arXiv's taxonomy."""

    code: str
    name: str
    group: str
    group_name: str
    canonical: str | None = Field(description="The category that this code is another name of.")
    url: str


class CategoryList(ListOf[CategoryOut]):
    """All categories."""


class PaperFilters(PageParameters):
    """What a list of papers takes; the meaning is that of the page of papers."""

    ids: str = Field(
        "",
        max_length=20_000,
        description="Up to 100 papers at once, separated by commas: each as in /papers/{ref}. Nothing but select goes "
        "with it.",
    )
    year_from: int | None = Field(None, description="Published in this year or later.")
    year_to: int | None = Field(None, description="Published in this year or earlier.")
    category: str = Field("", description="Code of a category, such as cs.CL.")
    country: str = Field("", description="Country of an author's institution, by its ISO 3166 code.")
    institution: str = Field("", description="An author's institution: its number, ROR id or exact name.")
    kind: KindName | None = None
    status: StatusName | None = None
    source: str = Field("", description="A source that has a record of it, such as crossref.")
    sort: SortName = "newest"
