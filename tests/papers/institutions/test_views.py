from __future__ import annotations

import json

import pytest
from django.urls import reverse
from django.utils import timezone

from institutions.models import Institution
from institutions.services.ingest import ingest_organisations
from institutions.sources.ror import RorSource
from papers.affiliating import affiliate_papers
from papers.institutions.counting import count_researchers
from papers.models import Affiliation, Authorship
from researchers.models import Attribution, Researcher
from tests.factories import InstitutionFactory, PaperFactory
from tests.html import Page
from tests.institutions.organisations import name, organisation, place, relation, ror_id
from wovepaper.harvest.contracts import RawRecord

pytestmark = pytest.mark.django_db
LIST = "/institutions"
NAMES = "//*[@class='person-card__name']"
CARDS = "//section[@id='papers']//article"
NEXT = "//a[@rel='next']/@href"


def bring(*records: dict) -> None:
    source = RorSource()
    raw = [RawRecord(record["id"][-9:], "v2", "", json.dumps(record).encode()) for record in records]
    ingest_organisations([(each, source.parse(each)) for each in raw])


def of(number: int) -> Institution:
    return Institution.objects.get(ror_id=ror_id(number))


def papers_at(text: str, number: int, *, researcher: Researcher | None = None) -> list:
    made = [PaperFactory(authors=["Ada Weaver"]) for _ in range(number)]
    for paper in made:
        authorship = Authorship.objects.get(paper=paper)
        Affiliation.objects.create(authorship=authorship, text=text)
        if researcher:
            Attribution.objects.create(
                authorship=authorship,
                paper=paper,
                base=researcher,
                root=researcher,
                decided_by="human",
                decided_at=timezone.now(),
            )
    affiliate_papers([paper.pk for paper in made])
    return made


@pytest.fixture
def registry() -> None:
    bring(
        organisation(
            1,
            name("University of Threadham"),
            name("UOT", "acronym", lang=None),
            name("Universität Fadenheim", "label", lang="de"),
            name("織物大学", "label", lang="ja"),
            relationships=[
                relation("child", 2, "Knots"), relation("parent", 77, "The Crown"), relation("predecessor", 4),
            ],
        ),
        organisation(
            2, name("Loomstadt Institute of Knots"), locations=[place("Loomstadt", "DE")], types=["facility"],
            relationships=[relation("parent", 1)],
        ),
        organisation(3, name("Yarn University"), locations=[place("Yarn", "CA")]),
        organisation(4, name("Threadham College"), status="inactive", relationships=[relation("successor", 1)]),
        organisation(5, name("Yarn University"), locations=[place("Yarn", "US")], established=None),
        organisation(6, name("Vanished Guild"), status="withdrawn", locations=[], links=[], types=[]),
    )  # fmt: skip


class TestInvented:
    def test_an_invented_institution_says_so_and_leads_nowhere(self, client):
        made = InstitutionFactory(display_name="Loom Hall")
        page = Page(client.get(made.get_absolute_url()))
        assert "This institution is invented" in page.one("//p[@class='notice']")
        assert page.all("//main//a[contains(@href, 'ror.org')]") == []
        assert made.ror_url not in client.get(made.get_absolute_url()).content.decode()


class TestList:
    def test_nothing_imported(self, client):
        assert "No institutions yet" in client.get(LIST).content.decode()

    def names(self, client, query: str = "") -> list[str]:
        return Page(client.get(f"{LIST}{query}")).texts(NAMES)

    def test_the_order_is_that_of_papers(self, client, registry):
        papers_at("Loomstadt Institute of Knots, Loomstadt", 2)
        papers_at("University of Threadham", 1)
        names = self.names(client)
        assert names[:2] == ["Loomstadt Institute of Knots", "University of Threadham"]
        assert sorted(names[2:]) == ["Yarn University", "Yarn University"]  # neither withdrawn nor merged ones

    def test_by_name_through_all_pages_and_back(self, client):
        bring(*[organisation(number, name(f"Ärn {number % 7} {number:02}")) for number in range(1, 61)])
        seen, url = [], f"{LIST}?sort=name"
        while url:
            page = Page(client.get(url))
            seen += page.texts(NAMES)
            last, url = url, next(iter(page.all(NEXT)), "")
        assert len(seen) == 60
        assert seen == sorted(seen)
        (back,) = Page(client.get(last)).all("//a[@rel='prev']/@href")
        assert Page(client.get(back)).texts(NAMES) == seen[24:48]

    @pytest.mark.parametrize(
        "text", ["fadenheim", "UNIVERSITÄT  faden", "織物", "uot", "threadham univ", "college thread"]
    )
    def test_any_language_and_former_names_find(self, client, registry, text):
        assert self.names(client, f"?q={text}") == ["University of Threadham"]

    @pytest.mark.parametrize(
        ("query", "count"),
        [
            ("?country=DE", 1),
            ("?kind=facility", 1),
            ("?country=de&kind=facility", 1),
            ("?q=hreadham", 0),
            ("?q=%25", 0),
        ],
    )
    def test_filters(self, client, registry, query, count):
        assert len(self.names(client, query)) == count

    def test_a_ror_id_leads_to_the_page(self, client, registry):
        answer = client.get(LIST, {"q": f"https://ror.org/{ror_id(4)}"})
        assert (answer.status_code, answer["Location"]) == (302, of(1).get_absolute_url())

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ("?country=XYZ", "Country “XYZ” was left out."),
            ("?kind=guild", "Kind “guild” was left out."),
            ("?sort=size", "Sort “size” was left out."),
            ("?after=x", "The place in the list could not be read"),
            (f"?q={'x' * 300}", "A name has at most 200 characters here"),
        ],
    )
    def test_what_cannot_be_read_is_said(self, client, registry, query, sentence):
        answer = client.get(f"{LIST}{query}")
        assert answer.status_code == 400
        assert sentence in answer.content.decode()

    def test_pages_neither_skip_nor_repeat(self, client):
        bring(*[organisation(number, name(f"Loom {number:03}")) for number in range(1, 61)])
        seen, url = [], LIST
        while url:
            page = Page(client.get(url))
            seen += page.texts(NAMES)
            url = next(iter(page.all(NEXT)), "")
        assert (len(seen), len(set(seen))) == (60, 60)

    def test_the_number_of_queries_is_small_and_stays(self, client, django_assert_max_num_queries):
        bring(organisation(1))
        with django_assert_max_num_queries(8):
            client.get(LIST)
        bring(*[organisation(number) for number in range(2, 30)])
        with django_assert_max_num_queries(8):
            client.get(LIST)

    def test_only_reading(self, client):
        assert client.post(LIST).status_code == 405


class TestAddresses:
    def test_number_ror_id_name_and_former_ones_lead_to_the_page_in_one_hop(self, client, registry):
        page = of(1).get_absolute_url()
        assert page == f"/institutions/{of(1).pk}-university-of-threadham"
        for address in (
            f"{of(1).pk}",
            f"{of(1).pk}-wrong-slug",
            ror_id(1),
            ror_id(1).upper(),
            "University of Threadham",
            "universität fadenheim",
            "織物大学",
            f"{of(4).pk}",
            ror_id(4),
            f"{of(4).pk}-threadham-college",
            "Threadham College",
        ):
            answer = client.get(f"/institutions/{address}")
            assert (answer.status_code, answer["Location"]) == (301, page), address
            assert answer["Cache-Control"] == "max-age=3600"

    def test_a_name_that_two_have_leads_to_the_list(self, client, registry):
        answer = client.get("/institutions/Yarn University")
        assert (answer.status_code, answer["Location"]) == (302, "/institutions?q=Yarn+University")

    @pytest.mark.parametrize("address", ["999999", "00abcde12", "Nobody’s House", "9" * 30, ";", "0"])
    def test_unknown_ones(self, client, registry, address):
        assert client.get(f"/institutions/{address}").status_code == 404

    def test_the_search_knows_ror_ids(self, client, registry):
        answer = client.get(reverse("papers:search"), {"q": ror_id(1)})
        assert (answer.status_code, answer["Location"]) == (302, of(1).get_absolute_url())
        assert "This looks like a ROR id" in client.get(reverse("papers:search"), {"q": ror_id(999)}).content.decode()


class TestPage:
    def test_it_says_what_the_registry_says(self, client, registry):
        page = Page(client.get(of(1).get_absolute_url()))
        text = page.one("//main")
        for said in (
            "University of Threadham", "UOT", "Universität Fadenheim", "織物大学", "Threadham, Britain (UK)",
            "Education",
            "52.5000, -1.2500", "ISNI 0000 0000 0000 0001", "Founded 1851",
            "Threadham College", "Loomstadt Institute of Knots", "The Crown", "No papers here yet",
        ):  # fmt: skip
            assert said in text, said
        assert page.one("//bdi[@lang='de']") == "Universität Fadenheim"
        told = {block.get("@type"): block for block in page.json_ld}
        organization, crumbs = told["CollegeOrUniversity"], told["BreadcrumbList"]
        assert organization["identifier"] == f"https://ror.org/{ror_id(1)}"
        assert [step["name"] for step in crumbs["itemListElement"]] == ["Institutions", "University of Threadham"]
        links = set(page.all("//main//a/@href"))
        assert {of(2).get_absolute_url(), "https://weave.example.org", f"https://ror.org/{ror_id(1)}"} <= links

    def test_papers_people_and_partners(self, client, registry):
        ada = Researcher.objects.create(display_name="Ada Weaver")
        bo = Researcher.objects.create(display_name="Bo Spindle", last_year=2090)
        papers = papers_at("University of Threadham; Loomstadt Institute of Knots", 2, researcher=ada)
        papers_at("University of Threadham", 1, researcher=bo)
        text = Page(client.get(of(1).get_absolute_url())).one("//main")
        assert "3 papers" in text
        assert "Ada Weaver 2 papers from here" in text
        assert "Before Bo Spindle 1 paper from here, the last in" in text
        assert "Loomstadt Institute of Knots Loomstadt, Germany; 2 papers together" in text
        assert papers[0].title in text
        assert "Computation and Language3" in text

        count_researchers([of(1).pk, of(2).pk, of(3).pk])
        assert [of(number).researcher_count for number in (1, 2, 3)] == [2, 0, 0]

    def test_pages_of_papers(self, client, registry):
        papers_at("University of Threadham", 30)
        page = Page(client.get(of(1).get_absolute_url()))
        assert len(page.all(CARDS)) == 24
        following = Page(client.get(page.value(NEXT)))
        assert len(following.all(CARDS)) == 6
        assert client.get(f"{of(1).get_absolute_url()}?after=x").status_code == 400

    def test_one_that_was_withdrawn_says_so_and_is_not_for_search_engines(self, client, registry):
        answer = client.get(of(6).get_absolute_url())
        assert "The registry has withdrawn this record" in answer.content.decode()
        assert Page(answer).value("//meta[@name='robots']/@content").startswith("noindex")

    def test_the_number_of_queries_is_small_and_stays(self, client, registry, django_assert_max_num_queries):
        ada = Researcher.objects.create(display_name="Ada Weaver")
        papers_at("University of Threadham; Loomstadt Institute of Knots", 1, researcher=ada)
        with django_assert_max_num_queries(12):
            client.get(of(1).get_absolute_url())
        papers_at("University of Threadham; Loomstadt Institute of Knots", 5, researcher=ada)
        with django_assert_max_num_queries(12):
            client.get(of(1).get_absolute_url())

    def test_nothing_of_the_registry_runs_as_script(self, client):
        evil = "<script>alert(1)</script>"
        bring(organisation(1, name(evil), name(f"x{evil}", "alias"), relationships=[relation("child", 2, evil)]))
        for url in (of(1).get_absolute_url(), LIST):
            assert evil not in client.get(url).content.decode()

    def test_only_reading(self, client, registry):
        assert client.post(of(1).get_absolute_url()).status_code == 405
