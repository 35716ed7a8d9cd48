"""Pages against the SQL they cannot do without."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import connection
from django.db.models import Max

from papers.models import CategoryListing, Paper
from tests.benchmarks.building import Build
from tests.benchmarks.conftest import Record
from tests.benchmarks.measure import Result, by_turns, compare
from tests.benchmarks.site import Site, run_bare, work_of

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7_200)]
GROUP = "Pages"
REPETITIONS = 40
MOST_QUERIES = 12
SIZES = (1, 24, 100)


def paper_with_authors(count: int) -> Paper:
    """A paper with so many authors, or the next larger number that occurs."""
    return Paper.objects.filter(author_count__gte=count).order_by("author_count", "id")[:1].get()


def list_of(count: int) -> tuple[str, int]:
    """The list of a category in one year that comes closest to so many papers: its address, and how many it has."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT code, year, papers FROM ("
            " SELECT unnest(categories) AS code, extract(year FROM sort_date)::int AS year, count(*) AS papers"
            " FROM papers_paper WHERE redirect_to_id IS NULL GROUP BY 1, 2) AS lists"
            " ORDER BY abs(papers - %s), code, year LIMIT 1",
            [count],
        )
        code, year, papers = cursor.fetchone()
    return f"/papers?category={code}&year_from={year}&year_to={year}", papers


def measure(record: Record, name: str, address: str, *, rows: int) -> int:
    """Compare a page with its SQL; returns the number of its statements."""
    site = Site()
    statements = site.queries(address)
    pairs = by_turns(
        partial(site.get, address), partial(run_bare, statements), repetitions=REPETITIONS, measure=work_of
    )
    record(compare(GROUP, name, pairs, limit=8, queries=len(statements), rows=rows, bytes=len(site.get(address))))
    return len(statements)


def judge_queries(record: Record, name: str, counts: dict[int, int]) -> None:
    """The number of statements, which may not depend on the rows."""
    most = max(counts.values())
    record(
        Result(
            GROUP, f"queries of {name}", most, most, most, MOST_QUERIES, unit="queries",
            note="At " + ", ".join(f"{size} rows {count}" for size, count in counts.items()) + ".",
        )
    )  # fmt: skip
    assert most <= MOST_QUERIES, counts


def test_paper_page(catalogue: Build, record: Record) -> None:
    counts = {}
    for size in SIZES:
        paper = paper_with_authors(size)
        counts[size] = measure(record, f"paper page, {size} authors", paper.get_absolute_url(), rows=paper.author_count)
    judge_queries(record, "the paper page", counts)


def test_list_of_papers(catalogue: Build, record: Record) -> None:
    counts = {}
    for size in SIZES:
        address, papers = list_of(size)
        counts[size] = measure(record, f"list of {size} papers", address, rows=min(papers, 24))
    judge_queries(record, "a list of papers", counts)


def test_list_of_all_papers(catalogue: Build, record: Record) -> None:
    queries = measure(record, "list of all papers", "/papers", rows=24)
    assert queries <= MOST_QUERIES


def test_category_day(catalogue: Build, record: Record) -> None:
    newest = CategoryListing.objects.filter(category="cs.LG").aggregate(day=Max("day"))["day"]
    rows = CategoryListing.objects.filter(category="cs.LG", day=newest).count()
    queries = measure(record, "latest day of a category", "/categories/cs.LG", rows=rows)
    assert queries <= MOST_QUERIES


def test_archive_day(catalogue: Build, record: Record) -> None:
    newest = CategoryListing.objects.filter(category__archive="cs", kind="new").aggregate(day=Max("day"))["day"]
    rows = Paper.objects.filter(announced_on=newest, primary_category__archive="cs").count()
    queries = measure(record, "latest day of an archive", "/categories/cs", rows=min(rows, 24))
    assert queries <= MOST_QUERIES


def test_front_page(catalogue: Build, record: Record) -> None:
    queries = measure(record, "front page", "/", rows=Paper.objects.filter(announced_on__isnull=False).count())
    assert queries <= MOST_QUERIES


def test_page_1000_of_a_list_against_page_1(catalogue: Build, record: Record) -> None:
    depth = min(24 * 999, Paper.objects.visible().count() - 25)
    last = Paper.objects.visible().newest().values_list("sort_date", "id")[depth - 1]
    site = Site()
    deep = f"/papers?after={last[0].isoformat()}_{last[1]}"
    assert site.get(deep).count(b"<article") == site.get("/papers").count(b"<article")
    pairs = by_turns(partial(site.get, deep), partial(site.get, "/papers"), repetitions=REPETITIONS, measure=work_of)
    record(
        compare(
            GROUP, f"page {depth // 24 + 1:,} of a list over page 1", pairs, limit=1.3,
            note="Two whole pages, by turns; processor time.",
        )
    )  # fmt: skip
