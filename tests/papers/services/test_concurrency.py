"""Several processes that take in overlapping pages at the same time."""

from __future__ import annotations

import threading

import pytest
from django.db import connections, transaction

from papers.models import Paper, PaperIdentifier, SourceRecord
from papers.services.ingest import ingest_records
from papers.services.pins import pin_field
from papers.sources.records import PaperRecord
from tests.papers.services.invented import arxiv_record, pairs
from tests.papers.services.state import catalogue
from tests.wovepaper.harvest.processes import ended, fork

pytestmark = pytest.mark.django_db(transaction=True)


def records(stamp: str) -> list[PaperRecord]:
    """Sixty papers, of which every three claim one DOI."""
    return [
        arxiv_record(
            f"2001.{number:05}",
            identifiers=[("arxiv", f"2001.{number:05}"), ("doi", f"10.1/{number // 3}")],
            title=f"The state of {stamp}, paper {number}",
            authors=[f"Author {number} {stamp}", "Bert Sampleton"],
            stamp=stamp,
        )
        for number in range(1, 61)
    ]


def test_four_processes_in_different_orders_come_to_what_one_comes_to() -> None:
    old, new = records("2020-02-02"), records("2020-03-03")
    orders = [old + new, list(reversed(old + new)), new[30:] + old + new[:30], old[::2] + new + old[1::2]]

    def take_in(order: list[PaperRecord]) -> None:
        for first in range(0, len(order), 8):
            with transaction.atomic():
                assert not ingest_records(pairs(*order[first : first + 8])).refused

    children = [fork(lambda order=order: take_in(order)) for order in orders]
    assert [ended(child) for child in children] == [0, 0, 0, 0]
    together = catalogue()
    assert Paper.objects.count() == SourceRecord.objects.count() == 60
    assert PaperIdentifier.objects.filter(scheme="doi").count() == 21
    Paper.objects.all().delete()
    take_in(orders[0])
    assert catalogue() == together


def test_a_pin_that_is_set_while_a_page_is_under_way_stays() -> None:
    ingest_records(pairs(arxiv_record()))
    paper = Paper.objects.get()

    def pin() -> None:
        try:
            pin_field(paper_id=paper.pk, field="title", value="Pinned", by=None)
        finally:
            connections.close_all()

    curator = threading.Thread(target=pin)
    with transaction.atomic():
        ingest_records(pairs(arxiv_record(title="From the source", comments="and more", stamp="2020-02-02")))
        curator.start()
        curator.join(0.3)
        assert curator.is_alive()  # waits for the page
    curator.join(30)
    paper.refresh_from_db()
    assert (paper.title, paper.comments) == ("Pinned", "and more")
