import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import CategoryFactory, ListingFactory, PaperFactory
from tests.html import get

pytestmark = pytest.mark.django_db

MONDAY, TUESDAY, WEDNESDAY = (dt.date(2026, 11, day) for day in (23, 24, 25))


@pytest.fixture
def category():
    return CategoryFactory(code="cs.CL", name="Computation and Language")


def list_papers(category, count, day=MONDAY, kind="new", prefix="P"):
    for number in range(count):
        ListingFactory(category=category, paper=PaperFactory(title=f"{prefix}{number:03}"), day=day, kind=kind)


class TestWholeCategory:
    def test_papers_by_newest_listing_without_revisions(self, client, category):
        list_papers(category, 2, MONDAY, prefix="M")
        list_papers(category, 1, TUESDAY, "cross", prefix="T")
        list_papers(category, 1, WEDNESDAY, "revised", prefix="W")
        page = get(client, "/categories/cs.CL")
        assert page.titles == ["T000", "M001", "M000"]
        assert page.one("//h1") == "Computation and Language"

    def test_the_latest_listing_is_linked(self, client, category):
        list_papers(category, 1, WEDNESDAY, "revised")
        page = get(client, "/categories/cs.CL")
        assert page.value("//p[@class='lede']/a/@href") == "/categories/cs.CL?day=2026-11-25"

    def test_next_and_previous_cover_the_category_once(self, client, category):
        for day, prefix in ((MONDAY, "M"), (TUESDAY, "T")):
            list_papers(category, 20, day, prefix=prefix)
        first = get(client, "/categories/cs.CL")
        second = get(client, first.next)
        assert first.titles + second.titles == [f"T{n:03}" for n in range(19, -1, -1)] + [
            f"M{n:03}" for n in range(19, -1, -1)
        ]
        assert second.next is None
        assert get(client, second.previous).titles == first.titles

    def test_other_categories_are_elsewhere(self, client, category):
        list_papers(CategoryFactory(code="cs.LG", name="Machine Learning"), 1)
        page = get(client, "/categories/cs.CL")
        assert page.titles == []
        assert page.one("//section[@class='empty-state']/h2") == "No paper is listed here yet"

    def test_a_merged_paper_is_not_listed(self, client, category):
        ListingFactory(category=category, paper=PaperFactory(redirect_to=PaperFactory()))
        assert get(client, "/categories/cs.CL").titles == []

    def test_a_closed_category_says_so(self, client):
        page = get(client, "/categories/astro-ph")
        assert "takes no new papers" in page.one("//p[@class='notice']")
        assert page.all("//p[@class='notice']/a/@href")[:2] == ["/categories/astro-ph.CO", "/categories/astro-ph.EP"]


class TestNames:
    def test_an_alias_redirects_to_the_canonical_code_and_keeps_the_day(self, client, category):
        response = client.get("/categories/cmp-lg?day=2026-11-23")
        assert (response.status_code, response.headers["location"]) == (301, "/categories/cs.CL?day=2026-11-23")
        assert response.headers["Cache-Control"] == "max-age=3600"

    def test_another_case_redirects(self, client, category):
        assert client.get("/categories/CS.cl").headers["location"] == "/categories/cs.CL"

    def test_an_unknown_code_is_not_here(self, client):
        page = get(client, "/categories/no.SUCH", status=404)
        assert "There is no category “no.SUCH”." in page.one("//p[@class='lede']")


class TestDay:
    def test_three_sections_with_counts(self, client, category):
        list_papers(category, 2, TUESDAY, "new", "N")
        list_papers(category, 1, TUESDAY, "cross", "C")
        list_papers(category, 3, TUESDAY, "revised", "R")
        page = get(client, "/categories/cs.CL?day=2026-11-24")
        assert page.texts("//h2[starts-with(@id, 'section-')]") == [
            "New 2 papers", "Cross-listed 1 paper", "Revised 3 papers"
        ]  # fmt: skip
        assert page.titles == ["N001", "N000", "C000", "R002", "R001", "R000"]
        assert page.one("//h1") == "cs.CL on 24 November 2026"

    def test_links_to_the_nearest_days_with_listings(self, client, category):
        for day in (MONDAY, WEDNESDAY):
            list_papers(category, 1, day)
        page = get(client, "/categories/cs.CL?day=2026-11-24")
        assert page.value("//nav[@class='day-nav']/a[@rel='prev']/@href") == "/categories/cs.CL?day=2026-11-23"
        assert page.value("//nav[@class='day-nav']/a[@rel='next']/@href") == "/categories/cs.CL?day=2026-11-25"
        assert page.one("//section[@class='empty-state']/h2") == "Nothing was listed on this day"

    def test_a_long_section_is_cut_and_paged_apart(self, client, category):
        list_papers(category, 30, TUESDAY, "new", "N")
        list_papers(category, 1, TUESDAY, "cross", "C")
        page = get(client, "/categories/cs.CL?day=2026-11-24")
        assert page.titles == [f"N{n:03}" for n in range(29, 5, -1)] + ["C000"]
        link = page.value("//a[starts-with(normalize-space(), 'All 30 papers')]/@href")
        assert link == "/categories/cs.CL?day=2026-11-24&kind=new"
        first = get(client, link)
        assert first.titles == [f"N{n:03}" for n in range(29, 5, -1)]
        second = get(client, first.next)
        assert second.titles == [f"N{n:03}" for n in range(5, -1, -1)]
        assert get(client, second.previous).titles == first.titles
        assert second.one("//h1") == "New in cs.CL on 24 November 2026"

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ("day=yesterday", "“yesterday” is not a day; a day is written like 2026-11-27."),
            ("day=2026-02-30", "“2026-02-30” is not a day; a day is written like 2026-11-27."),
            ("day=2026-11-24&kind=old", "A listing is new, cross or revised; all three are shown."),
            ("after=x", "The place in the list could not be read, so it begins at the start."),
        ],
    )
    def test_a_bad_parameter_gives_a_sentence(self, client, category, query, sentence):
        assert get(client, f"/categories/cs.CL?{query}", status=400).one("//p[@role='alert']") == sentence


@pytest.mark.parametrize(("query", "expected"), [("", 3), ("?day=2026-11-23", 5), ("?day=2026-11-23&kind=new", 5)])
def test_the_number_of_queries_does_not_depend_on_the_number_of_papers(client, category, query, expected):
    counts = []
    for more, prefix in ((1, "A"), (23, "B"), (76, "C")):
        list_papers(category, more, prefix=prefix)
        with CaptureQueriesContext(connection) as queries:
            get(client, f"/categories/cs.CL{query}")
        counts.append(len(queries))
    assert counts == [expected] * 3


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, category, method):
    assert getattr(client, method)("/categories/cs.CL").status_code == 405


def test_head_answers(client, category):
    assert client.head("/categories/cs.CL").status_code == 200
