"""Names shown in the place of printed ones: what harvests do to them, and what they do to harvests."""

from __future__ import annotations

import pytest

from papers.models import Authorship, Paper, SourceAuthorship
from papers.services.ingest import ingest_records
from papers.services.shown_names import ShownName, show_names
from papers.sources.records import PaperRecord
from tests.papers.services.invented import arxiv_record, author, pairs, paper_record
from tests.papers.services.state import row_versions
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db

ADA, BERT, NOW = "Ada Exampleby", "Bert Sampleton", "Eve Exampleby"


def ingest(*records: PaperRecord) -> tuple[int, int, int]:
    counts = ingest_records(pairs(*records))
    assert counts.refused == ()
    return counts.new, counts.changed, counts.unchanged


def shown() -> list[tuple[int, str, str | None]]:
    return list(Authorship.objects.order_by("position").values_list("position", "name", "replaced_name"))


def number_of(printed: str) -> int:
    return SourceAuthorship.objects.filter(name=printed).values_list("authorship", flat=True).distinct().get()


@pytest.fixture
def ada(db: None) -> int:
    """A paper whose first author is shown under another name."""
    ingest(arxiv_record())
    number = number_of(ADA)
    show_names([ShownName(number, ADA, NOW)])
    return number


def test_the_paper_waits_for_the_index_once(ada: int) -> None:
    WorkItem.objects.all().delete()
    paper = Paper.objects.get().pk
    assert show_names([ShownName(ada, ADA, NOW)]) == set()
    assert not WorkItem.objects.exists()
    assert show_names([ShownName(ada, ADA, "Una Exampleby")]) == {paper}
    assert show_names([ShownName(ada, ADA, None)]) == {paper}
    assert shown() == [(1, ADA, None), (2, BERT, None)]
    assert {(item.stage, item.object_id) for item in WorkItem.objects.all()} == {("index", paper)}


def test_what_sources_print_by_now_is_left(ada: int) -> None:
    assert show_names([ShownName(ada, "Ada Sampleby", "Una Exampleby")]) == set()
    assert show_names([]) == set()
    assert shown() == [(1, NOW, ADA), (2, BERT, None)]


def test_harvested_again_nothing_is_written(ada: int) -> None:
    rows = row_versions()
    assert ingest(arxiv_record()) == (0, 0, 1)
    assert row_versions() == rows


def test_the_printed_name_says_who_it_is_when_positions_shift(ada: int) -> None:
    changed = arxiv_record(authors=["Una Newcomer", BERT, ADA], stamp="2021-01-01")
    assert ingest(changed) == (0, 1, 0)
    assert shown() == [(1, "Una Newcomer", None), (2, BERT, None), (3, NOW, ADA)]
    assert number_of(ADA) == ada


def test_somebody_of_the_name_shown_is_somebody_else(ada: int) -> None:
    ingest(arxiv_record(authors=[NOW, ADA], stamp="2021-01-01"))
    assert shown() == [(1, NOW, None), (2, NOW, ADA)]
    assert number_of(ADA) == ada


def test_printed_otherwise_it_stays_replaced_until_it_is_decided_upon(ada: int) -> None:
    ingest(arxiv_record(authors=["A. Exampleby", BERT], stamp="2021-01-01"))
    assert shown() == [(1, NOW, "A. Exampleby"), (2, BERT, None)]
    assert Authorship.objects.get(pk=ada).printed_name == "A. Exampleby"
    ingest(arxiv_record(authors=[BERT], stamp="2021-01-02"))
    assert shown() == [(1, BERT, None)]


def test_a_record_of_another_source_joins_by_the_printed_names(ada: int) -> None:
    title = Paper.objects.get().title
    article = paper_record(
        source="registry", external_id="10.1/x", identifiers=[("doi", "10.1/x")], title=title, kind="article", rank=2,
        published={"year": 2020}, authors=[author(ADA), author(BERT)],
    )  # fmt: skip
    assert ingest(article) == (1, 0, 0)
    assert Paper.objects.count() == 1
    assert shown() == [(1, NOW, ADA), (2, BERT, None)]
    assert SourceAuthorship.objects.filter(authorship=ada, name=ADA).count() == 2
