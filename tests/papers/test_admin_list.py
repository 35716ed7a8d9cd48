"""The list of papers in the admin: found by id and word, filtered, and never counted to the end."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.admin import PaperAdmin, finding
from papers.models import Paper
from tests.admin_people import client_of, statuses, user_with
from tests.factories import CategoryFactory, PaperFactory
from tests.html import get
from tests.searching import index_papers  # noqa: F401
from wovepaper.lib import bounded_paginator

pytestmark = pytest.mark.django_db
URL = "/admin/papers/paper/"


@pytest.fixture
def curator():
    return client_of(user_with("papers.view_paper"))


@pytest.fixture
def papers():
    math = CategoryFactory(code="math.AG", name="Algebraic Geometry")
    looms = PaperFactory(title="Power <b>looms</b> of $x^2$", arxiv_id="2101.00001", published_on=dt.date(2021, 1, 1))
    weft = PaperFactory(
        title="The weft", arxiv_id="", doi="10.1234/weft", kind="article", published_on=dt.date(2022, 1, 1),
        primary_category=math, pinned={"venue": {"value": "x"}},
    )  # fmt: skip
    gone = PaperFactory(title="Gone looms", status="withdrawn", published_on=dt.date(2020, 5, 1),
                        published_precision="month", arxiv_id="math/0101001")  # fmt: skip
    merged = PaperFactory(title="Merged looms", redirect_to=looms)
    return looms, weft, gone, merged


def rows(page) -> list[list[str]]:
    return [
        [" ".join(cell.text_content().split()) for cell in row.xpath("./th|./td")]
        for row in page.all("//table[@id='result_list']/tbody/tr")
    ]


def names(page) -> list[str]:
    return [row[0] for row in rows(page)]


def test_the_newest_come_first_and_redirects_are_left_out(curator, papers):
    _, weft, *_ = papers
    assert rows(get(curator, URL)) == [
        [str(weft.pk), "The weft", "Journal article", "Current", "math.AG", "2022-01-01", "venue"],
        ["2101.00001", "Power looms of x²", "Preprint", "Current", "cs.CL", "2021-01-01", "—"],
        ["math/0101001", "Gone looms", "Preprint", "Withdrawn", "cs.CL", "2020-05", "—"],
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("status__exact=withdrawn", ["math/0101001"]),
        ("kind__exact=preprint", ["2101.00001", "math/0101001"]),
        ("category=cs.CL", ["2101.00001", "math/0101001"]),
        ("category=cs.CL&status__exact=withdrawn", ["math/0101001"]),
        ("category=nothing", []),
        ("q=2101.00001", ["2101.00001"]),
        ("q=https://arxiv.org/abs/2101.00001v3", ["2101.00001"]),
        ("q=math/0101001", ["math/0101001"]),
        ("q=looms", ["2101.00001", "math/0101001"]),
        ("q=%22gone+looms%22", ["math/0101001"]),
        ("q=looms&status__exact=withdrawn", ["math/0101001"]),
        ("q=9999.99999", []),
        ("q=10.9/none", []),
        ("q=%22)(", []),
    ],
)
def test_filters_and_search(curator, papers, index_papers, query, found):  # noqa: F811
    index_papers()
    assert names(get(curator, f"{URL}?{query}")) == found


def test_search_by_doi_and_number(curator, papers, index_papers):  # noqa: F811
    index_papers()
    weft = papers[1]
    for query in ("10.1234/WEFT", "https://doi.org/10.1234/weft", str(weft.pk)):
        assert names(get(curator, f"{URL}?q={query}")) == [str(weft.pk)]


def test_a_merged_paper_is_found_where_it_leads(curator, papers):
    assert names(get(curator, f"{URL}?q={papers[3].arxiv_id}")) == ["2101.00001"]


def test_an_unknown_identifier_is_said(curator):
    assert "No paper has the identifier 2101.99999." in get(curator, f"{URL}?q=2101.99999").text


def test_without_the_search_engine_exact_titles_are_found(curator, papers, monkeypatch):
    def broken(text):
        raise OSError("no index")

    monkeypatch.setattr(finding, "_by_words", broken)
    Paper.objects.filter(pk=papers[2].pk).update(title_key=finding.title_fingerprint("Gone looms"))
    page = get(curator, f"{URL}?q=Gone+Looms")
    assert names(page) == ["math/0101001"]
    assert "The search engine does not answer" in page.text


def test_the_category_filter_keeps_the_other_parameters(curator, papers):
    page = get(curator, f"{URL}?status__exact=withdrawn&q=looms&p=1")
    hidden = page.all("//form[@class='choice-filter']/input[@type='hidden']")
    assert sorted((field.get("name"), field.get("value")) for field in hidden) == [
        ("q", "looms"),
        ("status__exact", "withdrawn"),
    ]
    assert page.all("//form[@class='choice-filter']//option[@value='math.AG']/text()") == [
        "math.AG — Algebraic Geometry"
    ]


def test_the_list_ends_and_says_so(curator, monkeypatch):
    monkeypatch.setattr(bounded_paginator, "LONGEST_LIST", 2)
    monkeypatch.setattr(PaperAdmin, "list_per_page", 1)
    PaperFactory.create_batch(2)
    assert "the list ends there" not in get(curator, URL).text
    PaperFactory.create_batch(2)
    page = get(curator, URL)
    assert len(rows(page)) == len(rows(get(curator, f"{URL}?p=2"))) == 1
    assert page.texts("//p[@class='paginator']") == ["1 2 2 papers"]
    assert "There are more than 2; the list ends there." in page.text


def test_queries_are_the_same_for_one_row_and_for_many(curator):
    PaperFactory()
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            get(curator, URL)
        counts.append(len(queries))
        assert not [q for q in queries.captured_queries if "COUNT(*)" in q["sql"] and "LIMIT 2001" not in q["sql"]]
        PaperFactory.create_batch(5)
    assert counts[0] == counts[1] <= 8


def test_a_page_of_the_list_follows_an_index():
    PaperFactory.create_batch(3)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
        plan = Paper.objects.filter(redirect_to=None).order_by("-sort_date", "-id")[:50].explain()
    assert "paper_newest" in plan


def test_who_may_see_the_list(papers):
    seen = statuses("get", URL, "papers.view_paper", acting="papers.pin_paper")
    assert seen == {
        "anonymous": 302, "reader": 302, "staff": 403, "viewer": 200, "actor": 200, "superuser": 200,
    }  # fmt: skip
    admin = client_of(user_with(is_superuser=True))
    assert admin.get(f"{URL}add/").status_code == 403
    assert admin.post(f"{URL}{papers[0].pk}/delete/", {"post": "yes"}).status_code == 403
    assert Paper.objects.filter(pk=papers[0].pk).exists()
