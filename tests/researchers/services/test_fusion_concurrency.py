"""Papers become one while their authors are being told apart, by other processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from papers.merging import ADAPTER as PAPERS
from papers.models import Paper, PaperMergeEvent
from papers.services.ingest import ingest_records
from papers.sources.records import PaperRecord
from researchers.merging import ADAPTER
from researchers.models import Attribution
from researchers.services.attribution import attribute_papers
from tests.papers.services.invented import NAME, InventedSource, arxiv_record, pairs, paper_record
from tests.wovepaper.harvest.processes import ended, fork
from wovepaper.curation.services import audit
from wovepaper.harvest import registry

pytestmark = pytest.mark.django_db(transaction=True)

WORKS = range(1, 13)
AUTHORS = ["Ada Exampleby", "Bert Sampleton"]


@pytest.fixture(autouse=True)
def _sources() -> Iterator[None]:
    registry.register(InventedSource(NAME), sink=ingest_records)
    yield
    registry.forget(NAME)


def article(number: int, **values: object) -> PaperRecord:
    return paper_record(
        **{
            "external_id": f"10.1/{number}", "identifiers": [("doi", f"10.1/{number}")], "rank": 40, "kind": "article",
            "title": f"An article on loom {number}", "authors": AUTHORS, **values,
        }
    )  # fmt: skip


def test_fusing_while_attributing_leaves_nothing_wrong() -> None:
    ingest_records(pairs(*(arxiv_record(f"2001.{number:05}", rank=10, authors=AUTHORS) for number in WORKS)))
    ingest_records(pairs(*(article(number) for number in WORKS)))
    everything = list(Paper.objects.values_list("pk", flat=True))
    assert len(everything) == 2 * len(WORKS)

    def fuse(numbers: list[int]) -> None:
        for number in numbers:
            both = [("arxiv", f"2001.{number:05}"), ("doi", f"10.1/{number}")]
            ingest_records(pairs(article(number, external_id=f"tie {number}", identifiers=both, rank=90)))

    def attribute() -> None:
        for _ in range(6):
            attribute_papers(papers=everything, again=everything)

    children = [
        fork(lambda: fuse(list(WORKS)[::2])),
        fork(lambda: fuse(list(WORKS)[1::2][::-1])),
        fork(attribute),
        fork(attribute),
    ]
    assert [ended(child) for child in children] == [0, 0, 0, 0]
    attribute()
    assert Paper.objects.visible().count() == len(WORKS) == PaperMergeEvent.objects.count()
    assert (audit(PAPERS), audit(ADAPTER)) == ([], [])
    assert Attribution.objects.count() == 2 * len(WORKS)
    assert not Attribution.objects.filter(paper__redirect_to__isnull=False).exists()
