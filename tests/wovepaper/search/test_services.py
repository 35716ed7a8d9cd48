from __future__ import annotations

import threading

import pytest
from haystack import connections
from haystack.exceptions import SearchBackendError

from papers.models import Category, Paper
from tests.wovepaper.search.conftest import found
from tests.wovepaper.search.indexes import PaperIndex
from wovepaper.search.backend import READ_BATCH, Updated
from wovepaper.search.services import update_documents


class VisibleIndex(PaperIndex):
    def index_queryset(self, using=None):
        return Paper.objects.filter(redirect_to=None)


@pytest.fixture
def papers(db, connect) -> list[Paper]:
    connect(VisibleIndex())
    return Paper.objects.bulk_create(Paper(title=f"Paper {number}") for number in range(6))


def test_visible_objects_are_indexed_and_others_removed(papers, django_assert_num_queries):
    keys = [paper.pk for paper in papers]
    with django_assert_num_queries(1):
        assert update_documents(model=Paper, ids=keys) == Updated(indexed=6)
    assert found() == keys
    Paper.objects.filter(pk=keys[0]).update(redirect_to=papers[1])
    papers[2].delete()
    Paper.objects.filter(pk=keys[3]).update(title="Changed")
    gone = [keys[0], keys[2], 10**9]
    assert update_documents(model=Paper, ids=[*gone, keys[3], keys[3]]) == Updated(indexed=1, removed=3)
    assert found() == [keys[1], *keys[3:]]
    assert found(title="changed") == [keys[3]]


def test_one_commit_for_all(papers, monkeypatch):
    store = connections["default"].get_backend().store
    monkeypatch.setattr("wovepaper.search.backend.READ_BATCH", 2)
    opened = []
    writing = store.writing
    monkeypatch.setattr(store, "writing", lambda *args, **options: opened.append(args) or writing(*args, **options))
    update_documents(model=Paper, ids=[paper.pk for paper in papers])
    assert len(opened) == 1
    assert READ_BATCH == 500
    assert found() == [paper.pk for paper in papers]


def test_errors_are_told_even_where_searches_fail_silently(papers, connect):
    connect(VisibleIndex(), PATH="/dev/null/index", SILENTLY_FAIL=True)
    with pytest.raises(SearchBackendError, match="cannot be made"):
        update_documents(model=Paper, ids=[papers[0].pk])


def test_a_disk_that_fails_is_told_and_leaves_the_index(papers, monkeypatch):
    from wovepaper.search.store import Writing

    def fail(*args):
        raise OSError(28, "No space left on device")

    update_documents(model=Paper, ids=[papers[0].pk])
    with monkeypatch.context() as patch:
        patch.setattr(Writing, "put", fail)
        with pytest.raises(SearchBackendError, match=r"Indexing failed: .*No space left on device"):
            update_documents(model=Paper, ids=[papers[1].pk])
    assert found() == [papers[0].pk]
    update_documents(model=Paper, ids=[papers[1].pk])
    assert found() == [papers[0].pk, papers[1].pk]


def test_nothing_to_do(papers):
    assert update_documents(model=Paper, ids=[]) == Updated()
    assert update_documents(model=Category, ids=["math.AG"]) == Updated()


def test_objects_that_the_index_skips_are_removed(papers, connect):
    from haystack.exceptions import SkipDocument

    keys = [paper.pk for paper in papers]
    update_documents(model=Paper, ids=keys)

    class Choosy(VisibleIndex):
        def prepare_title(self, obj):
            if obj.pk == keys[0]:
                raise SkipDocument
            return obj.title

    connect(Choosy())
    assert update_documents(model=Paper, ids=keys[:2]) == Updated(indexed=1, removed=1)
    assert found() == keys[1:]


@pytest.mark.django_db(transaction=True)
def test_the_later_of_two_calls_wins(connect):
    """The objects are read under the lease: a slow writer cannot put back what it read before a faster one."""
    reading, go_on = threading.Event(), threading.Event()

    class Slow(PaperIndex):
        slow = True

        def prepare(self, obj):
            prepared = super().prepare(obj)
            if Slow.slow:
                Slow.slow = False
                reading.set()
                assert go_on.wait(20)
            return prepared

    backend = connect(Slow())
    index = connections["default"].get_unified_index().get_index(Paper)
    paper = Paper.objects.create(title="Old")

    def first() -> None:
        from django.db import connection

        try:
            backend.update_keys(index, [paper.pk])
        finally:
            connection.close()

    slow = threading.Thread(target=first)
    slow.start()
    assert reading.wait(20)
    Paper.objects.filter(pk=paper.pk).update(title="New")
    threading.Timer(0.2, go_on.set).start()
    update_documents(model=Paper, ids=[paper.pk])
    slow.join()
    assert found(title="new") == [paper.pk]
    assert found(title="old") == []
