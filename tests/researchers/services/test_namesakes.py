"""Who is called the same, and who only nearly."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from researchers.models import Researcher, ResearcherName
from researchers.services.namesakes import MOST_COMPARED, MOST_SHOWN, namesakes_of
from researchers.services.votes import cast_vote
from tests.researchers.people import arrive, curator, merge, researcher

pytestmark = pytest.mark.django_db


def called(name: str, papers: int = 1, **fields: object) -> Researcher:
    return researcher(name, paper_count=papers, **fields)


def names_of(person: Researcher) -> list[str]:
    return [one.name for one in namesakes_of(person).rows]


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("Ada Weaver", ["Ada Weaver", "ADA WEAVER", "Áda Wéaver", "Ada B. Weaver", "Ada Bea Weaver", "A. Weaver",
                        "A. B. Weaver", "Weaver, Ada"]),
        ("A. Weaver", ["Ada Weaver", "Anna Weaver", "A. B. Weaver"]),
        ("Ada B. Weaver", ["Ada Weaver", "A. Weaver", "A. B. Weaver", "Ada Bea Weaver"]),
        ("Xiao-Ming Li", ["Xiaoming Li", "Xiao-ming Li", "X. Li"]),
        ("Ludwig van Beethoven", ["L. van Beethoven", "Ludwig Van Beethoven"]),
        ("Plato", ["Plato", "PLATO"]),
        ("李明", ["李明"]),
    ],
)  # fmt: skip
def test_same_names_and_compatible_initials(name: str, alike: list[str]) -> None:
    person = called(name)
    for number, other in enumerate(alike):
        called(other, 100 - number)
    assert sorted(names_of(person)) == sorted(alike)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada Weaver", "Anna Weaver"), ("Ada Weaver", "Ada Weavers"), ("Ada Weaver", "Adam Weaver"),
        ("Ada B. Weaver", "Ada C. Weaver"), ("Ada Weaver", "B. Weaver"), ("Ming Li", "Xiaoming Li"),
        ("Ada Weaver", "Weaver Ada"), ("Plato", "Ada Plato"), ("", ""), ("...", "..."),
    ],
)  # fmt: skip
def test_other_names(name: str, other: str) -> None:
    person = called(name)
    called(other)
    assert names_of(person) == []


def test_a_full_name_is_not_widened_by_its_own_initials() -> None:
    person = called("Yu Chen")
    ResearcherName.objects.create(researcher=person, value="Y. Chen")
    called("Ying Chen")
    called("Y. Chen")
    assert names_of(person) == ["Y. Chen"]


def test_all_public_names_count_and_no_hidden_one() -> None:
    person = called("Ada Spindle")
    ResearcherName.objects.create(researcher=person, value="Ada Weaver")
    ResearcherName.objects.create(researcher=person, value="Ada Former", visibility="hidden")
    called("Ada Weaver", 2)
    called("Ada Former", 3)
    assert names_of(person) == ["Ada Weaver"]


def test_who_bears_the_name_in_full_stands_first_then_who_wrote_most() -> None:
    person = called("Ada Weaver")
    for name, papers in (("A. Weaver", 9), ("Ada Weaver", 2), ("Ada B. Weaver", 5), ("Ada Weaver", 4)):
        called(name, papers)
    assert [(one.name, one.papers) for one in namesakes_of(person).rows] == [
        ("Ada Weaver", 4), ("Ada Weaver", 2), ("A. Weaver", 9), ("Ada B. Weaver", 5),
    ]  # fmt: skip


def test_what_is_said_of_each() -> None:
    person = called("Ada Weaver")
    other = called(
        "Ada Weaver", 7, first_year=2019, last_year=2023, categories=["cs.CL", "cs.LG", "cs.IR", "cs.AI"], h_index=3
    )
    (row,) = namesakes_of(person).rows
    assert (row.id, row.url, row.papers, row.years, row.fields, row.h_index, row.my_vote) == (
        other.pk, f"/researchers/{other.pk}-ada-weaver", 7, "2019–2023", ("cs.CL", "cs.LG", "cs.IR"), 3, "",
    )  # fmt: skip


def test_only_roots_with_papers_and_never_the_erased() -> None:
    person, merged = researcher("Ada Weaver"), researcher("Ada Weaver")
    arrive(person), arrive(merged)
    called("Ada Weaver", 0)
    called("Ada Weaver", erased_at=timezone.now())
    assert [one.id for one in namesakes_of(person).rows] == [merged.pk]
    merge(merged, person, curator())
    assert namesakes_of(person).rows == ()


def test_a_common_name_is_cut_and_counted() -> None:
    person = called("Wei Wang")
    for number in range(30):
        called("Wei Wang", number + 1)
    found = namesakes_of(person)
    assert ([one.papers for one in found.rows], found.more, found.more_exact, found.total) == (
        list(range(30, 30 - MOST_SHOWN, -1)), 30 - MOST_SHOWN, True, 30,
    )  # fmt: skip
    assert found.compare_ids == ",".join(str(number) for number in [person.pk, *(one.id for one in found.rows[:3])])
    Researcher.objects.bulk_create(
        Researcher(
            pk=10_000 + number, root_id=10_000 + number, display_name="W. Wang", sort_name="wang w", paper_count=1
        )
        for number in range(MOST_COMPARED)
    )
    assert namesakes_of(person).more_exact is False


def test_the_reader_sees_their_own_vote_on_whichever_member() -> None:
    reader, other_reader = curator("reader", []), curator("other", [])
    a, b = researcher("Ada Weaver"), researcher("Ada Weaver")
    merged = researcher("Ada Weaver")
    arrive(a), arrive(b), arrive(merged)
    cast_vote(voter=reader, one=merged.pk, other=a.pk, verdict="different")
    cast_vote(voter=other_reader, one=a.pk, other=b.pk, verdict="same")
    merge(merged, b, curator())
    assert [(one.id, one.my_vote) for one in namesakes_of(a, reader=reader.pk).rows] == [(b.pk, "different")]


@pytest.mark.parametrize("count", [1, 3, 30])
def test_the_number_of_queries(count: int) -> None:
    person, reader = called("Ada Weaver"), curator("reader", [])
    for _ in range(count):
        called("Ada Weaver")
    for reading in (None, reader.pk):
        for names, most in ((None, 2), (["A. Weaver"], 1)):
            with CaptureQueriesContext(connection) as queries:
                namesakes_of(person, names=names, reader=reading)
            assert len(queries) == most
