"""Records in, papers out: exact values."""

from __future__ import annotations

import datetime as dt

import pytest

from papers.models import (
    Authorship,
    Category,
    CategoryListing,
    Paper,
    PaperIdentifier,
    PaperVersion,
    SourceAuthorship,
    SourceRecord,
)
from papers.services.ingest import ingest_records
from tests.papers.services.invented import arxiv_record, pairs, version

pytestmark = pytest.mark.django_db


def test_a_record_becomes_a_paper_with_all_its_rows() -> None:
    counts = ingest_records(pairs(arxiv_record(comments="3 pages", licence="http://licence.example/1")))
    assert (counts.new, counts.changed, counts.unchanged, counts.refused) == (1, 0, 0, ())
    paper = Paper.objects.get()
    assert paper.title == "On the invented paper 2001.00001"
    assert (paper.kind, paper.status) == ("preprint", "current")
    assert (paper.published_on, paper.published_precision, paper.sort_date) == (
        dt.date(2020, 1, 1),
        "day",
        dt.date(2020, 1, 1),
    )
    assert (paper.primary_category_id, paper.categories) == ("cs.CL", ["cs.CL", "math.CO"])
    assert (paper.arxiv_id, paper.doi) == ("2001.00001", "")
    assert (paper.author_count, paper.version_count, paper.last_version_on) == (2, 1, dt.date(2020, 1, 1))
    assert (paper.comments, paper.licence, paper.is_demo) == ("3 pages", "http://licence.example/1", False)
    assert list(PaperIdentifier.objects.values_list("scheme", "value")) == [("arxiv", "2001.00001")]
    assert list(PaperVersion.objects.values_list("number", "submitted_at")) == [
        (1, dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC))
    ]
    assert list(Authorship.objects.values_list("position", "name")) == [(1, "Ada Exampleby"), (2, "Bert Sampleton")]
    assert list(SourceAuthorship.objects.values_list("position", "name", "authorship__position")) == [
        (1, "Ada Exampleby", 1),
        (2, "Bert Sampleton", 2),
    ]
    record = SourceRecord.objects.get()
    assert (record.paper, record.source, record.format, record.external_id, record.stamp) == (
        paper,
        "invented",
        "full",
        "2001.00001",
        "2020-01-02",
    )


def test_versions_make_listings() -> None:
    ingest_records(pairs(arxiv_record(versions=[version(1), version(2, "2020-03-02")])))
    # The first of January 2020, 12:00 UTC, a Wednesday: listed on Thursday.
    assert set(CategoryListing.objects.values_list("category_id", "day", "kind")) == {
        ("cs.CL", dt.date(2020, 1, 2), "new"),
        ("math.CO", dt.date(2020, 1, 2), "cross"),
        ("cs.CL", dt.date(2020, 3, 3), "revised"),
        ("math.CO", dt.date(2020, 3, 3), "revised"),
    }
    assert Paper.objects.get().announced_on == dt.date(2020, 1, 2)


def test_an_unknown_category_gets_a_row_of_its_own() -> None:
    ingest_records(pairs(arxiv_record(primary_category="zz-new.XX", categories=["zz-new.XX"])))
    category = Category.objects.get(code="zz-new.XX")
    assert (category.name, category.archive, category.group) == ("zz-new.XX", "zz-new", "grp_unknown")
