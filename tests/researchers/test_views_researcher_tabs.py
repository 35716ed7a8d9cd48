"""The co-authors and the venues of one researcher."""

import datetime as dt

import pytest
from django.utils import timezone

from papers.models import Paper
from researchers.models import Researcher
from researchers.services.profile import coauthors as coauthors_module
from tests.html import get
from tests.researchers.people import merge, researcher
from tests.researchers.works import crowd, paper_of, people, write_many, written_by

pytestmark = pytest.mark.django_db


def rows(page):
    cells = page.texts("//table[@class='coauthor-table']/tbody/tr/*")
    return [tuple(cells[start : start + 3]) for start in range(0, len(cells), 3)]


def coauthors(client, person, query="", status=200):
    return get(client, f"{person.get_absolute_url()}/co-authors{query}", status)


def venues(client, person, query="", status=200):
    return get(client, f"{person.get_absolute_url()}/venues{query}", status)


class TestCoauthors:
    def test_papers_together_and_years_most_first(self, client):
        ada, bo, cem, dee = people("Ada Weaver", "Bo Spindle", "Cem Knot", "Dee Dyer")
        paper_of(ada, bo, published_on=dt.date(2010, 1, 1))
        paper_of(bo, cem, ada, published_on=dt.date(2015, 1, 1))
        paper_of(ada, dee, published_on=None)
        paper_of(bo, cem, published_on=dt.date(2020, 1, 1))
        page = coauthors(client, ada)
        assert rows(page) == [
            ("Bo Spindle", "2", "2010–2015"), ("Dee Dyer", "1", ""), ("Cem Knot", "1", "2015"),
        ]  # fmt: skip
        assert page.all("//table[@class='coauthor-table']//a/@href")[0] == bo.get_absolute_url()
        assert page.one("//p[@class='lede']") == "3 researchers wrote with Ada Weaver."
        assert page.one("//head/title") == "Co-authors of Ada Weaver · wovepaper"

    def test_a_merge_adds_up_what_was_of_two(self, client, someone):
        ada, bo, b = people("Ada Weaver", "Bo Spindle", "B. Spindle")
        paper_of(ada, bo, published_on=dt.date(2010, 1, 1))
        paper_of(ada, b, published_on=dt.date(2012, 1, 1))
        merge(b, bo, someone)
        assert rows(coauthors(client, ada)) == [("Bo Spindle", "2", "2010–2012")]

    def test_erased_people_are_counted_and_not_named(self, client):
        ada, bo = people("Ada Weaver", "Bo Spindle")
        paper_of(ada, bo)
        Researcher.objects.filter(pk=bo.pk).update(erased_at=timezone.now())
        for page in (coauthors(client, ada), get(client, ada.get_absolute_url())):
            assert page.all("//table[@class='coauthor-table']//a") == []
            assert bo.get_absolute_url() not in page.text

    def test_each_once_over_all_pages_and_back(self, client):
        ada = researcher("Ada Weaver")
        others = crowd(120)
        write_many(ada, [others[:80], others[:40], others])
        page = coauthors(client, ada)
        pages = [rows(page)]
        while page.next:
            page = get(client, page.next)
            pages.append(rows(page))
        assert [len(found) for found in pages] == [50, 50, 20]
        seen = [(name, int(papers)) for found in pages for name, papers, _ in found]
        assert seen == [
            (f"Member {number} Crowder", 1 + (number < 80) + (number < 40))
            for first, last in ((0, 40), (40, 80), (80, 120))
            for number in range(last - 1, first - 1, -1)
        ]
        back = [rows(page)]
        while page.previous:
            page = get(client, page.previous)
            back.insert(0, rows(page))
        assert back == pages

    def test_papers_with_the_fewest_authors_are_counted_first(self, client, monkeypatch):
        ada = researcher("Ada Weaver")
        others = crowd(30)
        write_many(ada, [others, others[:2], others[:3]])
        monkeypatch.setattr(coauthors_module, "MOST_PLACES", 7)
        page = coauthors(client, ada)
        assert [row[:2] for row in rows(page)] == [
            ("Member 1 Crowder", "2"), ("Member 0 Crowder", "2"), ("Member 2 Crowder", "1"),
        ]  # fmt: skip
        assert page.one("//p[@class='lede']") == (
            "3 researchers wrote with Ada Weaver. Counted over the 2 of 3 papers with the fewest authors, at most 4."
        )
        assert "Counted over the 2 of 3 papers" in get(client, ada.get_absolute_url()).text

    def test_a_single_paper_of_any_size_is_counted(self, client, monkeypatch):
        ada = researcher("Ada Weaver")
        write_many(ada, [crowd(30)])
        monkeypatch.setattr(coauthors_module, "MOST_PLACES", 7)
        page = coauthors(client, ada)
        assert len(rows(page)) == 30
        assert page.one("//p[@class='lede']") == "30 researchers wrote with Ada Weaver."

    def test_papers_that_redirect_are_not_counted(self, client):
        ada, bo = people("Ada Weaver", "Bo Spindle")
        old, new = paper_of(ada, bo), paper_of(ada)
        Paper.objects.filter(pk=old.pk).update(redirect_to=new)
        assert coauthors(client, ada).one("//section[@class='empty-state']/h2") == "No co-authors"

    def test_alone(self, client):
        ada = researcher("Ada Weaver")
        written_by({"Ada Weaver": ada, "Nobody known": None})
        assert coauthors(client, ada).one("//section[@class='empty-state']/h2") == "No co-authors"
        paper_of(ada, researcher("Bo Spindle"))
        assert coauthors(client, ada, "?after=0_0").one("//section[@class='empty-state']/h2") == (
            "The list ends before this page"
        )
        assert len(rows(coauthors(client, ada, "?before=999_1"))) == 1, "read backwards and empty: the first page"

    @pytest.mark.parametrize("query", ["?after=x", "?before=2020-01-01_1", "?after=1_", "?after=<b>_1"])
    def test_a_place_that_cannot_be_read(self, client, query):
        ada = researcher("Ada Weaver")
        paper_of(ada, researcher("Bo Spindle"))
        page = coauthors(client, ada, query, status=400)
        assert len(page.texts("//p[contains(@class, 'notice--problem')]")) == 1
        assert len(rows(page)) == 1


class TestVenues:
    def test_papers_and_years_most_first(self, client):
        ada = researcher("Ada Weaver")
        for year, venue in (
            (2010, "Journal of Looms"), (2014, "Journal of Looms"), (2012, "journal of looms"),
            (2013, "Annals of Thread"), (None, "Proceedings of $k$ Knots"), (2020, ""),
        ):  # fmt: skip
            paper_of(ada, venue=venue, published_on=dt.date(year, 1, 1) if year else None)
        page = venues(client, ada)
        assert rows(page)[0] == ("Journal of Looms", "3", "2010–2014")
        assert rows(page)[2] == ("Annals of Thread", "1", "2013")
        assert rows(page)[1][1:] == ("1", "")
        assert len(page.all("//table[@class='coauthor-table']//math")) == 1
        assert page.one("//p[@class='lede']") == "5 of 6 papers name where they were published: 3 venues."
        assert page.one("//head/title") == "Venues of Ada Weaver · wovepaper"

    def test_each_once_over_all_pages_and_back(self, client):
        ada = researcher("Ada Weaver")
        made = write_many(ada, [()] * 75)
        for number, paper in enumerate(made):
            Paper.objects.filter(pk=paper.pk).update(venue=f"Venue {number % 60:02}")
        page = venues(client, ada)
        first, second = rows(page), rows(get(client, page.next))
        assert [len(first), len(second)] == [50, 10]
        numbers = [*range(14, -1, -1), *range(59, 14, -1)]
        assert [row[0] for row in first + second] == [f"Venue {number:02}" for number in numbers]
        assert rows(get(client, get(client, page.next).previous)) == first

    def test_none(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada)
        assert venues(client, ada).one("//section[@class='empty-state']/h2") == "No venues"
        paper_of(ada, venue="Journal of Looms")
        page = venues(client, ada, "?after=0_0")
        assert page.one("//section[@class='empty-state']/h2") == "The list ends before this page"
        assert len(rows(venues(client, ada, "?before=999_1"))) == 1

    def test_a_place_that_cannot_be_read(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada, venue="Journal of Looms")
        assert len(rows(venues(client, ada, "?after=x", status=400))) == 1
