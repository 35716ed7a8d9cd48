"""What a registry says of an organisation, as values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NameRecord:
    """A name; ``kind`` is label, alias or acronym, ``lang`` an ISO 639 code or empty."""

    value: str
    lang: str
    kind: str


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """Where it is. Coordinates in degrees, north and east positive; ``country`` is an ISO 3166 code."""

    city: str
    subdivision: str
    country: str
    latitude: float | None
    longitude: float | None


@dataclass(frozen=True, slots=True)
class IdentifierRecord:
    """What another registry calls it."""

    scheme: str
    value: str
    preferred: bool


@dataclass(frozen=True, slots=True)
class RelationRecord:
    """What it is to another organisation: that one is its parent, its child and so on."""

    kind: str
    ror_id: str
    label: str


@dataclass(frozen=True, slots=True)
class OrganisationRecord:
    """Everything one record says. Empty means that the registry does not say."""

    ror_id: str
    stamp: str
    content_hash: str
    display_name: str
    status: str
    kind: str
    kinds: tuple[str, ...]
    names: tuple[NameRecord, ...]
    places: tuple[PlaceRecord, ...] = ()
    identifiers: tuple[IdentifierRecord, ...] = ()
    relations: tuple[RelationRecord, ...] = ()
    established: int | None = None
    homepage: str = ""
    wikipedia: str = ""
    domains: tuple[str, ...] = ()
