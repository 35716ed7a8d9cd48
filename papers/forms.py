"""What a reader may ask of a list of papers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from django import forms

from institutions.services.finding import find_by_address
from papers.category_groups import Choice
from papers.models import Paper
from papers.querysets import PaperQuerySet
from wovepaper.harvest import registry
from wovepaper.lib.countries import country_name, country_names
from wovepaper.lib.page_head import shorten

SOURCE_NAMES = {
    "arxiv": "arXiv",
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "semantic-scholar": "Semantic Scholar",
    "demo": "Invented",
}
FIRST_YEAR = 1400


@dataclass(frozen=True, slots=True)
class PaperFilter:
    """The filters in force, each empty where not."""

    year_from: int | None = None
    year_to: int | None = None
    category: str = ""
    country: str = ""
    institution: int | None = None
    kind: str = ""
    status: str = ""
    source: str = ""
    sort: str = "newest"
    institution_name: str = ""
    """Of the chosen one, to be shown; no parameter."""

    def apply(self, papers: PaperQuerySet) -> PaperQuerySet:
        """The papers that pass."""
        if self.year_from or self.year_to:
            papers = papers.published_between(self.year_from, self.year_to)
        if self.category:
            papers = papers.in_category(self.category)
        if self.country:
            papers = papers.from_country(self.country)
        if self.institution:
            papers = papers.from_institution(self.institution)
        if self.kind:
            papers = papers.of_kind(self.kind)
        if self.status:
            papers = papers.with_status(self.status)
        if self.source:
            papers = papers.from_source(self.source)
        return papers

    def as_query(self, **changes: Any) -> dict[str, str]:
        """The filter, with changes, as the parameters of an address; what is not set stays out."""
        changed = replace(self, **changes)
        values = {field.name: getattr(changed, field.name) for field in fields(changed)}
        del values["institution_name"]
        if values["sort"] == "newest":
            del values["sort"]
        return {name: str(value) for name, value in values.items() if value}

    @property
    def is_active(self) -> bool:
        """Whether any paper is left out."""
        return bool(replace(self, sort="newest").as_query())

    def chips(self) -> list[tuple[str, dict[str, Any]]]:
        """Each filter in words, with the change that takes it away."""
        chips: list[tuple[str, dict[str, Any]]] = []
        if self.year_from and self.year_to:
            years = str(self.year_from) if self.year_from == self.year_to else f"{self.year_from} to {self.year_to}"
            chips.append((years, {"year_from": None, "year_to": None}))
        elif self.year_from:
            chips.append((f"from {self.year_from}", {"year_from": None}))
        elif self.year_to:
            chips.append((f"until {self.year_to}", {"year_to": None}))
        if self.category:
            chips.append((self.category, {"category": ""}))
        if self.country:
            chips.append((country_name(self.country), {"country": ""}))
        if self.institution:
            chips.append((shorten(self.institution_name, 60), {"institution": None}))
        if self.kind:
            chips.append((str(Paper.Kind(self.kind).label), {"kind": ""}))
        if self.status:
            chips.append((str(Paper.Status(self.status).label), {"status": ""}))
        if self.source:
            chips.append((f"known to {SOURCE_NAMES.get(self.source, self.source)}", {"source": ""}))
        return chips


KINDS = [("", "Any kind"), *((str(value), str(label)) for value, label in Paper.Kind.choices)]
STATUSES = [("", "Any status"), *((str(value), str(label)) for value, label in Paper.Status.choices)]
SORTS = [("newest", "Newest first"), ("oldest", "Oldest first"), ("cited", "Most cited")]


def source_choices() -> list[tuple[str, str]]:
    """The sources of papers that are registered, by the names readers know; others bring people or institutions."""
    return [("", "Any source"), *((name, SOURCE_NAMES[name]) for name in registry.names() if name in SOURCE_NAMES)]


@cache
def country_choices() -> list[tuple[str, str]]:
    """All countries by name."""
    return [("", "Any country"), *sorted(country_names().items(), key=lambda one: one[1])]


class PaperFilterForm(forms.Form):
    """Reads a filter from an address. What cannot be read is left out, with a sentence that says so."""

    year_from = forms.IntegerField(required=False, label="From year")
    year_to = forms.IntegerField(required=False, label="To year")
    category = forms.CharField(required=False, label="Category", max_length=32)
    country = forms.ChoiceField(required=False, label="Country", choices=country_choices)
    institution = forms.CharField(required=False, label="Institution", max_length=200)
    kind = forms.ChoiceField(required=False, label="Kind", choices=KINDS)
    status = forms.ChoiceField(required=False, label="Status", choices=STATUSES)
    source = forms.ChoiceField(required=False, label="Source", choices=source_choices)
    sort = forms.ChoiceField(required=False, label="Order", choices=SORTS)

    def __init__(self, data: Mapping[str, str], *, categories: Mapping[str, Choice]) -> None:
        super().__init__(data)
        self.categories = categories
        self.institution_name = ""

    def _clean_year(self, name: str) -> int | None:
        year: int | None = self.cleaned_data[name]
        last = dt.datetime.now(dt.UTC).year + 5
        if year is not None and not FIRST_YEAR <= year <= last:
            raise forms.ValidationError(f"Years run from {FIRST_YEAR} to {last}.")
        return year

    def clean_year_from(self) -> int | None:
        """A year the catalogue can have."""
        return self._clean_year("year_from")

    def clean_year_to(self) -> int | None:
        """A year the catalogue can have."""
        return self._clean_year("year_to")

    def clean_category(self) -> str:
        """The category's canonical code, in whatever case it was typed."""
        typed: str = self.cleaned_data["category"].strip()
        if not typed:
            return ""
        category = self.categories.get(typed) or next(
            (one for one in self.categories.values() if one.code.lower() == typed.lower()), None
        )
        if category is None:
            raise forms.ValidationError("There is no such category; the list of categories has them all.")
        return category.canonical or category.code

    def clean_institution(self) -> int | None:
        """The number of the institution, given by its number, its ROR id or its exact name in any language."""
        typed: str = self.cleaned_data["institution"].strip()
        if not typed:
            return None
        found = find_by_address(typed)
        if found.institution is None:
            raise forms.ValidationError(
                "Several are called so; the list of institutions tells them apart."
                if found.ambiguous
                else "No institution here has this number, ROR id or name."
            )
        self.institution_name = found.institution.display_name
        return found.institution.pk

    def clean(self) -> dict[str, Any]:
        """Years the wrong way round are taken the right way round."""
        cleaned = super().clean() or {}
        first, last = cleaned.get("year_from"), cleaned.get("year_to")
        if first and last and first > last:
            cleaned["year_from"], cleaned["year_to"] = last, first
        return cleaned

    def read(self) -> tuple[PaperFilter, list[str]]:
        """The filter, and a sentence for each parameter that could not be read."""
        self.full_clean()
        values = {name: value for name, value in self.cleaned_data.items() if value}
        problems = []
        for name in self.errors:
            problems.append(
                f"{self.fields[name].label} “{_excerpt(self.data.get(name, ''))}” was left out. {_why(self, name)}"
            )
        return PaperFilter(**values, institution_name=self.institution_name), problems


def read_filter(query: Mapping[str, str], categories: Iterable[Choice]) -> tuple[PaperFilter, list[str]]:
    """The filter that an address asks for, and a sentence for each parameter that could not be read."""
    if not any(name in query for name in PaperFilterForm.base_fields):
        return PaperFilter(), []
    return PaperFilterForm(query, categories={one.code: one for one in categories}).read()


def _why(form: forms.Form, name: str) -> str:
    field = form.fields[name]
    if isinstance(field, forms.ChoiceField):
        return "It is none of the choices."
    if isinstance(field, forms.IntegerField) and form.errors.as_data()[name][0].code == "invalid":
        return "A year is a number such as 2019."
    return str(form.errors[name][0])


def _excerpt(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
