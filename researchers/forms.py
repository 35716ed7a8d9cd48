"""What a reader may ask of the list of researchers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from papers.category_groups import Choice
from papers.forms import FIRST_YEAR
from papers.keyset import Key
from researchers.querysets import ResearcherQuerySet
from wovepaper.lib.countries import country_name, is_country


class Order(NamedTuple):
    """An order of the list: how it is called, and the field whose index serves it."""

    label: str
    key_field: str
    key_type: type[Key]
    descending: bool


ORDERS = {
    "papers": Order("Most papers", "paper_count", int, True),
    "citations": Order("Most cited", "citation_order", int, True),
    "h-index": Order("h-index", "h_index_order", int, True),
    "name": Order("Name", "sort_name", str, False),
}
DEFAULT_ORDER = "papers"


@dataclass(frozen=True, slots=True)
class ResearcherFilter:
    """The filters in force, each empty where not. What ``q`` finds is by relevance unless ``sort`` is set."""

    q: str = ""
    category: str = ""
    country: str = ""
    year: int | None = None
    sort: str = ""

    def apply(self, researchers: ResearcherQuerySet) -> ResearcherQuerySet:
        """The researchers that pass; ``q`` is the search engine's affair."""
        if self.category:
            researchers = researchers.filter(categories__contains=[self.category])
        if self.country:
            researchers = researchers.filter(countries__contains=[self.country])
        if self.year:
            researchers = researchers.filter(years__contains=[self.year])
        return researchers

    def as_query(self, **changes: Any) -> dict[str, str]:
        """The filter, with changes, as the parameters of an address; what is not set stays out."""
        changed = replace(self, **changes)
        values = {field.name: getattr(changed, field.name) for field in fields(changed)}
        if values["sort"] == ("" if changed.q else DEFAULT_ORDER):
            del values["sort"]
        return {name: str(value) for name, value in values.items() if value}

    @property
    def is_active(self) -> bool:
        """Whether any researcher is left out."""
        return bool(self.q or self.category or self.country or self.year)

    @property
    def order(self) -> Order:
        """The order of a list without a search."""
        return ORDERS[self.sort or DEFAULT_ORDER]

    def chips(self) -> list[tuple[str, dict[str, Any]]]:
        """Each filter in words, with the change that takes it away."""
        chips: list[tuple[str, dict[str, Any]]] = []
        if self.q:
            chips.append((f"called {self.q if len(self.q) <= 60 else f'{self.q[:59]}…'}", {"q": ""}))
        if self.category:
            chips.append((self.category, {"category": ""}))
        if self.country:
            chips.append((country_name(self.country), {"country": ""}))
        if self.year:
            chips.append((f"active in {self.year}", {"year": None}))
        return chips


def read_filter(
    query: Mapping[str, str], categories: Mapping[str, Choice], *, text: str
) -> tuple[ResearcherFilter, list[str]]:
    """The filter that an address asks for, and a sentence for each parameter that could not be read.

    ``text`` is what is searched for, tidied by the caller.
    """
    values: dict[str, Any] = {"q": text}
    problems = []
    for name, read in (("category", _category), ("country", _country), ("year", _year), ("sort", _sort)):
        typed = query.get(name, "").strip()
        if not typed:
            continue
        try:
            values[name] = read(typed, categories)
        except ValueError as error:
            shown = typed if len(typed) <= 40 else f"{typed[:39]}…"
            problems.append(f"{_LABELS[name]} “{shown}” was left out. {error}")
    return ResearcherFilter(**values), problems


_LABELS = {"category": "Field", "country": "Country", "year": "Year", "sort": "Order"}


def _category(typed: str, categories: Mapping[str, Choice]) -> str:
    found = categories.get(typed) or next(
        (one for one in categories.values() if one.code.lower() == typed.lower()), None
    )
    if found is None:
        raise ValueError("There is no such category; the list of categories has them all.")
    return found.canonical or found.code


def _country(typed: str, _: object) -> str:
    code = typed.upper()
    if not is_country(code):
        raise ValueError("A country is given by its code of two letters, such as DE.")
    return code


def _year(typed: str, _: object) -> int:
    last = dt.datetime.now(dt.UTC).year + 5
    if not (typed.isascii() and typed.isdigit() and len(typed) <= 4):
        raise ValueError("A year is a number such as 2019.")
    if not FIRST_YEAR <= int(typed) <= last:
        raise ValueError(f"Years run from {FIRST_YEAR} to {last}.")
    return int(typed)


def _sort(typed: str, _: object) -> str:
    if typed not in ORDERS:
        raise ValueError("It can be papers, citations, h-index or name.")
    return typed
