"""Researchers as programs read them."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from ninja import Field

from papers.schemas import KindName
from wovepaper.rest.schemas import ListOf, PageParameters, Selectable, Shape


class ResearcherIdentifierOut(Shape):
    """A name that a registry or source gave the person."""

    scheme: str
    value: str
    trusted: bool = Field(description="False for what is only claimed so far.")


class ResearcherMetricOut(Shape):
    """What a source counts for the person, by its own rules and over its own works."""

    source: str
    h_index: int | None
    cited_by_count: int | None
    works_count: int | None
    as_of: dt.date


class ResearcherOut(Selectable):
    """A person to whom papers here are attributed. Figures without a source are counted over the papers here."""

    id: int
    url: str = Field(description="Their page.")
    name: str
    other_names: list[str] = Field(description="Other names they are printed under, without those they had hidden.")
    orcid: str | None
    identifiers: list[ResearcherIdentifierOut]
    affiliation: str | None = Field(description="What their latest paper prints that prints one.")
    categories: list[str] = Field(description="arXiv's codes, those of most papers first.")
    countries: list[str] = Field(description="ISO 3166 codes of their institutions' countries.")
    paper_count: int
    citation_count: int | None
    h_index: int | None
    first_year: int | None
    last_year: int | None
    metrics: list[ResearcherMetricOut]
    updated_at: dt.datetime


class CoauthorOut(Selectable):
    """Somebody they wrote papers with."""

    id: int
    url: str
    name: str
    papers: int = Field(description="Papers together.")
    first_year: int | None
    last_year: int | None


class CoauthorList(ListOf[CoauthorOut]):
    """A page of co-authors, those with the most papers together first."""


class WorksParameters(PageParameters):
    """What the list of a researcher's papers takes."""

    category: str = Field("", max_length=32, description="Primary category, such as cs.CL.")
    year: int | None = Field(None, ge=1000, le=9999)
    kind: KindName | None = None
    sort: Literal["newest", "oldest", "cited"] = "newest"
