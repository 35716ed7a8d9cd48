"""References from papers of the catalogue."""

from __future__ import annotations

import datetime as dt

import pytest

from papers.citations import CitedName, citation_prefetches, export, from_paper
from papers.models import Authorship, Paper, SourceAuthorship
from papers.sources.records import PartialDate
from tests.factories import PaperFactory, SourceRecordFactory

pytestmark = pytest.mark.django_db


def printed(paper: Paper, position: int, **fields: str) -> None:
    record = SourceRecordFactory(paper=paper)
    authorship = paper.authorships.get(position=position)
    SourceAuthorship.objects.create(authorship=authorship, source_record=record, position=position, **fields)


def test_names_come_from_the_source_that_printed_them() -> None:
    paper = PaperFactory(authors=["Li Wei", "Jan van der Waals", "Martin King, Jr.", "The Loom Team", "Plato"])
    printed(paper, 1, name="Wei, L.", family="Wrong", given="L.")
    printed(paper, 1, name="Li Wei", family="Li", given="Wei")
    printed(paper, 2, name="Jan van der Waals")
    paper.authorships.filter(position=4).update(is_collaboration=True)
    assert from_paper(paper).authors == (
        CitedName("Li", "Wei"),
        CitedName("van der Waals", "Jan"),
        CitedName("King", "Martin", "Jr."),
        CitedName(literal="The Loom Team"),
        CitedName("Plato"),
    )


def test_a_name_printed_otherwise_does_not_give_the_parts() -> None:
    paper = PaperFactory(authors=["Ada Weaver"])
    printed(paper, 1, name="A. Weaver", family="Weaver", given="A.")
    assert from_paper(paper).authors == (CitedName("Weaver", "Ada"),)


def test_authors_are_in_order_whatever_the_order_of_rows() -> None:
    paper = PaperFactory(authors=[])
    for position in (3, 1, 2):
        Authorship.objects.create(paper=paper, position=position, name=f"Author{position}")
    assert [name.family for name in from_paper(paper).authors] == ["Author1", "Author2", "Author3"]


@pytest.mark.parametrize(
    ("precision", "date"),
    [("day", PartialDate(2021, 2, 1)), ("month", PartialDate(2021, 2)), ("year", PartialDate(2021))],
)
def test_dates_keep_their_precision(precision: str, date: PartialDate) -> None:
    paper = PaperFactory(published_on=dt.date(2021, 2, 1), published_precision=precision)
    assert from_paper(paper).date == date


def test_no_date_is_none_and_the_address_is_absolute() -> None:
    paper = PaperFactory(published_on=None, arxiv_id="", title="Odd $x$ knot")
    data = from_paper(paper, site_url="https://papers.test/")
    assert data.date is None
    assert data.address == f"https://papers.test{paper.get_absolute_url()}"
    assert data.url == data.address
    assert from_paper(paper).url == ""


def test_where_the_work_is() -> None:
    saved = PaperFactory(arxiv_id="math/0101001", doi="10.1/a<b {c}")
    preprint = from_paper(saved)
    assert preprint.url == "https://arxiv.org/abs/math/0101001"
    assert preprint.pdf_url == "https://arxiv.org/pdf/math/0101001"
    saved.kind = "article"
    assert from_paper(saved).url == "https://doi.org/10.1/a%3Cb%20%7Bc%7D"
    saved.status = "withdrawn"
    assert from_paper(saved).pdf_url == ""


@pytest.mark.parametrize("count", [1, 3])
def test_queries_do_not_grow(django_assert_num_queries, count: int) -> None:
    for _ in range(count):
        paper = PaperFactory(authors=["Ada Weaver", "Bo Spindle", "Cy Twine"])
        printed(paper, 2, name="Bo Spindle", family="Spindle", given="Bo")
    with django_assert_num_queries(3):
        papers = list(Paper.objects.order_by("id").prefetch_related(*citation_prefetches()))
        text = export([from_paper(paper) for paper in papers], "bibtex")
    assert text.count("Weaver, Ada and Spindle, Bo and Twine, Cy") == count
    paper = Paper.objects.get(pk=paper.pk)
    with django_assert_num_queries(2):
        from_paper(paper)
