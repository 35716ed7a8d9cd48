"""How often papers are cited: from records to the count that is shown."""

from __future__ import annotations

import datetime as dt
from itertools import permutations
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.changes import _listeners
from papers.models import Paper, PaperMetric, SourceRecord
from papers.services.citation_counts import record_citation_counts
from papers.services.ingest import ingest_again, ingest_records
from papers.services.ingest.citations import Counted, count_new
from papers.sources.records import PaperRecord
from tests.papers.services.invented import NAME, arxiv_record, author, cited, pairs, paper_record
from tests.papers.services.state import fingerprint, row_versions
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db

DAY, LATER = "2020-05-04", "2020-06-07"


def ingest(*records: PaperRecord) -> tuple[int, int, int]:
    counts = ingest_records(pairs(*records))
    assert counts.refused == ()
    return counts.new, counts.changed, counts.unchanged


def counted(number: int | None, day: str | None = DAY, **values: Any) -> PaperRecord:
    """A record of one paper, cited so many times as of that day."""
    return arxiv_record(**{"citations": None if number is None else cited(number, day), **values})


def shown() -> list[tuple[int | None, str, dt.date | None]]:
    return list(Paper.objects.order_by("id").values_list("citation_count", "citation_source", "cited_as_of"))


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """What listeners are told."""
    told: list[list[int]] = []
    monkeypatch.setattr("papers.changes._listeners", [*_listeners, lambda papers: told.append(sorted(papers))])
    return told


def test_a_new_paper_shows_what_its_record_says() -> None:
    assert ingest(counted(7), arxiv_record("2001.00002"), arxiv_record("2001.00003", citations=cited(0, DAY))) == (
        3, 0, 0,
    )  # fmt: skip
    assert shown() == [(7, NAME, day(DAY)), (None, "", None), (0, NAME, day(DAY))]
    assert [paper.citation_order for paper in Paper.objects.order_by("id")] == [7, -1, 0]
    assert list(PaperMetric.objects.order_by("paper").values_list("source", "cited_by_count", "as_of")) == [
        (NAME, 7, day(DAY)), (NAME, 0, day(DAY)),
    ]  # fmt: skip


def test_the_same_again_writes_no_row_and_emits_nothing(announced: list[list[int]]) -> None:
    records = (counted(7), arxiv_record("2001.00002", citations=cited(2)))
    ingest(*records)
    WorkItem.objects.all().delete()
    rows = row_versions()
    assert ingest(*records) == (0, 0, 2)
    assert row_versions() == rows
    assert announced == []
    known = fingerprint()
    assert ingest_again(pairs(*records)).changed == 0
    assert (fingerprint(), announced, WorkItem.objects.count()) == (known, [], 0)


def test_another_count_alone_waits_for_the_index_only(announced: list[list[int]]) -> None:
    ingest(counted(7, authors=[author("Ada Exampleby", affiliations=("Nowhere",))]))
    WorkItem.objects.all().delete()
    rows = row_versions()
    assert ingest(
        counted(8, LATER, stamp="2020-06-07", authors=[author("Ada Exampleby", affiliations=("Nowhere",))])
    ) == (0, 1, 0)
    paper = Paper.objects.get()
    after = row_versions()
    assert {table for table in rows if rows[table] != after[table]} == {
        "papers_paper", "papers_papermetric", "papers_sourcerecord", "pipeline_workitem",
    }  # fmt: skip
    assert shown() == [(8, NAME, day(LATER))]
    assert list(WorkItem.objects.values_list("kind", "stage", "object_id", "reason")) == [
        ("paper", "index", paper.pk, "citations")
    ]
    assert announced == [[paper.pk]]
    kept = SourceRecord.objects.get()
    assert (kept.stamp, kept.cited_by_count, kept.counted_on) == ("2020-06-07", 8, day(LATER))
    assert b'"count": 8' in bytes(kept.payload)


def test_a_later_day_of_the_same_count_is_noted_and_emits_nothing(announced: list[list[int]]) -> None:
    ingest(counted(7))
    WorkItem.objects.all().delete()
    before = Paper.objects.get().updated_at
    assert ingest(counted(7, LATER, stamp="2020-06-07")) == (0, 0, 1)
    assert shown() == [(7, NAME, day(LATER))]
    assert PaperMetric.objects.get().as_of == day(LATER)
    assert (Paper.objects.get().updated_at, WorkItem.objects.count(), announced) == (before, 0, [])


def test_an_older_state_says_nothing() -> None:
    ingest(counted(8, LATER, stamp="2020-06-07"))
    assert ingest(counted(7)) == (0, 0, 1)
    assert shown() == [(8, NAME, day(LATER))]


def test_of_one_stamp_the_count_that_comes_in_later_stands() -> None:
    ingest(counted(7, title="This"))
    ingest(counted(7, title="That"))
    superseded = SourceRecord.objects.get().superseded
    assert len(superseded) == 1
    assert ingest(counted(6, title="That")) == (0, 1, 0)
    assert shown() == [(6, NAME, day(DAY))]
    assert SourceRecord.objects.get().superseded == superseded


def test_a_count_that_is_said_no_more_is_shown_no_more() -> None:
    ingest(counted(7))
    assert ingest(counted(None, stamp="2020-06-07")) == (0, 1, 0)
    assert (shown(), PaperMetric.objects.count()) == ([(None, "", None)], 0)
    ingest(counted(9, LATER, stamp="2020-06-08"))
    assert shown() == [(9, NAME, day(LATER))]
    assert ingest(counted(None, stamp="2020-06-09", title="Another title")) == (0, 1, 0)
    assert (shown(), PaperMetric.objects.count()) == ([(None, "", None)], 0)


def test_content_and_count_that_change_together() -> None:
    ingest(counted(7))
    assert ingest(counted(9, LATER, stamp="2020-06-07", title="Another title")) == (0, 1, 0)
    assert shown() == [(9, NAME, day(LATER))]
    assert PaperMetric.objects.get().cited_by_count == 9


def test_a_count_without_a_day_is_of_the_day_it_was_first_given() -> None:
    ingest(counted(7, None))
    today = SourceRecord.objects.get().harvested_at.date()
    assert shown() == [(7, NAME, today)]
    earlier = day("2020-01-01")
    SourceRecord.objects.update(counted_on=earlier)
    rows = row_versions()
    assert ingest(counted(7, None)) == (0, 0, 1)
    assert row_versions() == rows
    assert ingest(counted(7, None, stamp="2020-06-07")) == (0, 0, 1)
    assert SourceRecord.objects.get().counted_on == earlier
    assert ingest(counted(8, None, stamp="2020-06-07")) == (0, 1, 0)
    assert SourceRecord.objects.get().counted_on == today


def _four() -> list[PaperRecord]:
    """Four records of one paper: two of one source, two of others, one of which does not count."""
    common: dict[str, Any] = {"identifiers": [("doi", "10.5555/x")], "authors": ["Ada Exampleby"]}
    return [
        paper_record(external_id="a", citations=cited(5, LATER), **common),
        paper_record(external_id="b", citations=cited(12, DAY), **common),
        paper_record(external_id="c", source="other", citations=cited(12, LATER), **common),
        paper_record(external_id="d", source="third", **common),
    ]


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_of_several_records_the_largest_count_stands_whatever_the_order(order: tuple[int, ...]) -> None:
    records = _four()
    for index in order:
        ingest(records[index])
    assert shown() == [(12, "other", day(LATER))]
    assert sorted(PaperMetric.objects.values_list("source", "cited_by_count", "as_of")) == [
        (NAME, 12, day(DAY)), ("other", 12, day(LATER)),
    ]  # fmt: skip


def test_a_whole_page_shows_the_same() -> None:
    ingest(*_four())
    assert shown() == [(12, "other", day(LATER))]
    assert count_new(_four(), day("2021-01-01")) == [
        Counted(12, day(LATER), "other"), Counted(12, day(DAY), NAME),
    ]  # fmt: skip


def test_records_stored_before_counts_were_read_get_theirs_by_a_replay() -> None:
    record = counted(7)
    ingest(record)
    SourceRecord.objects.update(cited_by_count=None, counted_on=None)
    PaperMetric.objects.all().delete()
    Paper.objects.update(citation_count=None, citation_source="", cited_as_of=None)
    assert ingest_again(pairs(record)).changed == 1
    assert shown() == [(7, NAME, day(DAY))]


def test_counts_that_come_without_records_stand_beside_those_of_records() -> None:
    ingest(counted(7))
    paper = Paper.objects.get()
    assert record_citation_counts(source="elsewhere", counts={paper.pk: 9}, as_of=day(LATER)) == {paper.pk}
    assert shown() == [(9, "elsewhere", day(LATER))]
    ingest(counted(10, LATER, stamp="2020-06-07"))
    assert shown() == [(10, NAME, day(LATER))]
    assert dict(PaperMetric.objects.values_list("source", "cited_by_count")) == {NAME: 10, "elsewhere": 9}


def test_a_count_that_none_can_have_is_refused() -> None:
    for number in (-1, 2**31):
        counts = ingest_records(pairs(counted(number)))
        assert [refusal.reason for refusal in counts.refused] == [f"A paper cannot be cited {number} times."]
    assert ingest(counted(2**31 - 1)) == (1, 0, 0)


def test_statements_do_not_grow_with_the_page() -> None:
    def statements(numbers: range, count: int, stamp: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            ingest(*(arxiv_record(f"2001.{n:05}", citations=cited(count, DAY), stamp=stamp) for n in numbers))
        return len(captured)

    assert statements(range(1, 2), 1, "2020-01-01") == statements(range(2, 42), 1, "2020-01-01")
    assert statements(range(1, 2), 2, "2020-01-02") == statements(range(2, 42), 2, "2020-01-02") <= 20
