"""Writing and searching through Haystack's interface."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from haystack import connections
from haystack.exceptions import SearchBackendError, SkipDocument
from haystack.models import SearchResult
from haystack.query import RelatedSearchQuerySet, SearchQuerySet
from tantivy import Query

from papers.models import Category, Paper
from tests.wovepaper.search.conftest import found, pks
from tests.wovepaper.search.indexes import CategoryIndex, PaperIndex, paper
from wovepaper.search.backend import TantivyEngine, TantivySearchBackend
from wovepaper.search.schema import IndexSchema


def _index(model=Paper):
    return connections["default"].get_unified_index().get_index(model)


def _segments(backend: TantivySearchBackend) -> int:
    return backend._snapshot().searcher.num_segments


def test_update_replaces(backend, add):
    add(paper(1, "First"), paper(2, "Second"))
    add(paper(2, "Changed"), paper(3, "Third"))
    assert found() == [1, 2, 3]
    assert found(title="second") == []
    assert found(title="changed") == [2]
    # The last of one batch wins, as of several.
    add(paper(4, "once"), paper(4, "twice"))
    assert found(django_id=4) == [4]
    assert found(title="once") == []


def test_a_batch_is_one_commit(backend, add):
    add(*(paper(number, f"Paper {number}") for number in range(500)))
    assert _segments(backend) == 1
    opstamps = []
    for number in range(3):
        add(paper(1000 + number))
        opstamps.append(backend._snapshot().searcher.num_docs)
    assert opstamps == [501, 502, 503]


def test_many_small_batches_leave_few_segments(backend, add):
    for number in range(20):
        add(paper(number))
    assert found() == list(range(20))
    assert _segments(backend) < 10


def test_nothing_is_written_when_an_object_cannot_be_prepared(backend, add):
    class Broken(PaperIndex):
        def prepare_title(self, obj):
            if obj.pk == 2:
                raise RuntimeError("broken")
            return obj.title

    add(paper(1))
    with pytest.raises(RuntimeError, match="broken"):
        backend.update(Broken(), [paper(5), paper(2)])
    assert found() == [1]
    add(paper(6))
    assert found() == [1, 6]


def test_skipped_objects(backend):
    class Choosy(PaperIndex):
        def prepare_title(self, obj):
            if obj.pk % 2:
                raise SkipDocument
            return obj.title

    backend.update(Choosy(), [paper(number) for number in range(5)])
    assert found() == [0, 2, 4]


def test_remove(backend, add):
    add(paper(1), paper(2), paper(3))
    backend.remove(paper(1))
    backend.remove("papers.paper.3")
    backend.remove("papers.paper.99")
    assert found() == [2]
    with pytest.raises(AttributeError, match="not a valid identifier"):
        backend.remove("nonsense")


@pytest.fixture
def two_models(connect):
    backend = connect(PaperIndex(), CategoryIndex())
    backend.update(_index(), [paper(1, "Optics"), paper(2, "Sound")])
    backend.update(_index(Category), [Category(pk="physics.optics", name="Optics")])
    return backend


def test_models(two_models):
    results = SearchQuerySet().filter(content="optics")
    assert {(hit.model, hit.pk) for hit in results} == {(Paper, "1"), (Category, "physics.optics")}
    assert [hit.pk for hit in results.models(Category)] == ["physics.optics"]
    assert [hit.pk for hit in results.models(Paper)] == ["1"]
    assert len(results.models(Paper, Category)) == 2


def test_models_that_are_no_longer_registered(two_models, connect):
    connect(PaperIndex())
    assert found() == [1, 2]
    backend = connections["default"].get_backend()
    assert backend.search("*:*", limit_to_registered_models=False)["hits"] == 3


def test_limit_to_registered_models_setting(two_models, connect, settings):
    connect(PaperIndex())
    settings.HAYSTACK_LIMIT_TO_REGISTERED_MODELS = False
    assert len(SearchQuerySet()) == 3


def test_clear_by_model(two_models):
    two_models.clear([Category])
    assert found() == [1, 2]
    two_models.clear((Paper,))
    assert found() == []
    with pytest.raises(TypeError, match="a list or a tuple"):
        two_models.clear({Paper})


def test_clear_everything(two_models, folder):
    two_models.clear()
    assert found() == []
    assert len(list(folder.glob("generation-*"))) == 1
    two_models.update(_index(), [paper(1)])
    assert found() == [1]
    two_models.delete_index()
    assert found() == []


@pytest.mark.django_db
def test_load_all(backend, add, django_assert_num_queries):
    saved = [Paper.objects.create(title=f"Paper {number}") for number in range(3)]
    backend.update(_index(), saved)
    add(paper(saved[-1].pk + 1, "Gone from the database"))
    with django_assert_num_queries(0):
        hits = list(SearchQuerySet().order_by("title"))
        assert [hit.title for hit in hits] == ["Gone from the database", "Paper 0", "Paper 1", "Paper 2"]
    with django_assert_num_queries(1):
        loaded = SearchQuerySet().filter(title="paper").order_by("title").load_all()[:3]
        assert [hit.object for hit in loaded] == saved
    with django_assert_num_queries(1):
        assert hits[1].object == saved[0]
    related = RelatedSearchQuerySet().load_all().load_all_queryset(Paper, Paper.objects.filter(title="Paper 1"))
    assert [hit.object for hit in related] == [saved[1]]


def test_result_class(add):
    class Mine(SearchResult):
        pass

    add(paper(1))
    assert type(SearchQuerySet().result_class(Mine)[0]) is Mine
    assert type(SearchQuerySet().result_class(Mine).result_class(None)[0]) is SearchResult


def test_raw_search(add):
    add(paper(1, "Optics", kind="book"), paper(2, "Optics", kind="article"), paper(3, "Sound"))
    assert sorted(pks(SearchQuerySet().raw_search("optics kind_exact:(book OR article) -django_id:2"))) == [1]
    query = connections["default"].get_query()
    query.raw_search("optics", end_offset=1)
    assert (query.get_count(), len(query.get_results())) == (2, 1)


def test_empty_queries_find_nothing(backend, add):
    add(paper(1))
    assert backend.search("") == {"results": [], "hits": 0}
    assert backend.search("*")["hits"] == 1
    assert backend.search("*:*")["total"] == 1


def test_places_are_refused(backend):
    with pytest.raises(SearchBackendError, match="knows no distances"):
        backend.search("*", within={"field": "place"})


def test_the_folder_is_needed():
    with pytest.raises(ImproperlyConfigured, match="'other' needs a PATH"):
        TantivySearchBackend("other")
    assert TantivyEngine("default").options["PATH"]


def test_a_folder_that_cannot_be_made(connect):
    backend = connect(PaperIndex(), PATH="/dev/null/index")
    with pytest.raises(SearchBackendError, match="cannot be made"):
        backend.search("*")
    with pytest.raises(SearchBackendError, match="cannot be made"):
        backend.update(_index(), [paper(1)])


def test_failing_silently(connect, caplog):
    backend = connect(PaperIndex(), PATH="/dev/null/index", SILENTLY_FAIL=True)
    with caplog.at_level(logging.ERROR, logger="haystack"):
        assert backend.search("word") == {"results": [], "hits": 0}
        assert backend.more_like_this(paper(1)) == {"results": [], "hits": 0}
        assert backend.suggest("word") is None
        backend.update(_index(), [paper(1)])
        backend.remove(paper(1))
        backend.clear()
    assert [record.message.split()[0] for record in caplog.records] == [
        "Searching",
        "More",
        "Suggesting",
        "Indexing",
        "Removing",
        "Clearing",
    ]


def test_a_damaged_index_says_what_to_do(backend, add, folder: Path):
    add(paper(1))
    (folder / "current" / "meta.json").write_text("{")
    with pytest.raises(SearchBackendError, match=r"run manage\.py reindex"):
        list(SearchQuerySet())


def test_a_panic_of_the_engine_is_an_error_like_others(connect, add, monkeypatch, caplog):
    def panic(*args):
        Query.phrase_query(IndexSchema.from_search_fields(PaperIndex().fields).engine_schema, "text", ["one"])

    add(paper(1))
    monkeypatch.setattr("wovepaper.search.search.run", panic)
    with pytest.raises(SearchBackendError, match="Searching failed: A phrase query is required to have"):
        len(SearchQuerySet())
    connect(PaperIndex(), SILENTLY_FAIL=True)
    assert len(SearchQuerySet()) == 0
    assert [record.message for record in caplog.records] == ["Searching failed"]


def test_queries_are_logged_in_debug(add, settings):
    add(paper(1))
    settings.DEBUG = True
    connections["default"].reset_queries()
    len(SearchQuerySet().filter(title="word"))
    assert [query["query_string"] for query in connections["default"].queries] == ["title:(word)"]
    connections["default"].reset_queries()
