"""From what sources say to what readers are told, through ingest and every stage."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from haystack import connections as search_connections

from accounts.models import Notification, PaperEvent, User
from accounts.services.saved_searches import save_search
from papers.curating import merge_papers, undo_event, versions_of
from papers.models import Category, Paper
from papers.services.ingest import ingest_records
from papers.sources.records import PaperRecord, PartialDate
from researchers.models import Researcher
from tests.accounts.alerting import followed, today, told
from tests.accounts.readers import reader
from tests.papers.services.invented import InventedSource, arxiv_record, pairs, paper_record, version
from wovepaper.harvest import registry
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import drain
from wovepaper.search.backend import TantivySearchBackend

pytestmark = pytest.mark.django_db
OLD, NEW = "2001.00001", "2611.00002"
TITLE = "A sufficiently long title on invented shuttles"


@pytest.fixture(autouse=True)
def _index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index of its own."""
    options = search_connections["default"].options | {"PATH": str(tmp_path / "search")}
    monkeypatch.setattr(search_connections["default"], "_backend", TantivySearchBackend("default", **options))


def bring(*records: PaperRecord) -> None:
    assert not ingest_records(pairs(*records)).refused
    report = drain()
    assert (report.failed, report.stopped) == ({}, {})
    assert WorkItem.objects.count() == 0


def day(days: int = 0) -> str:
    return str(today() - dt.timedelta(days=days))


def fresh(arxiv_id: str = NEW, *, versions: int = 1, **values: object) -> PaperRecord:
    """Submitted today."""
    said = {"title": TITLE, "versions": [version(number, day()) for number in range(1, versions + 1)]}
    return arxiv_record(arxiv_id, **{"stamp": day(), **said, **values})


def dated(*, external_id: str, title: str) -> PaperRecord:
    """Of another source than arXiv, published today."""
    year, month, number = today().timetuple()[:3]
    published = {"year": year, "month": month, "day": number}
    return paper_record(
        source="invented-2", external_id=external_id, rank=70, identifiers=[("openalex", external_id)], title=title,
        authors=["Ada Exampleby", "Bert Sampleton"], published=published,
    )  # fmt: skip


def everywhere(user: User) -> None:
    """Follow two fields, somebody and a search, all of them for whatever there is."""
    on = dict.fromkeys(("new", "cross_list", "revision", "withdrawal", "publication"), True)
    for code in ("cs.CL", "math.CO"):
        followed(user, Category.objects.get(code=code), **on)
    followed(user, Researcher.objects.get(display_name="Ada Exampleby"), **on)
    followed(user, save_search(user=user, query="q=invented+shuttles"), **on)


def test_one_new_paper_is_told_once_with_every_reason_however_often_it_comes() -> None:
    user = reader()
    bring(arxiv_record(OLD))
    everywhere(user)
    bring(fresh())
    made = Paper.objects.get(arxiv_id=NEW)
    ((paper, what, why),) = told(user)
    assert (paper, what) == (made.pk, "new")
    assert [reason.partition(":")[0] for reason in why] == ["category", "cross_list", "researcher", "saved_search"]
    bring(fresh())
    bring(fresh(stamp=day(-1), comments="12 pages"))
    assert len(told(user)) == 1
    bring(fresh(versions=2, stamp=day(-2)))
    bring(fresh(versions=2, stamp=day(-3), comments="13 pages"))
    assert [what for _, what, _ in told(user)] == ["new", "revision 2"]


def test_a_back_fill_tells_nobody() -> None:
    user = reader()
    bring(arxiv_record(OLD))
    everywhere(user)
    bring(*(arxiv_record(f"2001.{number:05}", title=TITLE) for number in range(2, 12)))
    bring(arxiv_record("2001.00002", title=TITLE, versions=[version(1), version(2, "2020-03-01")], stamp="2020-03-02"))
    assert Paper.objects.count() == 11
    assert (told(user), PaperEvent.objects.count()) == ([], 0)


def test_a_preprint_that_was_published_since_is_told_to_who_follows_it() -> None:
    user, other = reader(), reader("other@papers.test")
    bring(arxiv_record(OLD, title=TITLE))
    made = Paper.objects.get()
    followed(user, made)
    followed(other, made, publication=False)
    article = paper_record(
        source="invented-3", external_id="10.1/x", rank=40, identifiers=[("doi", "10.1/x"), ("arxiv", OLD)],
        kind="article", venue="Journal of Examples", title=TITLE, authors=["Ada Exampleby", "Bert Sampleton"],
    )  # fmt: skip
    bring(replace(article, dates=(("published-online", PartialDate(*today().timetuple()[:3])),)))
    assert told(user) == [(made.pk, "published", [f"paper:{made.pk}"])]
    assert told(other) == []


def test_papers_that_become_one_and_part_again_are_no_news(sources: object) -> None:
    user, by = reader(), reader("curator@papers.test", is_superuser=True)
    bring(arxiv_record(OLD))
    everywhere(user)
    twin = dated(external_id="W2", title="Quite another title, on the warping of invented shuttles")
    bring(fresh(), twin)
    kept, lost = Paper.objects.get(arxiv_id=NEW).pk, Paper.objects.get(arxiv_id="", title=twin.title).pk
    both = told(user)
    assert sorted(paper for paper, *_ in both) == sorted([kept, lost])
    seen = versions_of([kept, lost])
    (event,) = merge_papers(survivor=kept, losers=[lost], actor=by, reason="so", versions=seen, key="k", override=True)
    drain()
    assert Paper.objects.visible().count() == 2
    undo_event(event=event.pk, actor=by, reason="so", key="l")
    drain()
    assert Paper.objects.visible().count() == 3
    bring(fresh(comments="12 pages", stamp=day(-1)))
    assert told(user) == both
    assert Notification.objects.count() == 2


def test_what_joins_a_paper_that_was_told_of_is_no_news(sources: object) -> None:
    user = reader()
    bring(arxiv_record(OLD))
    everywhere(user)
    bring(dated(external_id="W1", title=TITLE))
    bring(fresh())
    assert Paper.objects.visible().count() == 2
    assert [what for _, what, _ in told(user)] == ["new", "cross_list math.CO"]


@pytest.fixture
def sources() -> Iterator[None]:
    """What is stored can be parsed again."""
    names = ("invented", "invented-2")
    for name in names:
        registry.register(InventedSource(name), sink=ingest_records)
    yield
    for name in names:
        registry.forget(name)
