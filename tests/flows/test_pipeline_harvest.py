"""After a harvest: what it brought is found, by this process or by the workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from haystack import connections as search_connections
from haystack.exceptions import SearchBackendError
from haystack.query import SearchQuerySet

from papers import pipeline
from papers.models import Paper
from papers.services.ingest import ingest_records
from papers.services.pins import pin_field
from researchers.models import Researcher
from tests.papers.services.invented import arxiv_record, pairs
from wovepaper.harvest import hooks
from wovepaper.harvest.counts import Counts
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import drain
from wovepaper.search.backend import TantivySearchBackend

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index of its own."""
    options = search_connections["default"].options | {"PATH": str(tmp_path / "search")}
    monkeypatch.setattr(search_connections["default"], "_backend", TantivySearchBackend("default", **options))


def found(**conditions: str) -> list[str]:
    return [hit.arxiv_id for hit in SearchQuerySet().models(Paper).filter(**conditions).order_by("arxiv_id")[:100]]


def finish(outcome: str) -> None:
    hooks.announce(hooks.FinishedRun(1, "invented", outcome, Counts()))


def test_without_a_broker_the_process_that_harvested_drains() -> None:
    ingest_records(pairs(arxiv_record(), arxiv_record("2001.00002", authors=["Cleo Third"])))
    assert found(content="invented") == []
    finish("completed")
    assert not WorkItem.objects.exists()
    assert found(content="invented") == ["2001.00001", "2001.00002"]
    assert found(authors="Cleo") == ["2001.00002"]
    hit = SearchQuerySet().models(Paper).filter(authors="Cleo")[0]
    assert (hit.title, hit.url) == ("On the invented paper 2001.00002", Paper.objects.get(pk=hit.pk).get_absolute_url())


def test_a_run_that_failed_half_way_passes_on_what_it_brought() -> None:
    ingest_records(pairs(arxiv_record()))
    finish("failed")
    assert found(content="invented") == ["2001.00001"]


def test_one_that_was_interrupted_ends_at_once() -> None:
    ingest_records(pairs(arxiv_record()))
    finish("interrupted")
    assert WorkItem.objects.count() == 1


def test_with_a_broker_the_workers_are_told(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []
    monkeypatch.setattr(pipeline, "hand_over", lambda: told.append(True))
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    ingest_records(pairs(arxiv_record()))
    finish("completed")
    assert told == [True]
    assert WorkItem.objects.count() == 1


def test_a_changed_a_pinned_and_a_redirected_paper() -> None:
    ingest_records(pairs(arxiv_record(), arxiv_record("2001.00002")))
    drain()
    ingest_records(pairs(arxiv_record(title="About zeppelins", stamp="2020-02-02")))
    second = Paper.objects.get(arxiv_id="2001.00002")
    pin_field(paper_id=second.pk, field="title", value="About balloons", by=None)
    assert drain().done == {"affiliate": 1, "attribute": 1, "link": 1, "embed": 1, "index": 4, "notify": 2}
    assert (found(title="zeppelins"), found(title="balloons"), found(title="invented")) == (
        ["2001.00001"],
        ["2001.00002"],
        [],
    )
    Paper.objects.filter(pk=second.pk).update(redirect_to=Paper.objects.get(arxiv_id="2001.00001"))
    pin_field(paper_id=second.pk, field="venue", value="x", by=None)
    drain()
    assert found(title="balloons") == []


def test_an_index_that_cannot_be_written_costs_no_paper_an_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    ingest_records(pairs(*(arxiv_record(f"2001.{number:05}") for number in range(1, 13))))

    def refuse(**arguments: object) -> None:
        raise SearchBackendError("It is held by another process.")

    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "update_documents", refuse)
        report = drain()
    assert (report.done.get("index", 0), report.failed) == (0, {})
    assert report.stopped == {"index": "It is held by another process."}
    assert set(WorkItem.objects.values_list("attempts", flat=True)) == {0}
    assert drain().done == {"index": 12 + Researcher.objects.count(), "notify": 12}
