import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import CategoryFactory, ListingFactory, PaperFactory
from tests.html import get

pytestmark = pytest.mark.django_db

FRIDAY, MONDAY = dt.date(2026, 11, 27), dt.date(2026, 11, 30)


def announce(code, day, title, **fields):
    category = CategoryFactory(code=code)
    paper = PaperFactory(title=title, primary_category=category, announced_on=day, **fields)
    ListingFactory(category=category, paper=paper, day=day)
    return paper


def test_each_group_shows_its_own_last_day(client):
    announce("cs.CL", FRIDAY, "Old")
    announce("cs.CL", MONDAY, "One")
    announce("cs.LG", MONDAY, "Two")
    announce("econ.EM", FRIDAY, "Three")
    page = get(client, "/")
    assert page.texts("//section[@class='group']/h2") == ["Computer Science", "Economics"]
    assert [text.split(" · ")[0] for text in page.texts("//p[@class='group__count']")] == [
        "2 new papers on 30 November 2026", "1 new paper on 27 November 2026"
    ]  # fmt: skip
    assert page.titles == ["Two", "One", "Three"]


def test_a_few_titles_and_the_whole_count(client):
    for number in range(7):
        announce("cs.CL", MONDAY, f"P{number}")
    page = get(client, "/")
    assert page.titles == ["P6", "P5", "P4"]
    assert page.one("//p[@class='group__count']").startswith("7 new papers")


def test_merged_papers_are_not_news(client):
    announce("cs.CL", MONDAY, "Old", redirect_to=PaperFactory())
    assert get(client, "/").titles == []


def test_an_empty_catalogue_says_so(client):
    page = get(client, "/")
    assert page.one("//section[@class='empty-state']/h2") == "Nothing is new yet"


def test_the_search_is_in_the_middle_and_only_there(client):
    page = get(client, "/")
    assert page.all("//form[@role='search']/@action") == ["/search"]
    assert page.value("//main//input[@type='search']/@name") == "q"


def test_invented_papers_are_announced(client):
    announce("cs.CL", MONDAY, "One", is_demo=True)
    assert "Invented papers are among these" in get(client, "/").one("//p[@class='notice']")


def test_the_number_of_queries_does_not_depend_on_the_number_of_papers(client):
    counts = []
    for more in (1, 23, 76):
        for number in range(more):
            announce(("cs.CL", "math.AG", "stat.ML")[number % 3], MONDAY, str(number))
        with CaptureQueriesContext(connection) as queries:
            get(client, "/")
        counts.append(len(queries))
    assert counts == [3, 3, 3]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, method):
    assert getattr(client, method)("/").status_code == 405
