"""The authors on the page of a paper: each leads to the researcher they are taken for."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from papers.citations import citation_prefetches, from_paper
from papers.models import Authorship, Paper, SourceAuthorship
from researchers.models import Attribution, Researcher, ResearcherName
from researchers.services.decisions import decide_is
from researchers.services.names import hide_former_name
from tests.factories import ListingFactory, PaperFactory, SourceRecordFactory
from tests.html import get, tags_of
from tests.injections import INJECTIONS
from tests.researchers.people import curator, merge, orcid, researcher, undo
from tests.researchers.works import crowd, paper_of, people, write_many, written_by

pytestmark = pytest.mark.django_db
AUTHORS = "//div[@class='authors']/ol/li"


def score(paper, position, value, decided_by="model"):
    Attribution.objects.filter(paper=paper, authorship__position=position).update(score=value, decided_by=decided_by)


def page_of(client, paper):
    return get(client, paper.get_absolute_url())


def test_each_author_links_to_their_researcher_and_who_has_none_is_plain(client):
    ada, bo = people("Ada Weaver", "Bo Spindle")
    paper = written_by({"A. Weaver": ada, "Nobody Yet": None, "Bo Spindle": bo})
    page = page_of(client, paper)
    assert page.texts(AUTHORS) == ["A. Weaver", "Nobody Yet", "Bo Spindle"]
    assert page.all(f"{AUTHORS}/a/@href") == [f"/researchers/{ada.pk}-ada-weaver", f"/researchers/{bo.pk}-bo-spindle"]
    assert page.value("//p[@class='authors__why']/a/@href") == f"/papers/{paper.arxiv_id}/authors"


def test_what_is_only_likely_is_said_in_words(client):
    paper = paper_of(*people("A Weaver", "B Weaver", "C Weaver", "D Weaver", "E Weaver"))
    for position, (value, by) in enumerate(
        [(0.899, "model"), (0.9, "model"), (None, "new"), (0.5, "human"), (None, "orcid")], start=1
    ):
        score(paper, position, value, by)
    page = page_of(client, paper)
    assert page.texts(AUTHORS) == ["A Weaver (likely)", "B Weaver", "C Weaver", "D Weaver", "E Weaver"]
    assert page.one("//p[@class='authors__why']") == (
        "Why is this person here? “Likely” means: taken for this researcher by likeness alone, with a probability"
        " under 90%."
    )
    score(paper, 1, 0.95)
    assert page_of(client, paper).one("//p[@class='authors__why']") == "Why is this person here?"


def test_without_attributions_there_is_nothing_to_ask(client):
    page = page_of(client, PaperFactory(authors=["Ada Weaver"]))
    assert (page.texts(AUTHORS), page.all(f"{AUTHORS}/a"), page.all("//p[@class='authors__why']")) == (
        ["Ada Weaver"], [], [],
    )  # fmt: skip


def test_only_roots_are_linked_whatever_is_merged_and_undone(client):
    ada, other = people("Ada Weaver", "Ada Spindle")
    paper = paper_of(ada)
    event = merge(ada, other, curator()).event
    assert page_of(client, paper).all(f"{AUTHORS}/a/@href") == [f"/researchers/{other.pk}-ada-spindle"]
    undo(event, curator())
    assert page_of(client, paper).all(f"{AUTHORS}/a/@href") == [f"/researchers/{ada.pk}-ada-weaver"]


def test_a_collaboration_is_plain_even_if_somebody_was_put_there(client):
    ada = researcher("Loom Collaboration")
    paper = paper_of(ada)
    Authorship.objects.filter(paper=paper).update(is_collaboration=True)
    assert page_of(client, paper).all(f"{AUTHORS}/a") == []


def test_the_erased_are_not_linked(client):
    paper = paper_of(researcher("Ada Weaver"))
    Researcher.objects.update(erased_at=timezone.now())
    page = page_of(client, paper)
    assert (page.texts(AUTHORS), page.all(f"{AUTHORS}/a")) == (["Ada Weaver"], [])


def test_a_former_name_is_nowhere_on_the_page(client):
    ada = researcher("Ada Weaver")
    paper = written_by({"Zeno Former": ada, "Bo Spindle": researcher("Bo Spindle")}, title="On looms")
    ResearcherName.objects.create(researcher=ada, value="Zeno Former")
    hide_former_name(researcher=ada.pk, name="Zeno Former", actor=curator(), reason="asked for")
    page = page_of(client, paper)
    assert page.texts(AUTHORS) == ["Ada Weaver", "Bo Spindle"]
    assert "Former" not in page.text
    assert page.all("//meta[@name='citation_author']/@content") == ["Weaver, Ada", "Spindle, Bo"]
    other = researcher("Ada Loom")
    merge(ada, other, curator())
    assert page_of(client, paper).texts(AUTHORS) == ["Ada Loom", "Bo Spindle"]


def test_machines_read_who_it_is(client):
    ada = researcher("Ada Weaver")
    orcid(ada, "0000-0002-1825-0097")
    paper = written_by({"A. Weaver": ada, "Bo Spindle": None})
    page = page_of(client, paper)
    (article,) = [block for block in page.json_ld if block.get("@type") == "ScholarlyArticle"]
    assert article["author"] == [
        {"@type": "Person", "name": "A. Weaver", "givenName": "A.", "familyName": "Weaver",
         "url": f"http://localhost:8000/researchers/{ada.pk}-ada-weaver"},
        {"@type": "Person", "name": "Bo Spindle", "givenName": "Bo", "familyName": "Spindle"},
    ]  # fmt: skip
    assert page.all("//meta[@name='citation_author']/@content") == ["Weaver, A.", "Spindle, Bo"]


def test_a_decision_shows_at_once(client):
    ada, bo = people("Ada Weaver", "Bo Spindle")
    paper = paper_of(ada)
    score(paper, 1, 0.7)
    decide_is(authorship=paper.authorships.get().pk, researcher=bo.pk, actor=curator(), reason="his")
    page = page_of(client, paper)
    assert page.texts(AUTHORS) == ["Ada Weaver"]
    assert page.all(f"{AUTHORS}/a/@href") == [f"/researchers/{bo.pk}-bo-spindle"]


def test_a_list_of_thousands_is_folded_light_and_links_by_numbers(client):
    ada = researcher("Ada Weaver")
    (paper,) = write_many(ada, [crowd(2_999)])
    assert Attribution.objects.filter(paper=paper).count() == 3_000
    with CaptureQueriesContext(connection) as queries:
        response = client.get(paper.get_absolute_url(), headers={"accept-encoding": "gzip"})
    assert len(queries) == 9  # it has no category
    page = page_of(client, paper)
    assert page.one("//div[@class='authors']//summary") == "Show all 3,000 authors"
    assert len(page.all(f"{AUTHORS}/a")) == 20
    assert len(page.all("//div[@class='authors']/details/ol/li/a")) == 2_980
    assert page.all(f"{AUTHORS}/a/@href")[0] == f"/researchers/{ada.pk}"
    assert client.get(f"/researchers/{ada.pk}").headers["location"] == f"/researchers/{ada.pk}-ada-weaver"
    assert len(response.content) < 60_000


@pytest.mark.parametrize("count", [1, 3, 100])
def test_the_number_of_queries(client, count):
    paper = paper_of(*people(*(f"Author {number}" for number in range(count))))
    with CaptureQueriesContext(connection) as queries:
        page_of(client, paper)
    assert len(queries) == 10
    assert sum("researchers_attribution" in query["sql"] for query in queries.captured_queries) == 1


def test_harvested_text_is_text(client):
    everybody = people(*(f"Author {number}" for number in range(len(INJECTIONS))))
    paper = paper_of(*everybody)
    Attribution.objects.update(score=0.7)
    plain = page_of(client, paper)
    for person, text in zip(everybody, INJECTIONS, strict=True):
        Researcher.objects.filter(pk=person.pk).update(display_name=text)
        Authorship.objects.filter(paper=paper, attribution__root=person).update(name=text)
    hostile = page_of(client, paper)
    ours = "//div[@class='authors']//*"
    assert len(hostile.all(ours)) == len(plain.all(ours))
    assert {name: count for name, count in tags_of(hostile).items() if not name.startswith("meta")} == {
        name: count for name, count in tags_of(plain).items() if not name.startswith("meta")
    }


class TestFormerNames:
    """On every other page and in every file of a paper, too."""

    @pytest.fixture(autouse=True)
    def paper(self):
        ada = researcher("Ada Weaver")
        paper = written_by(
            {"Zeno Former": ada, "Bo Spindle": researcher("Bo Spindle")}, title="On looms", arxiv_id="2101.54321"
        )
        ListingFactory(paper=paper)
        record = SourceRecordFactory(paper=paper)
        SourceAuthorship.objects.create(
            authorship=paper.authorships.get(position=1), source_record=record, position=1, name="Zeno Former",
            given="Zeno", family="Former",
        )  # fmt: skip
        ResearcherName.objects.create(researcher=ada, value="Zeno Former")
        hide_former_name(researcher=ada.pk, name="Zeno Former", actor=curator(), reason="asked for")
        return paper

    @pytest.mark.parametrize(
        ("address", "name"),
        [
            ("/papers", "Ada Weaver"), ("/categories/cs.CL", "Ada Weaver"), ("/papers/2101.54321.bib", "Weaver, Ada"),
            ("/papers/2101.54321.ris", "Weaver, Ada"), ("/papers/2101.54321.json", '"family": "Weaver"'),
            ("/papers/2101.54321/cite", "Weaver, Ada"), ("/papers/2101.54321-on-looms", "Ada Weaver"),
        ],
    )  # fmt: skip
    def test_the_name_shown_takes_its_place(self, client, address, name):
        text = client.get(address).content.decode()
        assert name in text
        assert "Former" not in text
        assert "Bo" in text

    def test_many_papers_at_once(self):
        found = Paper.objects.prefetch_related(*citation_prefetches()).get()
        assert [name.inverted for name in from_paper(found).authors] == ["Weaver, Ada", "Spindle, Bo"]
