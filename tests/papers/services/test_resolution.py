"""Precedence, field by field. Nothing here touches the database."""

from __future__ import annotations

import datetime as dt
from itertools import permutations
from typing import Any

import pytest

from papers.services.ingest.resolution import Shown, precedence, resolve
from papers.sources.records import PaperRecord
from tests.papers.services.invented import arxiv_record, author, paper_record, version


def shown(*records: PaperRecord, pinned: dict[str, Any] | None = None) -> Shown:
    """Whatever the order in which they are given."""
    found = [resolve(sorted(some, key=precedence), pinned or {}) for some in permutations(records)]
    assert all(one == found[0] for one in found)
    return found[0]


def test_the_first_record_that_says_something_is_followed_field_by_field() -> None:
    columns = shown(
        arxiv_record(rank=10, format="first", title="First", venue=""),
        arxiv_record(rank=20, format="second", title="Second", venue="Journal of Seconds", comments="second"),
        arxiv_record(rank=30, format="third", title="Third", venue="Journal of Thirds", report_number="R-3"),
    ).columns
    assert (columns["title"], columns["venue"]) == ("First", "Journal of Seconds")
    assert (columns["comments"], columns["report_number"]) == ("second", "R-3")


def test_equal_ranks_are_ordered_by_format_and_then_by_id() -> None:
    assert shown(arxiv_record(format="b", title="B"), arxiv_record(format="a", title="A")).columns["title"] == "A"
    one, two = (paper_record(external_id=number, title=f"Title {number}") for number in ("1", "2"))
    assert shown(two, one).columns["title"] == "Title 1"


def test_the_day_of_the_first_version_is_the_date() -> None:
    columns = shown(
        arxiv_record(rank=10, versions=[], published={"year": 2019, "month": 5, "day": 5}),
        arxiv_record(rank=20, format="raw", versions=[version(1, "2020-02-02"), version(2, "2021-01-01")]),
    ).columns
    assert (columns["published_on"], columns["published_precision"]) == (dt.date(2020, 2, 2), "day")
    assert columns["sort_date"] == dt.date(2020, 2, 2)
    assert columns["last_version_on"] == dt.date(2021, 1, 1)


def test_without_versions_the_more_precise_date_wins_and_of_equals_the_earlier() -> None:
    year = paper_record(external_id="1", rank=1, published={"year": 2010})
    late = paper_record(external_id="2", rank=2, published={"year": 2012, "month": 3, "day": 9})
    early = paper_record(external_id="3", rank=3, published={"year": 2012, "month": 3, "day": 4})
    columns = shown(year, late, early).columns
    assert (columns["published_on"], columns["published_precision"]) == (dt.date(2012, 3, 4), "day")
    columns = shown(year).columns
    assert (columns["published_on"], columns["published_precision"]) == (dt.date(2010, 1, 1), "year")


def test_versions_are_united_by_number() -> None:
    versions = shown(
        arxiv_record(rank=10, versions=[version(2, "2020-02-02"), version(1)]),
        arxiv_record(
            rank=20,
            format="raw",
            versions=[version(2, "2020-02-03", size=2048, source_type="D"), version(3, "2020-03-03")],
        ),
    ).versions
    assert [(v.number, v.submitted_at.date() if v.submitted_at else None, v.size, v.source_type) for v in versions] == [
        (1, dt.date(2020, 1, 1), None, ""),
        (2, dt.date(2020, 2, 2), 2048, "D"),
        (3, dt.date(2020, 3, 3), None, ""),
    ]


def test_a_time_without_zone_is_taken_for_utc() -> None:
    naive = arxiv_record(versions=[{"number": 1, "submitted_at": "2020-01-01T12:00:00"}])
    assert shown(naive).versions[0].submitted_at == dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("records", "status"),
    [
        ([{"versions": [version(1)]}], "current"),
        ([{"versions": [version(1), version(2, withdrawn=True)]}], "withdrawn"),
        ([{"versions": [version(1, withdrawn=True), version(2)]}], "current"),
        ([{"versions": [version(1)]}, {"format": "other", "versions": [], "withdrawn": True}], "withdrawn"),
        ([{"versions": [version(1)]}, {"format": "other", "versions": [], "withdrawn": None}], "current"),
        (
            [
                {"stamp": "2021-01-01", "versions": [version(1), version(2)]},
                {"format": "stale", "versions": [], "withdrawn": True},
            ],
            "current",
        ),
        (
            [
                {"versions": [version(1)]},
                {"format": "newer", "stamp": "2021-01-01", "versions": [], "withdrawn": True},
            ],
            "withdrawn",
        ),
        ([{"versions": [version(1)]}, {"source": "invented-2", "versions": [], "withdrawn": True}], "withdrawn"),
    ],
)
def test_withdrawn_by_the_newest_record_of_each_source_that_knows(records: list[dict[str, Any]], status: str) -> None:
    assert shown(*(arxiv_record(**values) for values in records)).columns["status"] == status


def test_the_primary_category_comes_first_and_each_category_once() -> None:
    columns = shown(
        arxiv_record(rank=10, primary_category="", categories=["math.CO", "cs.CL", "math.CO"]),
        arxiv_record(rank=20, format="raw", primary_category="cs.CL", categories=["hep-th"]),
    ).columns
    assert (columns["primary_category_id"], columns["categories"]) == ("cs.CL", ["cs.CL", "math.CO"])


def test_identifiers_of_all_records_and_the_first_of_each_scheme_in_the_columns() -> None:
    found = shown(
        arxiv_record(rank=10, identifiers=[("arxiv", "2001.00001"), ("doi", "10.1/b"), ("doi", "10.1/a")]),
        arxiv_record(rank=20, format="raw", identifiers=[("arxiv", "2001.00001"), ("doi", "10.1/c")]),
    )
    assert found.identifiers == (("arxiv", "2001.00001"), ("doi", "10.1/b"), ("doi", "10.1/a"), ("doi", "10.1/c"))
    assert (found.columns["arxiv_id"], found.columns["doi"]) == ("2001.00001", "10.1/b")


def test_authors_of_the_best_record_with_what_the_others_know_of_them() -> None:
    found = shown(
        arxiv_record(rank=10, authors=["Ada Exampleby", author("Zoë Ünseld", affiliations=("Nowhere",))]),
        arxiv_record(
            rank=20,
            format="raw",
            authors=[
                author("Z. Unseld", affiliations=("Elsewhere", "Nowhere"), corresponding=True),
                author("Ada Exampleby", affiliations=("Elsewhere",)),
                "Never Listed Otherwise",
            ],
        ),
    )
    assert [(a.name, a.corresponding, a.affiliations) for a in found.authors] == [
        ("Ada Exampleby", False, ("Elsewhere",)),
        ("Zoë Ünseld", True, ("Nowhere", "Elsewhere")),
    ]
    assert [(p.record, p.position, p.shown) for p in found.printed] == [(0, 1, 0), (0, 2, 1), (1, 1, 1), (1, 2, 0)]


def test_pinned_values_win() -> None:
    pinned = {
        "title": {"value": "Pinned"},
        "published_on": {"value": "1999-07"},
        "status": {"value": "retracted"},
        "arxiv_id": {"value": "not a field one can pin"},
    }
    columns = shown(arxiv_record(), pinned=pinned).columns
    assert (columns["title"], columns["status"], columns["arxiv_id"]) == ("Pinned", "retracted", "2001.00001")
    assert (columns["published_on"], columns["published_precision"]) == (dt.date(1999, 7, 1), "month")
    assert columns["sort_date"] == dt.date(1999, 7, 1)
    assert columns["title_key"] == "ontheinventedpaper2001 00001"  # papers are found by what sources call them


def article_record(**values: Any) -> PaperRecord:
    given = {
        "rank": 20,
        "source": "invented-2",
        "format": "work",
        "external_id": "10.5555/1",
        "kind": "article",
        "venue": "Journal of Threads",
        "licence": "https://example.org/article",
        "published": {"year": 2019, "month": 5, "day": 4},
        "title": "The article's title",
        "categories": [],
        "versions": [],
    }
    return paper_record(**given | values)


def test_the_publication_is_followed_for_where_and_how_it_appeared_whatever_the_ranks() -> None:
    preprint = arxiv_record(
        rank=10, kind="preprint", title="The preprint's title", licence="https://example.org/preprint", pages="1-9"
    )
    columns = shown(preprint, article_record()).columns
    assert (columns["kind"], columns["venue"]) == ("article", "Journal of Threads")
    assert columns["licence"] == "https://example.org/article"
    assert columns["title"] == "The preprint's title"
    assert columns["pages"] == "1-9"  # what only the preprint's record says
    columns = shown(preprint, article_record(licence="")).columns
    assert columns["licence"] == "https://example.org/preprint"
    columns = shown(preprint).columns
    assert (columns["kind"], columns["licence"]) == ("preprint", "https://example.org/preprint")


def test_a_publishers_date_is_no_day_of_an_announcement() -> None:
    undated = arxiv_record(rank=10, versions=[], published={"year": 2019, "month": 4}, categories=["math.CO"])
    columns = shown(undated, article_record()).columns
    assert columns["published_on"] == dt.date(2019, 5, 4)
    assert columns["announced_on"] is None
    columns = shown(article_record(identifiers=[("arxiv", "1904.00001")])).columns
    assert (columns["arxiv_id"], columns["announced_on"]) == ("1904.00001", None)
