"""What is known of institutions, as far as telling them apart in print needs it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownInstitution:
    """An institution with its names (each with its kind: label, alias or acronym) and its places.

    ``countries`` are codes of ISO 3166. ``leads_to`` is what it became, 0 for itself; ``relatives`` are its parents,
    children and related institutions.
    """

    number: int
    names: tuple[tuple[str, str], ...]
    cities: tuple[str, ...] = ()
    subdivisions: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    status: str = "active"
    leads_to: int = 0
    parents: frozenset[int] = frozenset()
    relatives: frozenset[int] = frozenset()
