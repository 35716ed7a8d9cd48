"""The identity of an authorship outlives re-harvests: what hangs on it must not come loose."""

from __future__ import annotations

import pytest

from papers.models import Affiliation, Authorship, SourceAuthorship
from papers.services.ingest import ingest_records
from papers.sources.records import PaperRecord
from tests.papers.services.invented import arxiv_record, author, pairs
from tests.papers.services.state import row_versions

pytestmark = pytest.mark.django_db


def ingest(*records: PaperRecord) -> None:
    assert not ingest_records(pairs(*records)).refused


def identities() -> dict[str, int]:
    return dict(Authorship.objects.values_list("name", "pk"))


def in_order() -> list[tuple[int, str]]:
    return list(Authorship.objects.values_list("position", "name"))


def test_positions_shift_and_identities_stay() -> None:
    ingest(arxiv_record(authors=["Ada Exampleby", "Bert Sampleton", "Cleo Third"]))
    before = identities()
    ingest(arxiv_record(authors=["New First", "Cleo Third", "Ada Exampleby"], stamp="2020-02-02"))
    after = identities()
    assert in_order() == [(1, "New First"), (2, "Cleo Third"), (3, "Ada Exampleby")]
    assert after["Ada Exampleby"] == before["Ada Exampleby"]
    assert after["Cleo Third"] == before["Cleo Third"]
    assert after["New First"] not in before.values()
    assert list(SourceAuthorship.objects.values_list("position", "name", "authorship_id")) == [
        (1, "New First", after["New First"]),
        (2, "Cleo Third", before["Cleo Third"]),
        (3, "Ada Exampleby", before["Ada Exampleby"]),
    ]


def test_a_renamed_author_with_an_orcid_stays_the_same() -> None:
    orcid = "0000-0002-1825-0097"
    ingest(arxiv_record(authors=["Bert Sampleton", author("Ada Exampleby", orcid=orcid)]))
    before = identities()
    ingest(arxiv_record(authors=[author("Ada Married-Name", orcid=orcid), "Bert Sampleton"], stamp="2020-02-02"))
    assert identities() == {
        "Ada Married-Name": before["Ada Exampleby"],
        "Bert Sampleton": before["Bert Sampleton"],
    }


def test_the_orcid_may_come_from_another_record() -> None:
    orcid = "0000-0002-1825-0097"
    ingest(
        arxiv_record(authors=["Ada Exampleby"]),
        arxiv_record(format="raw", rank=60, authors=[author("A Exampleby", orcid=orcid)]),
    )
    before = identities()
    ingest(arxiv_record(authors=["Somebody Else", author("Ada Married-Name", orcid=orcid)], stamp="2020-02-02"))
    assert identities()["Ada Married-Name"] == before["Ada Exampleby"]


def test_an_affiliation_that_comes_first_is_shown_first() -> None:
    ingest(arxiv_record(authors=[author("Ada Exampleby", affiliations=("B",))]))
    ingest(arxiv_record(authors=[author("Ada Exampleby", affiliations=("A", "B"))], stamp="2020-02-02"))
    assert list(Affiliation.objects.values_list("text", flat=True)) == ["A", "B"]


def test_only_the_authors_that_differ_are_written() -> None:
    ingest(arxiv_record(authors=["Ada Exampleby", "Bert Sampleton", "Cleo Third"]))
    kept = set(row_versions()["papers_authorship"])
    ingest(arxiv_record(authors=["Ada Exampleby", "Bert Sampleton", "Cleo Thirdling"], stamp="2020-02-02"))
    now = set(row_versions()["papers_authorship"])
    assert len(kept & now) == 2


def test_a_better_record_takes_over_the_list_and_the_identities() -> None:
    ingest(arxiv_record(format="raw", rank=60, authors=["A. Exampleby", "B. Sampleton", "C. Extra"]))
    before = identities()
    ingest(arxiv_record(rank=10, authors=["Ada Exampleby", "Bert Sampleton"]))
    assert identities() == {
        "Ada Exampleby": before["A. Exampleby"],
        "Bert Sampleton": before["B. Sampleton"],
    }
    # What the raw record printed beyond the shown list stands for no place in it.
    assert list(SourceAuthorship.objects.values_list("source_record__format", "name", "authorship__name")) == [
        ("raw", "A. Exampleby", "Ada Exampleby"),
        ("raw", "B. Sampleton", "Bert Sampleton"),
        ("full", "Ada Exampleby", "Ada Exampleby"),
        ("full", "Bert Sampleton", "Bert Sampleton"),
    ]


def test_three_thousand_authors_come_and_shift_by_one(django_assert_max_num_queries) -> None:
    names = [f"Given{number} Family{number}" for number in range(3_000)]
    ingest(arxiv_record(authors=names))
    before = identities()
    record = arxiv_record(authors=["New First", *names], stamp="2020-02-02")
    with django_assert_max_num_queries(30):
        ingest(record)
    after = identities()
    assert len(after) == 3_001
    assert {name: pk for name, pk in after.items() if name != "New First"} == before
    assert in_order()[:2] == [(1, "New First"), (2, "Given0 Family0")]
