"""Why each author of a paper is taken for the researcher they are taken for."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from papers.models import Authorship, SourceAuthorship
from researchers.models import Attribution, Researcher, ResearcherName
from researchers.services.authors import reasons_in_words
from researchers.services.names import hide_former_name
from tests.factories import PaperFactory, SourceRecordFactory, affiliate
from tests.html import get
from tests.injections import INJECTIONS
from tests.researchers.people import curator, merge, researcher
from tests.researchers.works import crowd, paper_of, people, write_many, written_by

pytestmark = pytest.mark.django_db
ITEMS = "//ol[@class='why-list']/li"
EVIDENCE = [["namesakes", -2.3, 1.2], ["co_author", 1.0, 2.5], ["co_author_rarity", 2.2, 0.4],
            ["affiliation_disjoint", 1.0, -1.1]]  # fmt: skip


def url(paper):
    return f"/papers/{paper.reference}/authors"


def decide(paper, position, **values):
    Attribution.objects.filter(paper=paper, authorship__position=position).update(**values)


def sentences(page):
    return page.texts("//p[@class='why__sentence']")


def test_who_decided_is_said_for_each(client):
    paper = paper_of(*people("A Weaver", "B Weaver", "C Weaver", "D Weaver", "E Weaver"))
    for position, (by, score) in enumerate(
        [("human", None), ("claim", None), ("orcid", None), ("new", None), ("model", 0.8734)], start=1
    ):
        decide(paper, position, decided_by=by, score=score)
    page = get(client, url(paper))
    assert sentences(page) == [
        "Attributed to A Weaver (1 paper here). A curator decided so.",
        "Attributed to B Weaver (1 paper here). The person said so themselves, with proof.",
        "Attributed to C Weaver (1 paper here). A source prints this researcher’s ORCID iD beside the name.",
        "Attributed to D Weaver (1 paper here). Nobody known was like them, so that a new researcher began here.",
        (
            "Attributed to E Weaver (1 paper here). Taken for this researcher by likeness with their other papers."
            " Probability 87%: under 90%, so it is called likely only."
        ),
    ]
    assert page.texts("//span[@class='badge']") == ["likely"]


def test_a_probability_is_never_called_certain(client):
    paper = paper_of(researcher())
    decide(paper, 1, score=0.99999)
    assert sentences(get(client, url(paper)))[0].endswith("Probability 99%.")


def test_the_evidence_in_words_with_the_side_it_is_on(client):
    paper = paper_of(researcher())
    decide(paper, 1, evidence=EVIDENCE)
    assert get(client, url(paper)).texts("//ul[@class='why__reasons']/li") == [
        "for a co-author in common, one of a rare name",
        "for about 1 in 1,700 names this rare are several people",
        "against affiliations have nothing in common",
    ]


@pytest.mark.parametrize(
    "unknown", [["what nobody compares any more", 1.0, 1.0], ["relation: nonsense", 1.0, 1.0], ["co_author"], "text", 7]
)
def test_evidence_of_an_older_matching_is_left_out(unknown):
    assert [phrase.text for phrase in reasons_in_words([unknown, ["venue", 1.0, 0.5]])] == ["a venue in common"]


def test_printed_names_by_source_with_orcids_and_affiliations(client):
    ada = researcher("Ada Weaver")
    paper = paper_of(ada)
    place = paper.authorships.get()
    affiliate(paper, 1, "Institute of Knots", "Loom Works")
    for source, name, printed in (
        ("arxiv", "A. Weaver", ""),
        ("crossref", "Ada Weaver", "0000-0002-1694-233x"),
        ("openalex", "Ada Weaver", "0000-0002-1694-2331"),
    ):
        record = SourceRecordFactory(paper=paper, source=source)
        SourceAuthorship.objects.create(authorship=place, source_record=record, position=1, name=name, orcid=printed)
    page = get(client, url(paper))
    assert page.texts("//ul[@class='why__printed']/li") == [
        "arXiv prints A. Weaver",
        "Crossref prints Ada Weaver with the ORCID iD 0000-0002-1694-233X",
        "OpenAlex prints Ada Weaver",
    ]
    assert page.one("//p[@class='why__where']") == "Institute of Knots; Loom Works"


def test_collaborations_and_who_is_not_attributed(client):
    paper = written_by({"Loom Collaboration": None, "Nobody Yet": None})
    Authorship.objects.filter(paper=paper, position=1).update(is_collaboration=True)
    page = get(client, url(paper))
    assert sentences(page) == ["A collaboration, which is no person.", "Attributed to nobody yet."]
    assert page.texts("//p[@class='why__contest']/a") == ["Who is it? (Nobody Yet)"]


def test_each_author_has_an_anchor_and_a_way_to_contest(client):
    paper = paper_of(*people("Ada Weaver", "Bo Spindle"))
    places = list(paper.authorships.order_by("position"))
    page = get(client, url(paper))
    assert page.all(f"{ITEMS}/@id") == [f"author-{place.pk}" for place in places]
    assert page.all("//p[@class='why__contest']/a/@href") == [f"{url(paper)}/{place.pk}/contest" for place in places]


def test_fifty_a_page(client):
    ada = researcher("Ada Weaver")
    (paper,) = write_many(ada, [crowd(100)])
    page = get(client, url(paper))
    assert page.one("//div[@class='sorts']/p") == "101 authors, page 1 of 3"
    seen = []
    while True:
        seen += page.all(f"{ITEMS}/@value")
        if not page.next:
            break
        page = get(client, page.next)
    assert seen == [str(number) for number in range(1, 102)]
    assert page.value("//ol[@class='why-list']/@start") == "101"
    assert page.previous == f"{url(paper)}?page=2"
    assert get(client, page.previous).previous == url(paper)


@pytest.mark.parametrize("text", ["0", "2", "-1", "x", "1.0", "１", "9" * 30])
def test_pages_that_are_not_there(client, text):
    paper = paper_of(researcher())
    page = get(client, f"{url(paper)}?page={text}", status=404)
    assert page.one("//p[@class='lede']") == "The authors of this paper stand on pages 1 to 1."


def test_other_addresses_lead_here_in_one_hop(client):
    paper = PaperFactory(title="On looms", arxiv_id="2101.54321")
    for address in (f"{paper.pk}", "2101.54321-on-looms", "2101.54321v1", f"{paper.pk}-x"):
        response = client.get(f"/papers/{address}/authors?page=1")
        assert (response.status_code, response.headers["location"]) == (301, "/papers/2101.54321/authors?page=1")
        assert response.headers["Cache-Control"] == "max-age=3600"
    old = PaperFactory(title="Old", arxiv_id="astro-ph/9901001")
    assert get(client, url(old)).one("//h1") == "Old"
    get(client, "/papers/2101.99999/authors", status=404)


def test_former_names_are_nowhere(client):
    ada = researcher("Ada Weaver")
    paper = written_by({"Zeno Former": ada})
    place = paper.authorships.get()
    for source, name in (("arxiv", "Zeno Former"), ("crossref", "ZENO FORMER")):
        record = SourceRecordFactory(paper=paper, source=source)
        SourceAuthorship.objects.create(authorship=place, source_record=record, position=1, name=name)
    ResearcherName.objects.create(researcher=ada, value="Zeno Former")
    hide_former_name(researcher=ada.pk, name="Zeno Former", actor=curator(), reason="asked for")
    page = get(client, url(paper))
    assert page.texts("//h2[@class='why__name']") == ["Ada Weaver"]
    assert page.texts("//ul[@class='why__printed']/li") == [
        "arXiv prints (former name)", "Crossref prints (former name)",
    ]  # fmt: skip
    assert "former" not in page.text.replace("(former name)", "").lower()


def test_only_roots_and_never_the_erased(client):
    ada, other = people("Ada Weaver", "Ada Spindle")
    paper = paper_of(ada)
    merge(ada, other, curator())
    assert get(client, url(paper)).all(f"{ITEMS}/h2/a/@href") == [f"/researchers/{other.pk}-ada-spindle"]
    Researcher.objects.filter(pk=other.pk).update(erased_at=timezone.now())
    page = get(client, url(paper))
    assert (page.all(f"{ITEMS}//a/@href"), sentences(page)) == (
        [f"{url(paper)}/{paper.authorships.get().pk}/contest"], ["Attributed to nobody yet."],
    )  # fmt: skip


@pytest.mark.parametrize("count", [1, 3, 100])
@pytest.mark.parametrize("signed_in", [False, True])
def test_the_number_of_queries(client, count, signed_in):
    ada = researcher("Ada Weaver")
    (paper,) = write_many(ada, [crowd(count - 1)])
    affiliate(paper, 1, "Institute")
    if signed_in:
        client.force_login(curator("reader", []))
    with CaptureQueriesContext(connection) as queries:
        get(client, url(paper))
    # The paper, the authors with their researchers, affiliations, hidden names, printed names; with an account its
    # session, itself, and what it contested.
    assert len(queries) == (8 if signed_in else 5)


def test_no_source_names_authors(client):
    assert "No source names the authors." in get(client, url(PaperFactory(authors=[]))).text


def test_harvested_text_is_text(client):
    everybody = people(*(f"Author {number}" for number in range(50)))
    paper = paper_of(*everybody)
    for position in range(1, 51):
        affiliate(paper, position, "Institute")

    def elements(page):
        return [element.tag for element in page.all("//main//*")]

    plain = elements(get(client, url(paper)))
    for person, text in zip(everybody, INJECTIONS[:50], strict=True):
        Researcher.objects.filter(pk=person.pk).update(display_name=text)
        place = Authorship.objects.filter(paper=paper, attribution__root=person)
        place.get().affiliations.update(text=text)
        place.update(name=text)
    assert elements(get(client, url(paper))) == plain


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, method):
    assert getattr(client, method)(url(paper_of(researcher()))).status_code == 405
