import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import CategoryFactory, ListingFactory, PaperFactory
from tests.html import get

pytestmark = pytest.mark.django_db

MONDAY, TUESDAY, WEDNESDAY = (dt.date(2026, 11, day) for day in (23, 24, 25))


def announce(code, title, day, **fields):
    category = CategoryFactory(code=code, name=code, archive=code.partition(".")[0])
    paper = PaperFactory(title=title, primary_category=category, announced_on=day, **fields)
    ListingFactory(category=category, paper=paper, day=day, kind="new")
    return paper


@pytest.fixture
def three_days():
    announce("cs.XA", "Monday A", MONDAY)
    announce("cs.XB", "Tuesday B", TUESDAY)
    announce("cs.XA", "Tuesday A", TUESDAY)
    announce("cs.XB", "Wednesday B", WEDNESDAY)
    announce("cz.XA", "Elsewhere", WEDNESDAY)


def test_an_archive_shows_its_last_day_in_all_its_categories(client, three_days):
    page = get(client, "/categories/cs")
    assert page.titles == ["Wednesday B"]
    assert page.one("//h1") == "New in Computer Science"
    assert page.one("//h2[@id='new']") == "25 November 2026 1 paper"
    assert page.value("//nav[@class='day-nav']/a/@href") == "/categories/cs?day=2026-11-24"
    codes = page.texts("//section[@aria-labelledby='categories']//a")
    assert {"cs.XA", "cs.XB"} <= set(codes)
    assert "cz.XA" not in codes


def test_another_day_has_its_neighbours(client, three_days):
    page = get(client, "/categories/cs?day=2026-11-24")
    assert page.titles == ["Tuesday A", "Tuesday B"]
    assert page.all("//nav[@class='day-nav']/a/@href") == [
        "/categories/cs?day=2026-11-23", "/categories/cs?day=2026-11-25",
    ]  # fmt: skip
    assert page.value("//meta[@name='robots']/@content") == "noindex, follow"


def test_a_day_without_news_leads_to_those_that_have_some(client, three_days):
    page = get(client, "/categories/cs?day=2020-01-01")
    assert page.one("//section[@class='empty-state']/h2") == "Nothing was new on this day"
    assert page.value("//nav[@class='day-nav']/a/@href") == "/categories/cs?day=2026-11-23"


def test_a_long_day_is_paged(client):
    for number in range(30):
        announce("cs.XA", f"P{number:02}", MONDAY)
    first = get(client, "/categories/cs")
    assert first.titles == [f"P{number:02}" for number in range(29, 5, -1)]
    assert first.one("//h2[@id='new']") == "23 November 2026 30 papers"
    second = get(client, first.next)
    assert second.titles == [f"P{number:02}" for number in range(5, -1, -1)]
    assert (second.next, get(client, second.previous).titles) == (None, first.titles)


def test_what_was_merged_revised_or_only_cross_listed_is_not_new(client):
    announce("cs.XA", "New", MONDAY)
    announce("cs.XA", "Merged", MONDAY, redirect_to=PaperFactory())
    other = announce("cz.XA", "Crossed", MONDAY)
    ListingFactory(category=CategoryFactory(code="cs.XA"), paper=other, day=TUESDAY, kind="cross")
    assert get(client, "/categories/cs").titles == ["New"]


def test_an_archive_without_papers(client):
    CategoryFactory(code="cy.XA", archive="cy", archive_name="Cybernetics")
    page = get(client, "/categories/cy")
    assert page.one("//section[@class='empty-state']/h2") == "Nothing is new here yet"
    assert page.all("//nav[@class='day-nav']") == []


def test_another_case_leads_to_the_archive(client, three_days):
    response = client.get("/categories/CS?day=2026-11-24")
    assert (response.status_code, response.headers["location"]) == (301, "/categories/cs?day=2026-11-24")


def test_an_archive_that_is_a_category_stays_one(client):
    CategoryFactory(code="quant-ph", name="Quantum Physics", archive="quant-ph", archive_name="Quantum Physics")
    assert get(client, "/categories/quant-ph").one("//h1") == "Quantum Physics"
    get(client, "/categories/no-such", status=404)


@pytest.mark.parametrize("query", ["day=yesterday", "after=x", "day=2026-11-24&before=2026"])
def test_what_cannot_be_read_is_left_out_with_a_sentence(client, three_days, query):
    page = get(client, f"/categories/cs?{query}", status=400)
    assert len(page.texts("//p[@role='alert']")) == 1
    assert page.titles


def test_it_is_only_read(client, three_days):
    assert client.post("/categories/cs").status_code == 405


def test_the_number_of_queries_does_not_depend_on_the_papers(client):
    counts = []
    for number in range(3):
        announce(f"cs.X{number}", f"P{number}", MONDAY, authors=["A", "B"])
        with CaptureQueriesContext(connection) as captured:
            get(client, "/categories/cs")
        counts.append(len(captured))
    assert counts[0] == counts[-1] <= 8


def test_the_list_of_categories_and_each_category_lead_to_the_archive(client, three_days):
    assert "/categories/cs" in get(client, "/categories").all("//main//p/a/@href")
    assert "/categories/cs" in get(client, "/categories/cs.XA").all("//nav[@class='breadcrumbs']//a/@href")
