"""The same records in any order, in pages of any size, come to the same catalogue."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papers.models import Paper
from papers.services.ingest import ingest_records
from papers.sources.records import PaperRecord
from tests.papers.services.invented import arxiv_record, author, pairs, version
from tests.papers.services.state import catalogue, row_versions

pytestmark = pytest.mark.django_db

A, B = "2001.00001", "2001.00002"
V1, V2, V3 = version(1), version(2, "2020-03-02"), version(3, "2020-05-05", withdrawn=True)

STATES: list[PaperRecord] = [
    # One record in four states; the last one returns to the content of the first.
    arxiv_record(A, rank=10, versions=[], published={"year": 2020, "month": 1, "day": 1}),
    arxiv_record(
        A, rank=10, versions=[], stamp="2020-02-01", authors=["Bert Sampleton", "Ada Exampleby", "Cleo Third"]
    ),
    arxiv_record(A, rank=10, versions=[], stamp="2020-03-01", comments="withdrawn", withdrawn=True, authors=[]),
    arxiv_record(A, rank=10, versions=[], stamp="2020-04-01", published={"year": 2020, "month": 1, "day": 1}),
    # The same paper in another format, with versions and affiliations, two of its states told apart by versions.
    arxiv_record(A, format="raw", rank=20, versions=[V1], authors=[author("A. Exampleby", affiliations=("Nowhere",))]),
    arxiv_record(A, format="raw", rank=20, versions=[V1, V2], categories=["cs.CL", "hep-th"]),
    arxiv_record(A, format="raw", rank=20, versions=[V1, V2], categories=["cs.CL"], stamp="2020-02-01"),
    # A second paper that claims a DOI the first one also claims for a while.
    arxiv_record(B, identifiers=[("arxiv", B), ("doi", "10.1/x")]),
    arxiv_record(B, identifiers=[("arxiv", B), ("doi", "10.1/x"), ("doi", "10.1/y")], stamp="2020-02-01"),
    arxiv_record(A, format="dump", rank=30, identifiers=[("arxiv", A), ("doi", "10.1/x")], versions=[V1, V2, V3]),
    arxiv_record(A, format="dump", rank=30, identifiers=[("arxiv", A)], versions=[V1, V2, V3], stamp="2020-06-01"),
]

EXPECTED: list[dict[str, list[str]]] = []


def take_in(pages: list[list[PaperRecord]]) -> dict[str, list[str]]:
    """The catalogue that comes of the pages; the database is left as it was. A second time writes nothing."""
    with transaction.atomic():
        for page in pages:
            assert not ingest_records(pairs(*page)).refused
        found = catalogue()
        rows = row_versions()
        for page in pages:
            counts = ingest_records(pairs(*page))
            assert (counts.new, counts.changed, counts.unchanged) == (0, 0, len(page))
        assert row_versions() == rows
        transaction.set_rollback(True)
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations(STATES), st.sets(st.integers(1, len(STATES) - 1)), st.integers(0, len(STATES)))
def test_any_order_and_any_batching(order: list[PaperRecord], cuts: set[int], repeated: int) -> None:
    edges = [0, *sorted(cuts), len(order)]
    pages = [order[start:end] for start, end in pairwise(edges)]
    pages.append(order[:repeated])  # some are delivered once more
    if not EXPECTED:
        EXPECTED.append(take_in([STATES]))
    assert take_in(pages) == EXPECTED[0]


def test_what_it_comes_to() -> None:
    ingest_records(pairs(*STATES))
    first, second = Paper.objects.order_by("arxiv_id")
    assert (first.arxiv_id, first.status, first.version_count, first.doi) == (A, "withdrawn", 3, "")
    assert first.published_on == dt.date(2020, 1, 1)
    assert [authorship.name for authorship in first.authorships.all()] == ["Ada Exampleby", "Bert Sampleton"]
    assert [(i.scheme, i.value) for i in second.identifiers.order_by("value")] == [
        ("doi", "10.1/x"),
        ("doi", "10.1/y"),
        ("arxiv", B),
    ]
