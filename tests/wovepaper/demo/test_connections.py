"""References, conferences, dates and notices of the invented publications."""

from __future__ import annotations

import datetime as dt

import pytest

from papers.models import Paper, PaperCitation
from papers.services.ingest.validation import check
from papers.sources.crossref import CrossrefSource
from papers.sources.records import PaperRecord
from wovepaper.demo.catalogue import bring_in
from wovepaper.demo.publications import articles
from wovepaper.demo.recipe import Recipe
from wovepaper.demo.works import work_line
from wovepaper.harvest.contracts import RawRecord

UNTIL = dt.date(2026, 3, 16)


def records(papers: int = 1_200) -> list[PaperRecord]:
    found = []
    for work in articles(papers, seed=1, until=UNTIL):
        found.append(CrossrefSource().parse(RawRecord(work.doi, "work", "", work_line(work))))
        check(found[-1])
    return found


def test_the_same_every_time_and_whatever_the_size() -> None:
    assert records(600) == records(1_200)[:50]


def test_references_lead_to_older_articles_only() -> None:
    for number, record in enumerate(records()):
        named = [value for one in record.references for _, value in one.identifiers]
        inside = [int(name.rpartition(".")[2]) for name in named if name.startswith("10.5555/demo.article.")]
        assert all(1 <= other <= number for other in inside)
        assert 6 <= len(record.references) == record.reference_count <= 36


def test_there_is_some_of_everything() -> None:
    found = records()
    assert {notice.kind for record in found for notice in record.notices} == {
        "retraction",
        "correction",
        "expression-of-concern",
    }
    assert {notice.asserted_by for record in found for notice in record.notices} == {"publisher", "retraction-watch"}
    assert any(record.event for record in found)
    assert {kind for record in found for kind, _ in record.dates} == {"published-online", "published-print"}
    days = [date.first_day for record in found for _, date in record.dates]
    assert max(days) <= UNTIL


@pytest.mark.django_db
def test_a_catalogue_cites_itself() -> None:
    bring_in(Recipe(papers=240, seed=1, until=UNTIL))
    assert PaperCitation.objects.count() > 20
    assert Paper.objects.filter(status="retracted", notice_count=2).count() == 1
    assert Paper.objects.filter(doi_reference_count__gt=0).count() > 20
