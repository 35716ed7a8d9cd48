"""A source's list of ids against what is here, with a source and holdings that know no paper."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import pytest
from django.db import connection

from tests.upstreams import faults
from tests.upstreams.catalogue import invented_papers
from tests.wovepaper.harvest.conftest import DAY, FAST, TODAY
from tests.wovepaper.harvest.fakes import FakeSourceOfSingles, things
from wovepaper.harvest import registry, tasks
from wovepaper.harvest.contracts import Page, RecordGone
from wovepaper.harvest.errors import HarvestError
from wovepaper.harvest.models import GoneRecord, ListedRecord, RawPage, SourceState
from wovepaper.harvest.services import compare_source, comparison, harvest_source


@dataclass
class SourceThatTells(FakeSourceOfSingles):
    """Says of a record that it is gone, as arXiv's reader does."""

    def read_page(self, body: bytes, *, stream: str) -> Page:
        if b'code="idDoesNotExist"' in body:
            raise RecordGone("There is no such record.")
        return super().read_page(body, stream=stream)


class FakeHoldings:
    """What the fake sink has."""

    def lacking(self, external_ids: Sequence[str], *, source: str, stream: str) -> Sequence[str]:
        here = {name for format_, name in things() if format_ == stream}
        return [each for each in external_ids if each not in here]

    def stamped(self, first_day: dt.date, last_day: dt.date, *, source: str) -> Iterable[Sequence[str]]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT DISTINCT name FROM fake_things WHERE stamp >= %s AND stamp <= %s ORDER BY name",
                [first_day.isoformat(), last_day.isoformat()],
            )
            names = [name for (name,) in cursor.fetchall()]
        return [names[start : start + 3] for start in range(0, len(names), 3)]


@pytest.fixture
def source(arxiv_upstream, sink, fresh_registry, table):
    arxiv_upstream.papers = invented_papers(12, days=3)
    arxiv_upstream.page_size = 5
    source = SourceThatTells(arxiv_upstream.url)
    registry.register(source, sink=sink, holdings=FakeHoldings())
    first = harvest_source(name="fake", first_day=DAY, last_day=DAY + dt.timedelta(days=3), options=FAST, today=TODAY)
    assert first.counts.new == 12
    arxiv_upstream.requests.clear()
    return source


def compare(**changes):
    return compare_source(name="fake", options=replace(FAST, **changes.pop("options", {})), **changes)


def lose(*names):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM fake_things WHERE name = ANY(%s)", [list(names)])


def verbs(upstream):
    return [seen.params["verb"] for seen in upstream.requests]


def test_nothing_differs(source, arxiv_upstream):
    summary = compare()
    assert summary.ok
    assert summary.line == "fake: seen 0, new 0, changed 0, unchanged 0, quarantined 0"
    assert set(verbs(arxiv_upstream)) == {"ListIdentifiers"}
    state = SourceState.objects.get(name="fake")
    assert state.reconciled_at is not None
    assert state.reconciled_until is None
    assert not ListedRecord.objects.exists()


def test_what_is_lacking_here_is_fetched_by_itself(source, arxiv_upstream):
    before = things()
    lost = [before[2][1], before[7][1]]
    lose(*lost)
    summary = compare()
    assert summary.line == "fake: seen 2, new 2, changed 0, unchanged 0, quarantined 0"
    assert things() == before
    assert verbs(arxiv_upstream).count("GetRecord") == 2
    single = RawPage.objects.filter(window=None)
    assert [page.record_count for page in single] == [1, 1]
    arxiv_upstream.requests.clear()
    assert compare().counts.seen == 0
    assert "GetRecord" not in verbs(arxiv_upstream)


def test_what_is_gone_there_is_noted_once_and_forgotten_when_it_is_back(source, arxiv_upstream):
    papers = list(arxiv_upstream.papers)
    arxiv_upstream.papers = papers[1:]
    summary = compare()
    assert summary.ok
    assert "fake no longer has 1 records that are here" in summary.warnings[0]
    gone = GoneRecord.objects.get()
    assert gone.external_id in dict(map(reversed, things()))
    assert len(things()) == 12, "Nothing is deleted."
    arxiv_upstream.requests.clear()
    assert compare().warnings == ()
    assert "GetRecord" not in verbs(arxiv_upstream), "What is known to be gone is not asked for each time."
    arxiv_upstream.papers = papers
    compare()
    assert not GoneRecord.objects.exists()


def test_an_interrupted_comparison_goes_on_where_it_stopped(source, arxiv_upstream, monkeypatch):
    monkeypatch.setattr(comparison, "WINDOW_DAYS", 1)
    arxiv_upstream.faults.append(faults.status(404, faults.mentions("2025-06-04")))

    summary = compare()

    assert "the ids of 2025-06-04 to 2025-06-04 cannot be listed" in summary.problems[0]
    assert SourceState.objects.get(name="fake").reconciled_until == dt.date(2025, 6, 3)
    listed = ListedRecord.objects.count()
    assert 0 < listed < 12
    arxiv_upstream.requests.clear()
    assert compare().ok
    assert {seen.params["from"] for seen in arxiv_upstream.requests if "from" in seen.params} == {
        "2025-06-04",
        "2025-06-05",
    }
    assert not GoneRecord.objects.exists()


def test_a_token_that_expires_begins_the_list_again(source, arxiv_upstream):
    arxiv_upstream.faults.append(faults.expired_token())
    assert compare().ok
    assert not GoneRecord.objects.exists()


def test_too_many_differences_stop_it(source):
    lose(*(name for _, name in things()[:4]))
    summary = compare(options={"max_single_records": 3})
    assert "more than 3 records are to be asked for one by one" in summary.problems[0]
    assert len(things()) == 11


def test_a_source_without_lists_cannot_be_compared(source, sink, arxiv_upstream):
    registry.forget("fake")
    registry.register(source, sink=sink)
    with pytest.raises(HarvestError, match="cannot be compared"):
        compare()


def test_a_source_of_which_nothing_is_harvested_cannot_be_compared(source):
    from wovepaper.harvest.models import Watermark

    Watermark.objects.all().delete()
    with pytest.raises(HarvestError, match="not harvested by day as a whole"):
        compare()


def test_beat_compares_what_was_begun(source, monkeypatch):
    queued = []
    monkeypatch.setattr(tasks.compare_source, "delay", queued.append)
    tasks.compare_sources()
    assert queued == ["fake"]
    assert tasks.compare_source("fake") == "fake: seen 0, new 0, changed 0, unchanged 0, quarantined 0"
