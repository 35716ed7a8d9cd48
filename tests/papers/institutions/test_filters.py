"""Papers by institution and by country: in the search and in the list."""

from __future__ import annotations

import pytest

from institutions.models import Institution, InstitutionName
from institutions.services.children import fold_key
from papers.models import Paper
from tests.factories import InstitutionFactory, PaperFactory
from tests.html import get
from tests.searching import index_papers  # noqa: F401

pytestmark = pytest.mark.django_db


def institution(name: str, country: str, *others: str) -> Institution:
    made = InstitutionFactory(display_name=name, country=country)
    for value in (name, *others):
        InstitutionName.objects.create(institution=made, value=value, kind="label", key=fold_key(value))
    return made


def paper(title: str, *places: Institution) -> Paper:
    made = PaperFactory(title=title)
    for place in places:
        made.institutions.create(institution=place, sort_date=made.sort_date)
    return made


@pytest.fixture
def places() -> tuple[Institution, Institution]:
    hall = institution("Yarn Hall", "DE", "織物大学", "Fadenhalle")
    guild = institution("Guild of Yarn", "CA")
    paper("Looms of both", hall, guild)
    paper("Looms of the hall", hall)
    paper("Looms of nobody")
    return hall, guild


class TestSearch:
    @pytest.fixture(autouse=True)
    def indexed(self, index_papers, places):  # noqa: F811
        index_papers()

    @pytest.mark.parametrize(
        ("query", "titles"),
        [
            ("looms&country=DE", ["Looms of both", "Looms of the hall"]),
            ("looms&country=CA", ["Looms of both"]),
            ("looms&country=FR", []),
            ("looms inst:hall", ["Looms of both", "Looms of the hall"]),
            ('inst:"織物大学"', ["Looms of both", "Looms of the hall"]),
            ("inst:fadenh", ["Looms of both", "Looms of the hall"]),
            ('inst:"guild of yarn"', ["Looms of both"]),
            ("inst:yarn", ["Looms of both", "Looms of the hall"]),
            ("inst:hall -inst:guild", ["Looms of the hall"]),
            ("looms -inst:yarn", ["Looms of nobody"]),
            ("inst:nowhere", []),
        ],
    )
    def test_what_is_found(self, client, query, titles):
        assert sorted(get(client, f"/search?q={query}").titles) == titles

    def test_an_unknown_institution_is_said(self, client):
        assert "No institution here is called “nowhere”." in client.get("/search?q=inst:nowhere").content.decode()

    def test_a_ror_id_means_its_institution(self, client, places):
        assert get(client, f"/search?q=inst:{places[1].ror_id}").titles == ["Looms of both"]

    def test_facets_with_counts_and_chips(self, client, places):
        page = get(client, "/search?q=looms")
        assert page.texts("//section[@aria-labelledby='facet-countries']//a/span[1]") == ["Germany", "Canada"]
        assert page.texts("//section[@aria-labelledby='facet-institutions']//a/span[1]") == [
            "Yarn Hall", "Guild of Yarn",
        ]  # fmt: skip
        counts = "//section[@aria-labelledby='facet-institutions']//span[@class='facet__count']"
        assert page.texts(counts) == ["2", "1"]
        links = page.all("//section[@aria-labelledby='facet-institutions']//a/@href")
        assert links[0] == f"/search?q=looms&institution={places[0].pk}"
        narrowed = get(client, links[0])
        assert sorted(narrowed.titles) == ["Looms of both", "Looms of the hall"]
        assert "Yarn Hall" in narrowed.one("//ul[@class='chips']")

    @pytest.mark.parametrize("query", ["country=XX", "institution=x", "institution=1x"])
    def test_what_is_no_choice_is_left_out(self, client, query):
        answer = client.get(f"/search?q=looms&{query}")
        assert answer.status_code == 400
        assert "was left out" in answer.content.decode()

    def test_the_number_of_queries_does_not_depend_on_institutions(self, client, django_assert_max_num_queries):
        with django_assert_max_num_queries(12):
            client.get("/search?q=looms inst:yarn&country=DE")


class TestList:
    @pytest.mark.parametrize(
        ("query", "titles"),
        [
            ("country=DE", ["Looms of both", "Looms of the hall"]),
            ("institution=Guild of Yarn", ["Looms of both"]),
            ("institution=織物大学&country=CA", ["Looms of both"]),
            ("institution=Yarn Hall&country=FR", []),
        ],
    )
    def test_what_is_listed(self, client, places, query, titles):
        assert sorted(get(client, f"/papers?{query}").titles) == titles

    def test_the_chip_names_the_institution_and_takes_it_away(self, client, places):
        page = get(client, f"/papers?institution={places[0].pk}&country=DE")
        chips = page.one("//ul[@class='chips']")
        assert "Germany" in chips
        assert "Yarn Hall" in chips
        assert page.all("//input[@id='institution']/@value") == ["Yarn Hall"]
        (oldest,) = page.all("//div[@class='sorts']//a[text()='Oldest first']/@href")
        assert f"institution={places[0].pk}" in oldest

    def test_an_unknown_or_common_name_is_said(self, client, places):
        institution("Yarn Hall", "FR")
        for typed, sentence in (("Nowhere", "has this number"), ("Yarn Hall", "Several are called so")):
            answer = client.get("/papers", {"institution": typed})
            assert answer.status_code == 400
            assert sentence in answer.content.decode()

    def test_no_query_more_without_the_filter(self, client, places, django_assert_num_queries):
        with django_assert_num_queries(4):
            client.get("/papers")
