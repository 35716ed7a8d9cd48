"""The list of researchers: order, pages, filters, what a card shows, what is never there."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from papers.search_query import MOST_CHARACTERS
from researchers.models import Researcher
from researchers.services.names import hide_former_name
from tests.factories import CategoryFactory, affiliate
from tests.html import get, tags_of
from tests.injections import INJECTIONS
from tests.researchers.people import curator, merge, orcid, researcher
from tests.researchers.works import count, paper_of

pytestmark = pytest.mark.django_db
ORCID = "0000-0002-1825-0097"


def listed(name, papers=1, **fields):
    """Somebody with figures, as the pipeline would have counted them."""
    return researcher(name, paper_count=papers, **fields)


def names(page):
    return page.texts("//article[@class='person-card']/h2/a")


def walk(client, address):
    """The names on all pages there, and the pages themselves."""
    seen, pages = [], []
    while address:
        page = get(client, address)
        pages.append(names(page))
        seen += pages[-1]
        last, address = page, page.next
    return seen, pages, last


class TestOrder:
    @pytest.fixture(autouse=True)
    def people(self):
        listed("Cyd Loom", 3, citation_count=5, h_index=1)
        listed("Ada Weaver", 9, citation_count=None, h_index=None)
        listed("Bo Spindle", 1, citation_count=50, h_index=2)
        listed("Émile Łoom", 2, citation_count=0, h_index=0)

    @pytest.mark.parametrize(
        ("sort", "expected"),
        [
            ("", ["Ada Weaver", "Cyd Loom", "Émile Łoom", "Bo Spindle"]),
            ("papers", ["Ada Weaver", "Cyd Loom", "Émile Łoom", "Bo Spindle"]),
            ("citations", ["Bo Spindle", "Cyd Loom", "Émile Łoom", "Ada Weaver"]),
            ("h-index", ["Bo Spindle", "Cyd Loom", "Émile Łoom", "Ada Weaver"]),
            ("name", ["Cyd Loom", "Émile Łoom", "Bo Spindle", "Ada Weaver"]),
        ],
    )
    def test_each_sort(self, client, sort, expected):
        assert names(get(client, f"/researchers?sort={sort}")) == expected

    def test_the_sort_in_force_is_marked_and_the_default_has_no_parameter(self, client):
        page = get(client, "/researchers?sort=name")
        assert page.one("//div[@class='sorts']//a[@aria-current]") == "Name"
        assert page.all("//div[@class='sorts']//a/@href") == [
            "/researchers", "/researchers?sort=citations", "/researchers?sort=h-index", "/researchers?sort=name",
        ]  # fmt: skip
        assert page.one("//div[@class='sorts']/p") == "4 researchers"


class TestPages:
    @pytest.mark.parametrize("sort", ["papers", "citations", "h-index", "name"])
    def test_there_and_back_each_once_with_ties_and_unknown_figures(self, client, sort):
        for number in range(60):
            figure = None if number % 4 == 0 else number % 3
            listed(f"Ada Weaver {chr(97 + number % 5)}", number % 3 + 1, citation_count=figure, h_index=figure)
        seen, pages, last = walk(client, f"/researchers?sort={sort}")
        ids = [int(url.split("/")[-1].split("-")[0]) for url in _addresses(client, f"/researchers?sort={sort}")]
        assert len(ids) == len(set(ids)) == 60
        assert [len(page) for page in pages] == [24, 24, 12]
        back = [names(last)]
        while last.previous:
            last = get(client, last.previous)
            back.insert(0, names(last))
        assert back == pages
        assert len(seen) == 60

    def test_a_figure_that_changes_meanwhile_skips_nobody_else(self, client):
        people = [listed(f"Ada Weaver {number}", 100 - number) for number in range(30)]
        first = get(client, "/researchers")
        Researcher.objects.filter(pk=people[0].pk).update(paper_count=1)
        assert names(get(client, first.next))[:6] == [f"Ada Weaver {number}" for number in range(24, 30)]

    @pytest.mark.parametrize(
        "cursor", ["x", "12", "_", "1.5_3", "9999999999_3", "3_1x", "３_1", "ada_3", "2020-01-01_3", "'; DROP TABLE_1"]
    )
    def test_a_place_that_cannot_be_read_begins_at_the_start_and_says_so(self, client, cursor):
        listed("Ada Weaver")
        page = get(client, "/researchers?" + "after=" + cursor, status=400)
        assert names(page) == ["Ada Weaver"]
        assert page.one("//p[@role='alert']") == "The place in the list could not be read, so it begins at the start."

    def test_beyond_the_end(self, client):
        listed("Ada Weaver")
        page = get(client, "/researchers?after=-1_1")
        assert page.one("//section[@class='empty-state']/h2") == "The list ends before this page"
        assert page.value("//section[@class='empty-state']//a/@href") == "/researchers"

    def test_only_the_first_page_without_filters_is_for_search_engines(self, client):
        for number in range(25):
            listed(f"Ada Weaver {number}")
        first = get(client, "/researchers")
        assert first.all("//meta[@name='robots']") == []
        for address in (first.next, "/researchers?sort=name", "/researchers?year=2020"):
            assert get(client, address).value("//meta[@name='robots']/@content") == "noindex, follow"


def _pages(client, address="/researchers"):
    found = []
    while address:
        found.append(get(client, address))
        address = found[-1].next
    return found


def _addresses(client, address):
    pages = _pages(client, address)
    return [url for page in pages for url in page.all("//article[@class='person-card']/h2/a/@href")]


class TestFilters:
    @pytest.fixture(autouse=True)
    def people(self):
        cl = CategoryFactory(code="cs.CL", name="Computation and Language")
        CategoryFactory(code="cmp-lg", name="Computation and Language", canonical=cl)
        listed("Ada Weaver", 4, categories=["cs.CL", "math.AG"], countries=["DE"], years=[2019, 2021])
        listed("Bo Spindle", 3, categories=["math.AG"], countries=[], years=[2020])
        listed("Cyd Loom", 2, categories=["cs.CL"], countries=["KE", "DE"], years=[2021])

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("category=cs.CL", ["Ada Weaver", "Cyd Loom"]),
            ("category=CS.cl", ["Ada Weaver", "Cyd Loom"]),
            ("category=cmp-lg", ["Ada Weaver", "Cyd Loom"]),
            ("country=DE", ["Ada Weaver", "Cyd Loom"]),
            ("country=ke", ["Cyd Loom"]),
            ("year=2021", ["Ada Weaver", "Cyd Loom"]),
            ("year=2020", ["Bo Spindle"]),
            ("category=cs.CL&year=2019", ["Ada Weaver"]),
            ("q=&category=&country=&year=&sort=", ["Ada Weaver", "Bo Spindle", "Cyd Loom"]),
        ],
    )
    def test_only_who_passes_is_listed(self, client, query, expected):
        assert names(get(client, f"/researchers?{query}")) == expected

    def test_each_filter_has_a_chip_that_takes_it_away(self, client):
        page = get(client, "/researchers?category=cs.CL&country=KE&year=2021&sort=name")
        assert dict(zip(page.texts("//a[@class='chip']"), page.all("//a[@class='chip']/@href"), strict=True)) == {
            "Remove the filter cs.CL ×": "/researchers?country=KE&year=2021&sort=name",
            "Remove the filter Kenya ×": "/researchers?category=cs.CL&year=2021&sort=name",
            "Remove the filter active in 2021 ×": "/researchers?category=cs.CL&country=KE&sort=name",
        }
        assert page.one("//div[@class='sorts']/p") == "1 researcher with these filters"

    def test_the_form_shows_what_is_in_force_and_keeps_the_sort(self, client):
        page = get(client, "/researchers?category=cs.CL&country=KE&year=2021&sort=name")
        assert page.value("//select[@id='category']//option[@selected]/@value") == "cs.CL"
        assert page.one("//select[@id='country']/option[@selected]") == "Kenya"
        assert page.value("//input[@id='year']/@value") == "2021"
        assert page.value("//form//input[@name='sort']/@value") == "name"

    def test_countries_are_offered_where_they_are_known(self, client):
        assert get(client, "/researchers").all("//select[@id='country']") == []
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE researchers_researcher")
        page = get(client, "/researchers")
        assert page.texts("//select[@id='country']/option") == ["Any country", "Germany", "Kenya"]

    def test_nothing_left_suggests_what_to_drop(self, client):
        page = get(client, "/researchers?category=math.AG&year=1999")
        assert page.one("//section[@class='empty-state']/h2") == "No researcher passes all these filters"
        assert page.texts("//section[@class='empty-state']//a") == [
            "Without “math.AG”", "Without “active in 1999”", "All researchers"
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            (
                "category=x.Y",
                "Field “x.Y” was left out. There is no such category; the list of categories has them all.",
            ),
            (
                "country=Kenya",
                "Country “Kenya” was left out. A country is given by its code of two letters, such as DE.",
            ),
            ("year=20x", "Year “20x” was left out. A year is a number such as 2019."),
            ("year=0099", "Year “0099” was left out. Years run from 1400 to"),
            ("year=２０２０", "Year “２０２０” was left out. A year is a number such as 2019."),
            ("sort=size", "Order “size” was left out. It can be papers, citations, h-index or name."),
        ],
    )
    def test_what_cannot_be_read_is_left_out_and_said(self, client, query, sentence):
        page = get(client, f"/researchers?{query}", status=400)
        assert page.one("//p[@role='alert']").startswith(sentence)
        assert len(names(page)) == 3

    def test_pages_keep_the_filter(self, client):
        for number in range(25):
            listed(f"Dee {number}", 9, categories=["cs.CL"])
        page = get(client, "/researchers?category=cs.CL&sort=papers")
        assert page.next.startswith("/researchers?category=cs.CL&after=9_")
        assert names(get(client, page.next)) == ["Dee 0", "Ada Weaver", "Cyd Loom"]


class TestCards:
    def test_a_card_shows_what_a_reader_chooses_by(self, client):
        person = researcher("Ada Weaver")
        orcid(person, ORCID)
        for year in (2019, 2023):
            affiliate(paper_of(person, published_on=dt.date(year, 5, 1)), 1, f"Institute of {year}")
        paper_of(person, published_on=dt.date(2024, 5, 1))
        count(person)
        Researcher.objects.update(citation_count=1, h_index=1)
        card = "//article[@class='person-card']"
        page = get(client, "/researchers")
        assert page.one(f"{card}/h2") == "Ada Weaver ORCID"
        assert page.value(f"{card}/h2/a/@href") == f"/researchers/{person.pk}-ada-weaver"
        assert page.one(f"{card}/p[@class='person-card__where']") == "Institute of 2023"
        assert page.texts(f"{card}/p[@class='person-card__facts']/span") == [
            "3 papers", "2019–2024", "cs.CL", "1 citation", "h-index 1",
        ]  # fmt: skip

    def test_nothing_is_said_that_is_not_known(self, client):
        listed("Ada Weaver", 1)
        page = get(client, "/researchers")
        assert page.texts("//article[@class='person-card']/*") == ["Ada Weaver", "1 paper"]

    def test_an_orcid_in_conflict_is_no_mark(self, client):
        orcid(listed("Ada Weaver"), ORCID, state="conflict")
        assert get(client, "/researchers").all("//article//span[@class='badge']") == []

    def test_an_orcid_of_who_was_merged_is_theirs(self, client):
        a, b = researcher("Ada Weaver"), researcher("A. Weaver")
        paper_of(a), paper_of(b)
        orcid(b, ORCID)
        merge(b, a, curator())
        page = get(client, "/researchers")
        assert names(page) == ["Ada Weaver"]
        assert page.one("//article//span[@class='badge']") == "ORCID"

    def test_only_roots_with_papers(self, client):
        listed("Nobody yet", 0)
        listed("Erased", 3, erased_at=timezone.now())
        assert get(client, "/researchers").one("//section[@class='empty-state']/h2") == "No researchers yet"

    def test_a_hidden_name_is_nowhere(self, client):
        person = researcher("Ada Former")
        paper_of(person)
        hide_former_name(
            researcher=person.pk, name="Ada Former", actor=curator(), reason="asked for", show_instead="Ada Weaver"
        )
        page = get(client, "/researchers")
        assert names(page) == ["Ada Weaver"]
        assert "ormer" not in page.text

    def test_harvested_text_is_text(self, client):
        texts = [text for text in INJECTIONS if text.strip("\u200b\u200c\u200d\ufeff")]
        people = [listed("Ada Weaver", 1_000 - number, categories=["cs.CL"]) for number in range(len(texts))]
        Researcher.objects.update(affiliation="Institute")
        plain = _pages(client)
        for person, text in zip(people, texts, strict=True):
            Researcher.objects.filter(pk=person.pk).update(display_name=text, categories=[text[:32]], affiliation=text)
        hostile = _pages(client)
        assert [tags_of(page) for page in hostile] == [tags_of(page) for page in plain]
        shown = [name for page in hostile for name in names(page)]
        # White space is folded by the test; a carriage return is one character and no end of a header.
        assert sorted(shown) == sorted(" ".join(text.split()) for text in texts)

    def test_very_long_names_and_affiliations(self, client):
        person = researcher("W" * 5_000)
        affiliate(paper_of(person), 1, "Institute " * 900)
        count(person)
        assert len(names(get(client, "/researchers"))) == 1


def test_the_number_of_queries_does_not_depend_on_the_number_of_rows(client):
    counts = []
    for number in (1, 2, 97):
        affiliate(paper_of(researcher("Ada Weaver")), 1, "Institute")
        for _ in range(number - 1):
            person = listed("Ada Weaver", 2)
            orcid(person, _orcid(person.pk))
        with CaptureQueriesContext(connection) as queries:
            get(client, "/researchers")
        counts.append(len(queries))
    # Categories, countries, the page, ORCID iDs, and the count by its plan.
    assert counts == [6, 6, 6]


def _orcid(number):
    """Not a valid iD: the list only asks whether there is one."""
    return f"{number:019}"


def test_other_methods_are_refused(client):
    for method in ("post", "put", "patch", "delete"):
        assert getattr(client, method)("/researchers").status_code == 405
    assert client.head("/researchers").status_code == 200


def test_a_search_for_too_much_is_cut(client):
    assert get(client, "/researchers?q=" + "x" * (MOST_CHARACTERS + 50)).response.status_code == 200
