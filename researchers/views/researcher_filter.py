"""What a reader may ask of the papers of one researcher."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from papers.models import Paper
from papers.querysets import PaperQuerySet
from papers.views.links import Link, address
from researchers.services.profile.summary import UNCLASSIFIED, Summary

SORTS = {"newest": "Newest first", "oldest": "Oldest first", "cited": "Most cited first"}
_YEAR = re.compile(r"\d{4}", re.ASCII)
_FIELD = re.compile(r"[A-Za-z][A-Za-z.-]{0,31}", re.ASCII)


@dataclass(frozen=True, slots=True)
class WorksFilter:
    """The filters in force, each empty where not. ``field`` is a primary category, or ``none``."""

    field: str = ""
    year: int | None = None
    kind: str = ""
    sort: str = "newest"

    @classmethod
    def read(cls, query: Mapping[str, str]) -> tuple[WorksFilter, list[str]]:
        """The filter of an address, and a sentence for each parameter that could not be read."""
        found: dict[str, Any] = {}
        problems = []
        readers = {
            "field": (lambda text: bool(_FIELD.fullmatch(text)), str, "A field is a category such as cs.CL, or none."),
            "year": (lambda text: bool(_YEAR.fullmatch(text)) and text > "0999", int, "A year is a number: 2019."),
            "kind": (lambda text: text in Paper.Kind.values, str, "Kinds are: " + ", ".join(Paper.Kind.values) + "."),
            "sort": (lambda text: text in SORTS, str, "The order is one of: " + ", ".join(SORTS) + "."),
        }
        for name, (is_readable, convert, rule) in readers.items():
            text = query.get(name, "").strip()
            if text and is_readable(text):
                found[name] = convert(text)
            elif text:
                problems.append(f"“{_excerpt(text)}” was left out. {rule}")
        return cls(**found), problems

    def apply(self, papers: PaperQuerySet) -> PaperQuerySet:
        """The papers that pass."""
        if self.field:
            papers = papers.filter(primary_category=None if self.field == UNCLASSIFIED else self.field)
        if self.year:
            papers = papers.published_between(self.year, self.year)
        return papers.of_kind(self.kind) if self.kind else papers

    @property
    def is_active(self) -> bool:
        """Whether any paper is left out."""
        return bool(self.field or self.year or self.kind)

    def url(self, path: str, **changes: Any) -> str:
        """The address of the list with changes, from its first page on."""
        changed = replace(self, **changes)
        query = {"field": changed.field, "year": changed.year, "kind": changed.kind, "sort": changed.sort}
        return address(path, {name: value for name, value in query.items() if value != "newest"})

    @property
    def query(self) -> dict[str, object]:
        """What the neighbouring pages repeat."""
        query = {"field": self.field, "year": self.year, "kind": self.kind, "sort": self.sort}
        return {name: value for name, value in query.items() if value and value != "newest"}

    def chips(self, path: str, summary: Summary) -> list[Link]:
        """Each filter in words, with the address without it."""
        chips = []
        if self.field:
            label = next((bar.label for bar in summary.fields if bar.key == self.field), self.field)
            chips.append(Link(label, self.url(path, field="")))
        if self.year:
            chips.append(Link(str(self.year), self.url(path, year=None)))
        if self.kind:
            chips.append(Link(str(Paper.Kind(self.kind).label), self.url(path, kind="")))
        return chips


def _excerpt(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
