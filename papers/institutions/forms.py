"""What a reader may ask of the list of institutions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from institutions.models import Institution
from institutions.querysets import InstitutionQuerySet
from institutions.services.finding import search_by_name
from wovepaper.lib.countries import country_name, is_country


class Order(NamedTuple):
    """An order of the list, and the column whose index serves it; ``slug`` is the name, folded."""

    label: str
    key_field: str
    descending: bool = True


ORDERS = {
    "papers": Order("Most papers", "paper_count"),
    "researchers": Order("Most researchers", "researcher_count"),
    "name": Order("By name", "slug", descending=False),
}
DEFAULT_ORDER = "papers"
LONGEST_QUERY = 200


@dataclass(frozen=True, slots=True)
class InstitutionFilter:
    """The filters in force, each empty where not."""

    q: str = ""
    country: str = ""
    kind: str = ""
    sort: str = ""

    def apply(self, institutions: InstitutionQuerySet) -> InstitutionQuerySet:
        """The institutions that pass."""
        if self.q:
            institutions = search_by_name(institutions, self.q)
        if self.country:
            institutions = institutions.filter(country=self.country)
        if self.kind:
            institutions = institutions.filter(kinds__contains=[self.kind])
        return institutions

    @property
    def order(self) -> Order:
        """The order of the list."""
        return ORDERS[self.sort or DEFAULT_ORDER]

    @property
    def is_active(self) -> bool:
        """Whether any institution is left out."""
        return bool(self.q or self.country or self.kind)

    def as_query(self, **changes: str) -> dict[str, str]:
        """The filter, with changes, as the parameters of an address; what is not set stays out."""
        changed = replace(self, **changes)
        values = {field.name: getattr(changed, field.name) for field in fields(changed)}
        if values["sort"] == DEFAULT_ORDER:
            del values["sort"]
        return {name: value for name, value in values.items() if value}

    def chips(self) -> list[tuple[str, dict[str, str]]]:
        """Each filter in words, with the change that takes it away."""
        chips: list[tuple[str, dict[str, str]]] = []
        if self.q:
            chips.append((f"called {self.q if len(self.q) <= 60 else f'{self.q[:59]}…'}", {"q": ""}))
        if self.country:
            chips.append((country_name(self.country), {"country": ""}))
        if self.kind:
            chips.append((str(Institution.Kind(self.kind).label), {"kind": ""}))
        return chips


def read_filter(query: Mapping[str, str]) -> tuple[InstitutionFilter, list[str]]:
    """The filter that an address asks for, and a sentence for each parameter that could not be read."""
    problems = []
    text = " ".join(query.get("q", "").replace("\x00", "").split())
    if len(text) > LONGEST_QUERY:
        text = text[:LONGEST_QUERY]
        problems.append(f"A name has at most {LONGEST_QUERY} characters here; the rest was left out.")
    values = {"q": text}
    for name, (known, sentence) in _KNOWN.items():
        typed = query.get(name, "").strip()
        value = typed.upper() if name == "country" else typed.lower()
        if not typed:
            continue
        if known(value):
            values[name] = value
        else:
            shown = typed if len(typed) <= 40 else f"{typed[:39]}…"
            problems.append(f"{name.capitalize()} “{shown}” was left out. {sentence}")
    return InstitutionFilter(**values), problems


_KNOWN = {
    "country": (is_country, "A country is given by its code of two letters, such as DE."),
    "kind": (lambda value: value in Institution.Kind.values, f"It can be {', '.join(Institution.Kind.values)}."),
    "sort": (lambda value: value in ORDERS, "It can be papers, researchers or name."),
}
