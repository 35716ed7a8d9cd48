"""What comes back of a document, and what the schema says."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal

import pytest
from django.utils.safestring import SafeString
from haystack import connections, indexes
from haystack.exceptions import SearchBackendError
from haystack.query import SearchQuerySet

from papers.models import Paper
from tests.wovepaper.search.indexes import CategoryIndex, PaperIndex, paper
from wovepaper.search.schema import IndexSchema, Kind


def test_round_trip(everything):
    moment = dt.datetime(2009, 11, 21, 21, 31, 5, 250, tzinfo=dt.UTC)
    everything(
        {
            "name": SafeString("A <b>name</b> & \u2028\x00 \U0001f600"),
            "hidden": "not given back",
            "shown": "only given back",
            "shown_on": dt.date(1, 1, 1),
            "number": 2**80,
            "ratio": 3.6,
            "price": Decimal("24.90"),
            "flag": False,
            "day": dt.date(2009, 11, 21),
            "moment": moment,
            "tags": ["staff", 3, None],
            "codes": (code for code in ("x", "y")),
            "source": None,
        }
    )
    (hit,) = SearchQuerySet()
    assert hit.pk == "1"
    assert hit.model is Paper
    assert hit.id == "papers.paper.1"
    assert hit.name == "A <b>name</b> & \u2028\x00 \U0001f600"
    assert hit.name_exact == hit.name
    assert hit.text is None
    assert hit.hidden is None
    assert hit.shown == "only given back"
    assert hit.shown_on == dt.date(1, 1, 1)
    assert hit.number == 2**80
    assert hit.ratio == 3.6
    assert hit.price == "24.90"
    assert hit.flag is False
    assert hit.day == dt.date(2009, 11, 21)
    assert hit.moment == moment
    assert hit.tags == ["staff", 3]
    assert hit.codes == ["x", "y"]
    assert hit.source is None


def test_dates_are_what_their_field_says(everything):
    everything({"day": dt.datetime(2009, 11, 21, 12, 0, tzinfo=dt.UTC), "moment": dt.date(2009, 11, 21)})
    (hit,) = SearchQuerySet()
    assert hit.day == dt.date(2009, 11, 21)
    assert type(hit.day) is dt.date
    assert hit.moment == dt.datetime(2009, 11, 21, 0, 0)  # noqa: DTZ001 - as naive as the date


def test_lone_surrogates_are_replaced(everything):
    everything({"name": "a\ud800b", "tags": ["\udfff"], "source": "k\ud800"})
    (hit,) = SearchQuerySet()
    assert (hit.name, hit.tags, hit.source) == ("a\ufffdb", ["\ufffd"], "k\ufffd")
    assert len(SearchQuerySet().filter(source="k\ud800")) == 1


def test_values_and_values_list(add):
    add(paper(1, "First", pages="12"), paper(2, "Second"))
    results = SearchQuerySet().order_by("title")
    assert results.values_list("title", flat=True)[:5] == ["First", "Second"]
    assert results.values_list("pk", "pages")[:5] == [["1", 12], ["2", None]]
    assert results.values("title")[:5] == [{"title": "First"}, {"title": "Second"}]


def _schema(*search_indexes) -> IndexSchema:
    from haystack.utils.loading import UnifiedIndex

    unified = UnifiedIndex()
    unified.build(indexes=list(search_indexes))
    return IndexSchema.from_search_fields(unified.all_searchfields())


def test_schema():
    schema = _schema(PaperIndex())
    assert schema.document == "text"
    assert {name: field.kind for name, field in schema.fields.items()} == {
        "id": Kind.KEYWORD,
        "django_ct": Kind.KEYWORD,
        "django_id": Kind.KEYWORD,
        "text": Kind.TEXT,
        "title": Kind.TEXT,
        "abstract": Kind.TEXT,
        "authors": Kind.TEXT,
        "categories": Kind.TEXT,
        "categories_exact": Kind.KEYWORD,
        "kind": Kind.TEXT,
        "kind_exact": Kind.KEYWORD,
        "year": Kind.INTEGER,
        "year_exact": Kind.INTEGER,
        "sort_date": Kind.DATE,
        "pages": Kind.INTEGER,
    }
    # A faceted field sorts by its facet; a text of its own by a key beside it; the document by nothing.
    assert schema.fields["kind"].key == "kind_exact"
    assert schema.fields["title"].key == "title__key"
    assert schema.fields["text"].key == ""
    assert IndexSchema.from_json(schema.to_json()) == schema


def test_schema_of_several_indexes_has_the_fields_of_all():
    schema = _schema(PaperIndex(), CategoryIndex())
    assert set(schema.fields) == set(_schema(PaperIndex()).fields)


def test_schema_of_another_format_is_refused():
    kept = json.loads(_schema(PaperIndex()).to_json()) | {"format": 0}
    with pytest.raises(SearchBackendError, match=r"run manage\.py reindex"):
        IndexSchema.from_json(json.dumps(kept))


def test_schema_without_a_document_is_refused():
    with pytest.raises(SearchBackendError, match="document=True"):
        IndexSchema.from_search_fields({})


class _Title(indexes.SearchIndex, indexes.Indexable):
    text = indexes.CharField(document=True, model_attr="title")
    venue = indexes.CharField(model_attr="venue")

    def get_model(self):
        return Paper


def test_an_index_serves_with_its_own_schema_until_it_is_built_anew(connect, add):
    add(paper(1, "Old"))
    backend = connect(_Title())
    assert backend.needs_rebuild() is True
    # Written with the old schema: the new field is given back, and not yet searched.
    backend.update(connections["default"].get_unified_index().get_index(Paper), [paper(2, "New", venue="Journal")])
    assert [hit.venue for hit in SearchQuerySet().filter(content="new")] == ["Journal"]
    assert len(SearchQuerySet().filter(venue="journal")) == 0
    assert len(SearchQuerySet().filter(title="old")) == 1
    # An empty index takes the new schema at once.
    backend.clear([Paper])
    backend.update(connections["default"].get_unified_index().get_index(Paper), [paper(2, "New", venue="Journal")])
    assert backend.needs_rebuild() is False
    assert len(SearchQuerySet().filter(venue="journal")) == 1
