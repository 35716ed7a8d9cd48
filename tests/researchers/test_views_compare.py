"""Researchers side by side."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from researchers.models import Researcher, ResearcherName
from researchers.services.names import hide_former_name
from tests.factories import affiliate
from tests.html import get
from tests.injections import INJECTIONS
from tests.researchers.people import curator, merge, orcid, undo
from tests.researchers.works import count, crowd, name, paper_of, people, write_many

pytestmark = pytest.mark.django_db


def url(*those):
    return "/researchers/compare?ids=" + ",".join(str(one.pk) for one in those)


def cells(page, row, path="li"):
    sections = page.all(f"//section[@aria-labelledby='compare-{row}']//div[@class='compare__cell']")
    return [[" ".join(found.text_content().split()) for found in cell.xpath(f".//{path}")] for cell in sections]


def test_what_is_known_of_each_side_by_side(client):
    ada, other = people("Ada Weaver", "A. Weaver")
    name(ada, "Ada B. Weaver")
    orcid(ada, "0000-0002-1694-233X")
    orcid(other, "0000-0001-5109-3700", state="conflict")
    for year, place in ((2019, "Knot Institute"), (2021, "Knot Institute"), (2022, "Loom Works")):
        affiliate(paper_of(ada, title=f"Of {year}", published_on=dt.date(year, 5, 1)), 1, place)
    paper_of(other, title="Undated", published_on=None)
    paper_of(other, title="Old", published_on=dt.date(2018, 5, 1))
    count(ada, other)
    page = get(client, url(ada, other))
    assert page.texts("//h3[@class='compare__name']") == ["Ada Weaver", "A. Weaver"]
    assert cells(page, "names") == [["Ada Weaver", "Ada B. Weaver"], ["A. Weaver"]]
    assert cells(page, "orcids") == [["0000-0002-1694-233X"], ["None known beyond doubt"]]
    assert cells(page, "affiliations") == [["Loom Works 2022", "Knot Institute 2019–2021"], ["None printed"]]
    assert cells(page, "fields", "p") == [["Computation and Language"], ["Computation and Language"]]
    assert cells(page, "papers") == [["Of 2022 2022", "Of 2021 2021", "Of 2019 2019"], ["Old 2018", "Undated"]]
    assert page.all("//*[local-name()='svg'][@role='img']/@aria-label") == [
        "Papers per year: 2019: 1, 2021: 1, 2022: 1", "Papers per year: 2018: 1",
    ]  # fmt: skip
    assert page.value("//link[@rel='canonical']/@href") == f"http://localhost:8000{url(ada, other)}"
    assert page.value("//meta[@name='robots']/@content") == "noindex, follow"


def test_what_they_share_rarest_co_authors_first(client):
    ada, other, third = people("Ada Weaver", "Ada Weaver", "Ada Weaver")
    busy, rare, alone = people("Busy Spindle", "Rare Spindle", "Alone Spindle")
    for person in (ada, ada, other):
        paper_of(person, busy, venue="Journal of Looms")
    for person in (other, third):
        paper_of(person, rare, venue="journal of looms")
    paper_of(ada, alone, venue="Acta Textorum")
    page = get(client, url(ada, other, third))
    tables = page.all("//table")
    rows = [[" ".join(cell.text_content().split()) for cell in row.xpath("./*")] for row in tables[0].xpath(".//tr")]
    heads = [f"Papers of {one.pk}" for one in (ada, other, third)]
    assert rows == [
        ["Co-author", *heads], ["Rare Spindle", "0", "1", "1"], ["Busy Spindle", "2", "1", "0"],
    ]  # fmt: skip
    assert tables[0].xpath(".//a/@href") == [
        f"/researchers/{rare.pk}-rare-spindle", f"/researchers/{busy.pk}-busy-spindle",
    ]  # fmt: skip
    rows = [[" ".join(cell.text_content().split()) for cell in row.xpath("./*")] for row in tables[1].xpath(".//tr")]
    assert rows[0] == ["Venue", *heads]
    assert [row[1:] for row in rows[1:]] == [["2", "2", "1"]]


def test_nothing_in_common_says_so(client):
    ada, other = people("Ada Weaver", "Ada Weaver")
    page = get(client, url(ada, other))
    assert page.texts("//section[@aria-labelledby='compare-co-authors']/p") == ["None is known."]
    assert page.texts("//section[@aria-labelledby='compare-venues']/p") == ["None is known."]
    assert cells(page, "years", "p") == [["No dated papers"], ["No dated papers"]]


def test_those_compared_are_no_co_authors_of_each_other_and_huge_papers_say_nothing(client):
    ada, other = people("Ada Weaver", "Ada Spindle")
    paper_of(ada, other)
    crowded = crowd(101)
    write_many(ada, [crowded])
    write_many(other, [crowded])
    assert get(client, url(ada, other)).all("//table") == []


def test_merged_numbers_lead_to_the_survivors_in_one_hop(client):
    ada, other, merged = people("Ada Weaver", "Ada Weaver", "A. Weaver")
    event = merge(merged, ada, curator()).event
    for asked in ((merged, other), (ada, merged, other)):
        response = client.get(url(*asked))
        assert (response.status_code, response.headers["location"]) == (301, url(ada, other))
        assert response.headers["Cache-Control"] == "max-age=3600"
    response = client.get(url(ada, merged))
    assert (response.status_code, response.headers["location"]) == (301, f"/researchers/{ada.pk}-ada-weaver")
    undo(event, curator())
    get(client, url(ada, merged))


def test_fields_have_names_and_codes_where_names_are_the_same(client):
    ada, other = people("Ada Weaver", "A. Weaver")
    Researcher.objects.filter(pk=ada.pk).update(categories=["cs.LG", "stat.ML", "cs.CL", "gone.XX"])
    assert cells(get(client, url(ada, other)), "fields", "p") == [
        ["Machine Learning (cs.LG), Machine Learning (stat.ML), Computation and Language, gone.XX"],
        ["None known"],
    ]


@pytest.mark.parametrize(
    "query", ["ids={0}%2C{1}", "ids={0}&ids={1}", "ids={0},{0},{1}", "ids= {0}, {1} ,", "ids=0{0},{1}"]
)
def test_other_spellings_lead_to_the_one_address(client, query):
    ada, other = people("Ada Weaver", "Ada Weaver")
    response = client.get("/researchers/compare?" + query.format(ada.pk, other.pk))
    assert (response.status_code, response.headers["location"]) == (301, url(ada, other))


@pytest.mark.parametrize(
    ("ids", "status", "sentence"),
    [
        ("", 400, "Name at least two different researchers by their numbers: ?ids=12,34."),
        ("1", 400, "Name at least two different researchers by their numbers: ?ids=12,34."),
        ("1,1", 400, "Name at least two different researchers by their numbers: ?ids=12,34."),
        ("1,2,3,4,5", 400, "At most 4 researchers fit side by side; these are 5."),
        ("1,x", 400, "Researchers are named by their numbers with commas between them: ?ids=12,34."),
        ("1,-2", 400, "Researchers are named by their numbers with commas between them: ?ids=12,34."),
        ("1,٢", 400, "Researchers are named by their numbers with commas between them: ?ids=12,34."),
        ("1," + "9" * 19, 400, "Researchers are named by their numbers with commas between them: ?ids=12,34."),
        ("987654,987655", 404, "There is no researcher 987654, 987655 here."),
    ],
)
def test_bad_numbers_get_a_sentence(client, ids, status, sentence):
    page = get(client, f"/researchers/compare?ids={ids}", status=status)
    assert page.one("//p[@class='lede']") == sentence


def test_the_erased_are_not_there(client):
    ada, other = people("Ada Weaver", "Ada Weaver")
    Researcher.objects.filter(pk=other.pk).update(erased_at=timezone.now())
    page = get(client, url(ada, other), status=404)
    assert page.one("//p[@class='lede']") == f"There is no researcher {other.pk} here."


def test_former_names_are_nowhere(client):
    ada, other = people("Ada Weaver", "Bo Spindle")
    name(ada, "Zeno Former")
    paper_of(ada)
    hide_former_name(researcher=ada.pk, name="Zeno Former", actor=curator(), reason="asked for")
    ResearcherName.objects.create(researcher=other, value="Ida Former", visibility="hidden")
    page = get(client, url(ada, other))
    assert cells(page, "names") == [["Ada Weaver"], ["Bo Spindle"]]
    assert "Former" not in page.text


class TestVotes:
    def test_readers_vote_on_each_pair_and_see_what_they_said(self, client):
        those = people("Ada Weaver", "Ada Weaver", "Ada Weaver")
        client.force_login(curator("reader", []))
        page = get(client, url(*those))
        assert len(page.all("//form[@class='vote']")) == 3
        form = page.all("//form[@class='vote']")[0]
        data = {field.get("name"): field.get("value") for field in form.xpath(".//input")}
        response = client.post("/researchers/votes", data | {"verdict": "different"})
        assert response.headers["location"] == f"{url(*those)}#votes"
        page = get(client, url(*those))
        assert page.texts("//form[@class='vote']/span") == ["You said: different people"]
        assert page.all("//button[@aria-pressed='true']/@value") == ["different"]

    def test_others_are_led_to_sign_in_and_back(self, client):
        ada, other = people("Ada Weaver", "Ada Weaver")
        page = get(client, url(ada, other))
        assert page.all("//form[@class='vote']") == []
        assert page.value("//section[@id='votes']//a/@href") == (
            f"/accounts/login/?next=%2Fresearchers%2Fcompare%3Fids%3D{ada.pk}%2C{other.pk}%23votes"
        )


@pytest.mark.parametrize("count_of_papers", [1, 3, 100])
def test_the_number_of_queries(client, count_of_papers):
    those = people("Ada Weaver", "Ada Weaver", "Ada Weaver", "Ada Weaver")
    crowded = crowd(count_of_papers)
    for person in those:
        write_many(person, [[one] for one in crowded], venue="Journal of Looms")
        affiliate(person.attributions.first().paper, 1, "Institute")
    for signed_in, most in ((False, 9), (True, 12)):
        if signed_in:
            client.force_login(curator("reader", []))
        with CaptureQueriesContext(connection) as queries:
            get(client, url(*those))
        assert len(queries) == most


def test_harvested_text_is_text(client):
    ada, other, shared = people("Ada Weaver", "Ada Weaver", "Bo Spindle")
    papers = [paper_of(person, shared, title="T", venue="Journal") for person in (ada, other)]
    for paper in papers:
        affiliate(paper, 1, "Institute")

    def elements():
        return [element.tag for element in get(client, url(ada, other)).all("//main//*")]

    plain = elements()
    for text in INJECTIONS:
        Researcher.objects.update(display_name=text)
        ResearcherName.objects.filter(researcher=ada).update(value=text)
        for paper in papers:
            type(paper).objects.filter(pk=paper.pk).update(venue=text)
            paper.authorships.get(position=1).affiliations.update(text=text)
        assert elements() == plain, text


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, method):
    assert getattr(client, method)("/researchers/compare?ids=1,2").status_code == 405
