"""Which paper a record belongs to, and who owns an identifier that several claim."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from django.db import transaction

from papers.models import IdentifierClash, Paper, PaperIdentifier, SourceRecord
from papers.services.ingest import ingest_records
from papers.sources.records import PaperRecord
from tests.papers.services.invented import arxiv_record, pairs, paper_record
from tests.papers.services.state import catalogue

pytestmark = pytest.mark.django_db

TITLE = "A sufficiently long title on invented matters"


def ingest(*records: PaperRecord) -> None:
    assert not ingest_records(pairs(*records)).refused


def in_every_order(*records: PaperRecord, together: bool = True) -> dict[str, list[Any]]:
    """The catalogue that comes of it, which is the same for every order, record by record or in one page."""
    found = []
    for some in permutations(records):
        for pages in ([some], [[record] for record in some]):
            with transaction.atomic():
                for page in pages:
                    ingest(*page)
                found.append(catalogue())
                transaction.set_rollback(True)
    assert all(one == found[0] for one in found)
    ingest(*records)
    return found[0]


def owners() -> dict[tuple[str, str], str]:
    rows = PaperIdentifier.objects.values_list("scheme", "value", "paper__arxiv_id")
    return {(scheme, value): arxiv_id for scheme, value, arxiv_id in rows}


def clashes() -> list[tuple[str, str, str]]:
    return sorted(IdentifierClash.objects.values_list("paper__arxiv_id", "scheme", "value"))


def article(**values: Any) -> PaperRecord:
    """What a registry of articles would say of the same work."""
    return paper_record(
        **{
            "source": "invented-2",
            "format": "work",
            "external_id": "10.1/x",
            "identifiers": [("doi", "10.1/x")],
            "title": TITLE,
            "rank": 40,
            "kind": "article",
            "venue": "Journal of Examples",
            "authors": ["Exampleby, A.", "Sampleton, B."],
            "published": {"year": 2020, "month": 6},
            **values,
        }
    )


class TestByIdentifier:
    def test_formats_of_one_arxiv_paper_are_one_paper(self) -> None:
        in_every_order(arxiv_record(), arxiv_record(format="raw", rank=60), arxiv_record(format="dump", rank=70))
        assert Paper.objects.count() == 1
        assert SourceRecord.objects.filter(paper=Paper.objects.get()).count() == 3

    def test_a_doi_brings_the_article_to_the_preprint(self) -> None:
        in_every_order(
            arxiv_record(identifiers=[("arxiv", "2001.00001"), ("doi", "10.1/x")]),
            article(title="Quite another title"),
        )
        paper = Paper.objects.get()
        assert (paper.title, paper.venue) == ("Quite another title", "Journal of Examples")
        assert (paper.arxiv_id, paper.doi) == ("2001.00001", "10.1/x")

    def test_two_arxiv_papers_with_one_doi_stay_two_and_the_smaller_id_owns_it(self) -> None:
        in_every_order(
            *(
                arxiv_record(number, identifiers=[("arxiv", number), ("doi", "10.1/x")])
                for number in ("2001.00001", "2001.00002", "2001.00003")
            )
        )
        assert Paper.objects.count() == 3
        assert owners()["doi", "10.1/x"] == "2001.00001"
        assert clashes() == [("2001.00002", "doi", "10.1/x"), ("2001.00003", "doi", "10.1/x")]
        assert set(Paper.objects.values_list("doi", flat=True)) == {"10.1/x"}

    def test_the_next_claimant_owns_what_the_owner_gives_up(self) -> None:
        for number in ("2001.00001", "2001.00002"):
            ingest(arxiv_record(number, identifiers=[("arxiv", number), ("doi", "10.1/x")]))
        ingest(arxiv_record("2001.00001", stamp="2020-02-02"))
        assert owners()["doi", "10.1/x"] == "2001.00002"
        assert clashes() == []

    def test_a_claim_that_is_given_up_leaves_no_clash(self) -> None:
        for number in ("2001.00001", "2001.00002"):
            ingest(arxiv_record(number, identifiers=[("arxiv", number), ("doi", "10.1/x")]))
        ingest(arxiv_record("2001.00002", stamp="2020-02-02"))
        assert owners()["doi", "10.1/x"] == "2001.00001"
        assert clashes() == []

    def test_a_record_that_names_two_unlike_papers_joins_the_stronger_and_takes_nothing(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        ingest(arxiv_record())
        ingest(article(title="Unlike the other in every word", authors=["Zoe Elsewhere"]))
        assert Paper.objects.count() == 2
        ingest(arxiv_record(identifiers=[("arxiv", "2001.00001"), ("doi", "10.1/x")], stamp="2020-02-02"))
        assert Paper.objects.visible().count() == 2
        assert owners()["doi", "10.1/x"] == ""
        assert clashes() == [("2001.00001", "doi", "10.1/x")]
        assert "also claims doi:10.1/x, which another paper owns" in caplog.text

    def test_an_arxiv_record_never_joins_a_paper_with_another_arxiv_id(self) -> None:
        ingest(arxiv_record("2001.00001", identifiers=[("arxiv", "2001.00001"), ("openalex", "W1")]))
        ingest(arxiv_record("2001.00002", identifiers=[("arxiv", "2001.00002"), ("openalex", "W1")]))
        assert sorted(Paper.objects.values_list("arxiv_id", flat=True)) == ["2001.00001", "2001.00002"]

    def test_a_record_stays_with_its_paper(self) -> None:
        ingest(article())
        ingest(article(identifiers=[("doi", "10.1/renamed")], stamp="2021-01-01"))
        assert Paper.objects.get().doi == "10.1/renamed"
        assert owners() == {("doi", "10.1/renamed"): ""}

    def test_a_merged_paper_hands_its_records_on(self) -> None:
        ingest(article(), arxiv_record())
        gone, root = Paper.objects.get(doi="10.1/x"), Paper.objects.get(arxiv_id="2001.00001")
        Paper.objects.filter(pk=gone.pk).update(redirect_to=root)
        ingest(article(external_id="another", identifiers=[("doi", "10.1/x")], source="invented-3"))
        assert SourceRecord.objects.get(external_id="another").paper == root


class TestByTitle:
    def preprint(self, **values: Any) -> PaperRecord:
        return arxiv_record(**{"title": TITLE, "authors": ["Ada Exampleby", "Bert Sampleton"], **values})

    def test_title_authors_and_year_bring_two_records_together(self) -> None:
        in_every_order(self.preprint(), article())
        assert Paper.objects.count() == 1

    @pytest.mark.parametrize(
        "values",
        [
            {"title": TITLE + " II"},
            {"title": TITLE + " 2"},
            {"authors": ["Someone Else", "Another One"]},
            {"authors": []},
            {"published": {"year": 2017}},
            {"published": None},
            {"identifiers": [("arxiv", "2001.00009")]},
        ],
    )
    def test_what_speaks_against_it(self, values: dict[str, Any]) -> None:
        in_every_order(self.preprint(), article(**values))
        assert Paper.objects.count() == 2

    def test_two_dois_are_two_works(self) -> None:
        preprint = self.preprint(identifiers=[("arxiv", "2001.00001"), ("doi", "10.1/other")])
        in_every_order(preprint, article())
        assert Paper.objects.count() == 2

    def test_a_short_title_proves_nothing(self) -> None:
        in_every_order(self.preprint(title="Erratum"), article(title="Erratum"))
        assert Paper.objects.count() == 2

    def test_two_that_fit_fit_neither(self) -> None:
        ingest(self.preprint(), arxiv_record("2001.00002", title=TITLE))
        ingest(article())
        assert Paper.objects.count() == 3
