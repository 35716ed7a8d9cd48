"""The document of a paper, and what making many of them costs."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from haystack import connections

from papers.models import Paper
from papers.search_indexes import PaperIndex
from papers.services.ingest import ingest_records
from tests.factories import InstitutionFactory
from tests.papers.services.invented import arxiv_record, pairs, paper_record, version

pytestmark = pytest.mark.django_db


def prepared(paper: Paper) -> dict[str, object]:
    index = connections["default"].get_unified_index().get_index(Paper)
    found: dict[str, object] = index.full_prepare(paper)
    return found


def test_formulas_are_held_as_a_reader_would_type_them() -> None:
    ingest_records(
        pairs(arxiv_record(title=r"On $\alpha$-looms & a < b", abstract=r"In $\mathbb{R}^{7}$ \emph{warp} costs \$5."))
    )
    document = prepared(PaperIndex().index_queryset().get())
    assert (document["title"], document["abstract"]) == ("On α-looms & a < b", "In ℝ⁷ warp costs $5.")
    assert document["text"] == "On α-looms & a < b\nIn ℝ⁷ warp costs $5.\nAda Exampleby\nBert Sampleton"


def test_all_fields_of_a_document() -> None:
    ingest_records(
        pairs(
            arxiv_record(
                identifiers=[("arxiv", "2001.00001"), ("doi", "10.1/x")],
                versions=[version(1), version(2, "2020-03-02")],
                venue="Journal of Examples",
            ),
        )
    )
    paper = PaperIndex().index_queryset().get()
    document = prepared(paper)
    assert document == {
        "id": f"papers.paper.{paper.pk}",
        "django_ct": "papers.paper",
        "django_id": str(paper.pk),
        "text": ("On the invented paper 2001.00001\nNothing is known about it.\nAda Exampleby\nBert Sampleton"),
        "title": "On the invented paper 2001.00001",
        "abstract": "Nothing is known about it.",
        "authors": ["Ada Exampleby", "Bert Sampleton"],
        "categories": ["cs.CL", "math.CO"],
        "categories_exact": ["cs.CL", "math.CO"],
        "primary_category": "cs.CL",
        "primary_category_exact": "cs.CL",
        "kind": "preprint",
        "kind_exact": "preprint",
        "status": "current",
        "status_exact": "current",
        "year": 2020,
        "year_exact": 2020,
        "sort_date": dt.date(2020, 1, 1),
        "announced_on": dt.date(2020, 1, 2),
        "arxiv_id": "2001.00001",
        "doi": "10.1/x",
        "sources": ["invented"],
        "sources_exact": ["invented"],
        "researchers": [],
        "institutions": [],
        "countries": [],
        "citation_order": -1,
        "author_count": 2,
        "url": paper.get_absolute_url(),
        "published_on": dt.date(2020, 1, 1),
        "published_precision": "day",
        "version_count": 2,
        "venue": "Journal of Examples",
    }


def test_a_paper_of_which_little_is_known() -> None:
    ingest_records(pairs(paper_record(external_id="bare", title="Bare")))
    document = prepared(PaperIndex().index_queryset().get())
    assert document["text"] == "Bare\n"
    assert not {"year", "year_exact", "announced_on", "published_on"} & document.keys()
    assert (document["authors"], document["categories"], document["primary_category"]) == ([], [], "")
    assert document["sort_date"] == dt.date(1, 1, 1)


def test_sources_each_once_and_a_paper_that_was_read_elsewhere() -> None:
    ingest_records(
        pairs(
            arxiv_record(),
            arxiv_record(format="raw", rank=60),
            arxiv_record(source="invented-2", rank=70),
        )
    )
    assert prepared(Paper.objects.get())["sources"] == ["invented", "invented-2"]


def test_three_queries_whatever_the_batch_and_no_raw_record() -> None:
    ingest_records(pairs(*(arxiv_record(f"2001.{number:05}") for number in range(1, 31))))
    for count in (1, 30):
        with CaptureQueriesContext(connection) as captured:
            documents = [prepared(paper) for paper in PaperIndex().index_queryset()[:count]]
        assert len(documents) == count
        assert len(captured) == 3
        assert "payload" not in "".join(query["sql"] for query in captured)


def test_institutions_and_countries_each_once() -> None:
    ingest_records(pairs(arxiv_record()))
    paper = Paper.objects.get()
    places = [InstitutionFactory(country=country) for country in ("DE", "DE", "")]
    for place in places:
        paper.institutions.create(institution=place, sort_date=paper.sort_date)
    for read in (paper, PaperIndex().index_queryset().get()):
        document = prepared(read)
        assert document["institutions"] == [str(place.pk) for place in places]
        assert document["countries"] == ["DE"]


def test_redirected_papers_have_no_document() -> None:
    ingest_records(pairs(arxiv_record(), arxiv_record("2001.00002")))
    first, second = Paper.objects.order_by("arxiv_id")
    Paper.objects.filter(pk=second.pk).update(redirect_to=first)
    assert [paper.pk for paper in PaperIndex().index_queryset()] == [first.pk]
