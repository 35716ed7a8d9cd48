"""SearchIndexes for these tests only: nothing finds them by itself."""

from __future__ import annotations

import datetime as dt
from typing import Any

from haystack import indexes
from haystack.fields import FacetMultiValueField

from papers.models import Category, Paper


class PaperIndex(indexes.SearchIndex, indexes.Indexable):
    """What the portal will want of papers, from attributes alone, so that no database is needed."""

    text = indexes.CharField(document=True)
    title = indexes.CharField(model_attr="title")
    abstract = indexes.CharField(model_attr="abstract")
    authors = indexes.MultiValueField()
    categories = indexes.MultiValueField(model_attr="categories", faceted=True)
    kind = indexes.CharField(model_attr="kind", faceted=True)
    year = indexes.IntegerField(faceted=True)
    sort_date = indexes.DateField(model_attr="sort_date")
    pages = indexes.IntegerField(null=True)

    def get_model(self) -> type[Paper]:
        return Paper

    def prepare(self, obj: Paper) -> dict[str, Any]:
        prepared = super().prepare(obj)
        names = list(getattr(obj, "names", []))
        prepared["authors"] = names
        prepared["text"] = "\n".join([obj.title, obj.abstract, *names])
        prepared["year"] = as_date(obj.sort_date).year
        prepared["pages"] = int(obj.pages) if obj.pages else None
        if hasattr(obj, "boost"):
            prepared["boost"] = obj.boost
        return prepared


class CategoryIndex(indexes.SearchIndex, indexes.Indexable):
    """A second model in the same index."""

    text = indexes.CharField(document=True, model_attr="name")
    title = indexes.CharField(model_attr="name")

    def get_model(self) -> type[Category]:
        return Category


class EverythingIndex(indexes.SearchIndex, indexes.Indexable):
    """Every field Haystack has; the values are handed in as ``given``."""

    text = indexes.CharField(document=True, stored=False)
    name = indexes.CharField(faceted=True, null=True)
    hidden = indexes.CharField(stored=False, null=True)
    shown = indexes.CharField(indexed=False, null=True)
    shown_on = indexes.DateField(indexed=False, null=True)
    exact = indexes.CharField(analyzer="exact", null=True)
    ngrams = indexes.NgramField(null=True)
    beginnings = indexes.EdgeNgramField(null=True)
    number = indexes.IntegerField(faceted=True, null=True)
    ratio = indexes.FloatField(faceted=True, null=True)
    price = indexes.DecimalField(faceted=True, null=True)
    flag = indexes.BooleanField(faceted=True, null=True)
    day = indexes.DateField(faceted=True, null=True)
    moment = indexes.DateTimeField(faceted=True, null=True)
    tags = indexes.MultiValueField(faceted=True, null=True)
    source = indexes.FacetCharField(null=True)
    codes = FacetMultiValueField()
    heavy = indexes.CharField(boost=3.0, null=True)

    def get_model(self) -> type[Paper]:
        return Paper

    def prepare(self, obj: Paper) -> dict[str, Any]:
        return super().prepare(obj) | {"text": "thing"} | getattr(obj, "given", {})


def as_date(value: dt.date | str) -> dt.date:
    """The model's default date is text until it is saved."""
    return dt.date.fromisoformat(value) if isinstance(value, str) else value


def paper(pk: int, title: str = "Untitled", abstract: str = "", **values: Any) -> Paper:
    """An unsaved paper; ``names``, ``given`` and ``boost`` are set beside its fields."""
    extra = {name: values.pop(name) for name in ("names", "given", "boost") if name in values}
    values.setdefault("sort_date", dt.date(2000, 1, 1))
    made = Paper(pk=pk, title=title, abstract=abstract, **values)
    for name, value in extra.items():
        setattr(made, name, value)
    return made
