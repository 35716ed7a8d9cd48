"""What sources are asked about: papers; and what arXiv's list is compared with: records."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from papers.enriching import PaperSubjects, RecordsHere
from papers.models import Paper, PaperIdentifier, SourceRecord
from papers.sources.arxiv import ArxivSource
from tests.upstreams.catalogue import invented_papers
from tests.wovepaper.harvest.conftest import FAST
from wovepaper.harvest.contracts import Identifier, Merged, Subject
from wovepaper.harvest.models import GoneRecord
from wovepaper.harvest.services import compare_source, harvest_source

pytestmark = pytest.mark.django_db
DAY = dt.date(2025, 6, 2)


def paper(title: str, *identifiers: tuple[str, str], **values) -> Paper:
    made = Paper.objects.create(title=title, sort_date=DAY, title_key=title, **values)
    for scheme, value in identifiers:
        PaperIdentifier.objects.create(paper=made, scheme=scheme, value=value)
    return made


def record(of: Paper, source: str, name: str, days: int, stamp: str = "2025-06-02", kind: str = "work"):
    return SourceRecord.objects.create(
        paper=of, source=source, format=kind, external_id=name, stamp=stamp, payload=b"{}", hash="x",
        harvested_at=timezone.now() - dt.timedelta(days=days),
    )  # fmt: skip


@pytest.mark.parametrize("number", [1, 4])
def test_papers_are_described_with_their_names_in_three_queries(number, django_assert_num_queries):
    made = [paper(f"t{each}", ("doi", f"10.5555/{each}"), ("arxiv", f"2401.0000{each}")) for each in range(number)]
    newest = record(made[0], "openalex", "W1", 3)
    record(made[0], "openalex", "W2", 50)
    record(made[0], "crossref", "10.5555/0", 1)
    with django_assert_num_queries(3):
        described = PaperSubjects().describe([each.pk for each in made], source="openalex")
    assert described == [
        Subject(
            each.pk,
            (Identifier("doi", f"10.5555/{number}"), Identifier("arxiv", f"2401.0000{number}")),
            newest.harvested_at if number == 0 else None,
        )
        for number, each in enumerate(made)
    ]


def test_invented_papers_and_those_that_are_part_of_another_are_left_out():
    shown = paper("shown")
    invented = paper("invented", is_demo=True)
    part = paper("part", redirect_to=shown)
    subjects = PaperSubjects()
    assert subjects.after(0, 10) == [shown.pk, part.pk]
    assert subjects.after(shown.pk, 10) == [part.pk]
    assert subjects.after(0, 1) == [shown.pk]
    described = subjects.describe([shown.pk, invented.pk, part.pk, 0], source="openalex")
    assert described == [Subject(shown.pk)]


def test_a_new_name_finds_the_paper_of_the_old_one_unless_another_has_it():
    first, second = paper("a", ("openalex", "W1")), paper("b", ("openalex", "W2"), ("openalex", "W9"))
    PaperSubjects().note_merged(
        [
            Merged(Identifier("openalex", "W1"), Identifier("openalex", "W7")),
            Merged(Identifier("openalex", "W2"), Identifier("openalex", "W1")),
            Merged(Identifier("openalex", "W404"), Identifier("openalex", "W5")),
            Merged(Identifier("doi", "W9"), Identifier("openalex", "W6")),
        ],
        source="openalex",
    )
    names = set(PaperIdentifier.objects.values_list("paper", "value"))
    assert names == {(first.pk, "W1"), (first.pk, "W7"), (second.pk, "W2"), (second.pk, "W9")}


def test_records_by_id_and_by_day():
    of = paper("a")
    record(of, "arxiv", "1", 1, "2025-06-01", "arXiv")
    record(of, "arxiv", "1", 1, "2025-06-02", "arXivRaw")
    record(of, "arxiv", "2", 1, "2025-06-03T10:00:00", "arXiv")
    record(of, "arxiv", "3", 1, "2025-06-04", "arXiv")
    record(of, "crossref", "4", 1, "2025-06-02", "arXiv")
    here = RecordsHere()
    assert here.lacking(["4", "1", "2", "9"], source="arxiv", stream="arXiv") == ["4", "9"]
    assert here.lacking(["4", "1", "2"], source="arxiv", stream="arXivRaw") == ["4", "2"]
    assert list(here.stamped(dt.date(2025, 6, 2), dt.date(2025, 6, 3), source="arxiv")) == [["1", "2"]]
    assert list(here.stamped(dt.date(2025, 1, 1), dt.date(2025, 1, 3), source="arxiv")) == []


def test_arxiv_is_compared_with_what_is_here(arxiv_upstream, settings, monkeypatch):
    settings.ARXIV_OAI_URL = arxiv_upstream.url
    monkeypatch.setattr(ArxivSource, "host_interval", 0.0)
    arxiv_upstream.papers = invented_papers(6, first_day=DAY, days=2)
    last_day, today = DAY + dt.timedelta(days=1), dt.date(2025, 6, 10)
    harvest_source(name="arxiv", first_day=DAY, last_day=last_day, today=today, options=FAST)
    assert Paper.objects.count() == 6
    lost, gone = Paper.objects.order_by("pk").values_list("arxiv_id", flat=True)[:2]
    SourceRecord.objects.filter(external_id=lost, format="arXivRaw").delete()
    arxiv_upstream.papers = [each for each in arxiv_upstream.papers if each.arxiv_id != gone]

    summary = compare_source(name="arxiv", options=FAST)

    assert summary.ok
    assert summary.line == "arxiv: seen 1, new 1, changed 0, unchanged 0, quarantined 0"
    assert SourceRecord.objects.filter(external_id=lost, format="arXivRaw").exists()
    assert GoneRecord.objects.get().external_id == gone
    assert Paper.objects.count() == 6
