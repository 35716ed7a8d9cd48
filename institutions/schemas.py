"""Institutions as programs read them."""

from __future__ import annotations

import datetime as dt

from ninja import Field

from wovepaper.rest.schemas import Selectable, Shape


class InstitutionNameOut(Shape):
    """A name of an institution."""

    value: str
    lang: str | None = Field(description="ISO 639 code, where the registry says.")
    kind: str = Field(description="label, alias or acronym.")


class InstitutionIdentifierOut(Shape):
    """What another registry calls it."""

    scheme: str
    value: str


class InstitutionOut(Selectable):
    """An institution of ROR, the Research Organization Registry."""

    id: int
    url: str = Field(description="Its page.")
    ror: str
    name: str
    names: list[InstitutionNameOut]
    kinds: list[str]
    status: str = Field(description="active, inactive or withdrawn.")
    established: int | None = Field(description="Year.")
    country: str | None = Field(description="ISO 3166 code.")
    city: str | None
    latitude: float | None
    longitude: float | None
    homepage: str | None
    domains: list[str]
    identifiers: list[InstitutionIdentifierOut]
    paper_count: int
    researcher_count: int
    updated_at: dt.datetime
