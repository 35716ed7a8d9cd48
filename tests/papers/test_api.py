import datetime as dt
import json
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.models import (
    Affiliation,
    Authorship,
    Paper,
    PaperCitation,
    PaperIdentifier,
    PaperMetric,
    Reference,
    SourceAuthorship,
)
from tests.factories import CategoryFactory, InstitutionFactory, PaperFactory, SourceRecordFactory
from tests.researchers.people import arrive, orcid, place, researcher

pytestmark = pytest.mark.django_db

ORCID = "0000-0002-1825-0097"


def ask(client, address, status=200):
    response = client.get(address)
    assert response.status_code == status, response.content
    kind = "application/json" if status < 400 else "application/problem+json"
    assert response.headers["Content-Type"] == kind
    return response.json()


def problem(client, address, status, code):
    found = ask(client, address, status)
    assert (found["status"], found["code"]) == (status, code)
    assert found["type"] == f"{settings.SITE_URL}/developers#{code}"
    assert found["detail"]
    assert found["advice"]
    return found


def weave() -> Paper:
    """A paper of which everything is known."""
    paper = PaperFactory(
        title="On the knots of a loom", arxiv_id="2101.04242", doi="10.5555/loom.1", venue="Annals of Weaving",
        published_on=dt.date(2021, 1, 1), published_precision="month", authors=["A. Weaver", "B. Spindle"],
        versions_made=2,
    )  # fmt: skip
    PaperIdentifier.objects.create(paper=paper, scheme="openalex", value="W42")
    PaperMetric.objects.create(paper=paper, source="openalex", cited_by_count=7, as_of=dt.date(2025, 6, 1))
    return paper


def test_a_paper_has_all_that_is_promised_of_it(client):
    paper = weave()
    ada = researcher("Ada Weaver")
    arrive(ada, place(paper))
    orcid(ada, ORCID)
    hall = InstitutionFactory(display_name="Loom Hall")
    for text, institution in (("Loom Hall, Threadham", hall), ("a shed", None)):
        Affiliation.objects.create(authorship=place(paper), text=text, institution=institution)
    paper.refresh_from_db()
    site = settings.SITE_URL
    assert ask(client, f"/api/v1/papers/{paper.pk}") == {
        "id": paper.pk,
        "url": f"{site}/papers/2101.04242-on-the-knots-of-a-loom",
        "title": "On the knots of a loom",
        "abstract": "We tie a knot and look at it.",
        "kind": "preprint",
        "status": "current",
        "arxiv_id": "2101.04242",
        "doi": "10.5555/loom.1",
        "identifiers": [
            {"scheme": "arxiv", "value": "2101.04242"},
            {"scheme": "doi", "value": "10.5555/loom.1"},
            {"scheme": "openalex", "value": "W42"},
        ],
        "published": {"date": "2021-01-01", "precision": "month"},
        "categories": ["cs.CL"],
        "primary_category": "cs.CL",
        "authors": [
            {
                "position": 1,
                "name": "A. Weaver",
                "orcid": ORCID,
                "researcher": {"id": ada.pk, "name": "Ada Weaver", "url": f"{site}/researchers/{ada.pk}-ada-weaver"},
                "affiliations": [
                    {
                        "text": "Loom Hall, Threadham",
                        "institution": {"id": hall.pk, "ror": f"https://ror.org/{hall.ror_id}", "name": "Loom Hall"},
                    },
                    {"text": "a shed", "institution": None},
                ],
            },
            {"position": 2, "name": "B. Spindle", "orcid": None, "researcher": None, "affiliations": []},
        ],
        "author_count": 2,
        "authors_url": f"{site}/api/v1/papers/{paper.pk}/authors",
        "versions": [
            {"number": 1, "submitted_at": "2021-01-01T12:00:00Z", "withdrawn": False},
            {"number": 2, "submitted_at": "2021-01-02T12:00:00Z", "withdrawn": False},
        ],
        "venue": "Annals of Weaving",
        "metrics": [{"source": "openalex", "cited_by_count": 7, "as_of": "2025-06-01"}],
        "updated_at": paper.updated_at.isoformat().replace("+00:00", "Z"),
    }


@pytest.mark.parametrize(
    "ref",
    [
        "2101.04242", "2101.04242v2", "arXiv:2101.04242", "doi:10.5555/LOOM.1", "doi:https://doi.org/10.5555/loom.1",
        "doi:10.48550/arXiv.2101.04242", "openalex:W42", "openalex:w42",
    ],
)  # fmt: skip
def test_names_of_a_paper(client, ref):
    paper = weave()
    assert ask(client, f"/api/v1/papers/{ref}")["id"] == paper.pk


def test_an_old_arxiv_id_with_its_slash_and_what_lies_below_it(client):
    paper = PaperFactory(arxiv_id="math/0301001", versions_made=1)
    assert ask(client, "/api/v1/papers/math/0301001")["id"] == paper.pk
    assert ask(client, "/api/v1/papers/math%2F0301001?select=id") == {"id": paper.pk}
    assert ask(client, "/api/v1/papers/math/0301001/versions")["count"] == 1
    assert ask(client, "/api/v1/papers/math/0301001/authors")["count"] == 2


@pytest.mark.parametrize(
    "ref", ["0", "999999999", "2101.99999", "doi:10.5555/none", "doi:none", "openalex:A1", "x", "9" * 40, "1%00", "é"]
)
def test_what_names_no_paper_is_not_found(client, ref):
    for tail in ("", "/authors", "/references", "/citations", "/versions", "/sources"):
        problem(client, f"/api/v1/papers/{ref}{tail}", 404, "not-found")


def test_a_merged_paper_leads_on_in_one_step(client):
    kept, lost, first = PaperFactory(), PaperFactory(), PaperFactory()
    Paper.objects.filter(pk=lost.pk).update(redirect_to=kept)
    Paper.objects.filter(pk=first.pk).update(redirect_to=lost)
    for tail in ("", "/authors", "/references", "/citations", "/versions", "/sources"):
        for old in (lost.pk, first.pk, lost.arxiv_id):
            response = client.get(f"/api/v1/papers/{old}{tail}")
            assert response.status_code == 301
            assert response.headers["Location"] == f"/api/v1/papers/{kept.pk}{tail}"
            assert response.headers["Cache-Control"] == "max-age=3600"
    response = client.get(f"/api/v1/papers/{lost.pk}?select=id,title")
    assert response.headers["Location"] == f"/api/v1/papers/{kept.pk}?select=id,title"


def test_only_what_is_selected_is_sent_and_asked_for(client):
    paper = weave()
    with CaptureQueriesContext(connection) as queries:
        assert ask(client, f"/api/v1/papers/{paper.pk}?select=title,%20id") == {"id": paper.pk, "title": paper.title}
    assert not any("authorship" in query["sql"] for query in queries)
    found = problem(client, f"/api/v1/papers/{paper.pk}?select=id,colour", 400, "bad-parameter")
    assert found["errors"][0]["name"] == "select"
    assert "colour" in found["detail"]
    assert "abstract" in found["detail"]


def test_long_author_lists_are_capped_with_a_link_to_the_rest(client):
    names = [f"Author {number}" for number in range(1, 251)]
    paper = PaperFactory(authors=names)
    alone = ask(client, f"/api/v1/papers/{paper.pk}")
    assert [author["name"] for author in alone["authors"]] == names[:100]
    assert alone["author_count"] == 250
    (listed,) = ask(client, "/api/v1/papers")["items"]
    assert len(listed["authors"]) == 20
    seen, address = [], urlsplit(alone["authors_url"]).path + "?limit=100"
    while address:
        found = ask(client, address)
        assert found["count"] == 250
        seen += [author["position"] for author in found["items"]]
        address = found["next"]
    assert seen == list(range(1, 251))


def test_an_orcid_of_a_source_stands_unless_sources_differ(client):
    paper = PaperFactory(authors=["A. Weaver", "B. Spindle"])
    records = [SourceRecordFactory(paper=paper), SourceRecordFactory(paper=paper)]
    for position, values in ((1, [ORCID, ORCID]), (2, [ORCID, "0000-0001-5109-3700"])):
        for record, value in zip(records, values, strict=True):
            SourceAuthorship.objects.create(
                authorship=place(paper, position), source_record=record, position=position, name="x", orcid=value
            )
    authors = ask(client, f"/api/v1/papers/{paper.pk}")["authors"]
    assert [author["orcid"] for author in authors] == [ORCID, None]


def test_names_that_people_had_hidden_appear_nowhere(client):
    paper = PaperFactory(title="Knots", authors=["Now Weaver"])
    Authorship.objects.filter(paper=paper).update(replaced_name="Former Weaver")
    person = researcher("Now Weaver")
    person.names.create(value="Former Weaver", visibility="hidden")
    arrive(person, place(paper))
    record = SourceRecordFactory(paper=paper)
    SourceAuthorship.objects.create(authorship=place(paper), source_record=record, position=1, name="Former Weaver")
    other = PaperFactory()
    Reference.objects.create(paper=other, position=1, cited=paper, text="Former Weaver: Knots")
    Paper.objects.filter(pk=other.pk).update(listed_reference_count=1)
    PaperCitation.objects.create(paper=paper, cited=other, sort_date=paper.sort_date)
    for address in (
        f"/api/v1/papers/{paper.pk}", f"/api/v1/papers/{paper.pk}/authors", f"/api/v1/papers/{paper.pk}/sources",
        "/api/v1/papers", f"/api/v1/papers/{other.pk}/references", f"/api/v1/papers/{other.pk}/citations",
        f"/api/v1/researchers/{person.pk}", f"/api/v1/researchers/{person.pk}/papers",
    ):  # fmt: skip
        text = json.dumps(ask(client, address))
        assert "Former" not in text, address
    assert "Now Weaver" in json.dumps(ask(client, f"/api/v1/papers/{paper.pk}"))


def make_papers(count):
    start = dt.date(2020, 1, 1)
    return [
        PaperFactory(title=f"Paper {number:03}", published_on=start + dt.timedelta(days=number // 3))
        for number in range(count)
    ]


def test_following_next_shows_every_paper_once_whatever_arrives(client):
    make_papers(30)
    seen, address = [], "/api/v1/papers?limit=7&kind=preprint"
    while address:
        found = ask(client, address)
        seen += [item["title"] for item in found["items"]]
        address = found["next"]
        PaperFactory(title="Newer", published_on=dt.date(2022, 1, 1))
    assert seen == [f"Paper {number:03}" for number in range(29, -1, -1)]


def test_24_a_page_and_at_most_100(client):
    make_papers(26)
    found = ask(client, "/api/v1/papers")
    assert (len(found["items"]), found["count"], found["count_is_exact"]) == (24, 26, True)
    assert found["next"].startswith("http://testserver/api/v1/papers?cursor=")
    assert len(ask(client, found["next"])["items"]) == 2
    assert ask(client, found["next"])["next"] is None
    for limit in ("0", "101", "-1", "x", ""):
        assert problem(client, f"/api/v1/papers?limit={limit}", 400, "bad-parameter")["errors"][0]["name"] == "limit"


def test_a_cursor_that_was_changed_or_is_of_another_list_is_refused(client):
    make_papers(3)
    following = ask(client, "/api/v1/papers?limit=1&sort=oldest")["next"]
    cursor = following.partition("cursor=")[2]
    assert ask(client, f"/api/v1/papers?limit=2&sort=oldest&cursor={cursor}")["items"][0]["title"] == "Paper 001"
    for bad in ("x", "é", cursor[:-2], cursor[:10] + "A" + cursor[11:], "A" * 5000, "MjAyMC0wMS0wMV8x"):
        problem(client, f"/api/v1/papers?sort=oldest&cursor={bad}", 400, "bad-cursor")
    for other in ("/api/v1/papers?", "/api/v1/papers?sort=oldest&kind=article&", "/api/v1/papers?sort=cited&"):
        assert "another list" in problem(client, f"{other}cursor={cursor}", 400, "bad-cursor")["detail"]


def test_filters_mean_what_they_mean_on_the_page(client):
    ag = CategoryFactory(code="math.AG", name="Algebraic Geometry")
    one = PaperFactory(primary_category=ag, published_on=dt.date(2019, 5, 1), kind="article", citation_count=3)
    two = PaperFactory(published_on=dt.date(2021, 5, 1), status="retracted", citation_count=9)
    SourceRecordFactory(paper=two)

    def ids(query):
        return [item["id"] for item in ask(client, f"/api/v1/papers?select=id&{query}")["items"]]

    assert ids("") == [two.pk, one.pk]
    assert ids("sort=oldest") == [one.pk, two.pk]
    assert ids("sort=cited") == [two.pk, one.pk]
    assert ids("category=MATH.ag") == [one.pk]
    assert ids("kind=article") == [one.pk]
    assert ids("status=retracted") == [two.pk]
    assert ids("source=arxiv") == [two.pk]
    assert ids("year_from=2020") == [two.pk]
    assert ids("year_to=2020") == [one.pk]
    for query, name in (
        ("category=none", "category"), ("kind=poem", "kind"), ("country=XX", "country"), ("year_from=12", "year_from"),
        ("year_to=soon", "year_to"), ("institution=nowhere", "institution"), ("sort=best", "sort"),
        ("source=x", "source"), ("institution=%00", "institution"),
    ):  # fmt: skip
        assert problem(client, f"/api/v1/papers?{query}", 400, "bad-parameter")["errors"][0]["name"] == name


def test_parameters_that_are_not_known_are_named(client):
    found = problem(client, "/api/v1/papers?limt=5", 400, "unknown-parameter")
    assert found["errors"] == [{"name": "limt", "message": "It is not known here."}]
    assert "limit" in found["detail"]
    problem(client, f"/api/v1/papers/{PaperFactory().pk}/versions?x=1", 400, "unknown-parameter")


def test_many_papers_by_their_ids_in_their_order(client):
    one, two, three = weave(), PaperFactory(arxiv_id="math/0301001"), PaperFactory()
    gone = PaperFactory()
    Paper.objects.filter(pk=gone.pk).update(redirect_to=three)
    found = ask(
        client,
        f"/api/v1/papers?select=id&ids={gone.pk},math/0301001,2101.99999,doi:10.5555/loom.1,{three.pk},2101.04242",
    )
    assert [item["id"] for item in found["items"]] == [three.pk, two.pk, one.pk]
    assert found["missing"] == ["2101.99999"]
    assert (found["next"], found["count"]) == (None, 3)
    problem(client, "/api/v1/papers?ids=1,nonsense", 400, "bad-parameter")
    problem(client, "/api/v1/papers?ids=,", 400, "bad-parameter")
    problem(client, "/api/v1/papers?ids=1&kind=article", 400, "bad-parameter")
    problem(client, "/api/v1/papers?ids=" + ",".join(map(str, range(1, 102))), 400, "bad-parameter")


def test_references_with_the_papers_that_are_meant(client):
    paper, cited = PaperFactory(), PaperFactory(title="Knots", status="retracted")
    Reference.objects.create(paper=paper, position=1, cited=cited, doi="10.5555/knots", text="A. Weaver: Knots")
    Reference.objects.create(paper=paper, position=2, openalex_id="W7")
    Reference.objects.create(paper=paper, position=None, openalex_id="W8")
    Paper.objects.filter(pk=paper.pk).update(listed_reference_count=2)
    found = ask(client, f"/api/v1/papers/{paper.pk}/references?limit=1")
    assert found["items"] == [
        {
            "position": 1,
            "text": "A. Weaver: Knots",
            "identifiers": [{"scheme": "doi", "value": "10.5555/knots"}],
            "paper": {
                "id": cited.pk,
                "url": settings.SITE_URL + cited.get_absolute_url(),
                "title": "Knots",
                "arxiv_id": cited.arxiv_id,
                "status": "retracted",
            },
        }
    ]
    last = ask(client, found["next"])
    assert last["items"] == [
        {"position": 2, "text": None, "identifiers": [{"scheme": "openalex", "value": "W7"}], "paper": None}
    ]
    assert (last["next"], last["count"]) == (None, 2)


def test_citing_papers_newest_first(client):
    paper = PaperFactory()
    citing = [PaperFactory(published_on=dt.date(2022, 1, day)) for day in (1, 2, 3)]
    gone = PaperFactory(published_on=dt.date(2022, 2, 1))
    for one in (*citing, gone):
        PaperCitation.objects.create(paper=one, cited=paper, sort_date=one.sort_date)
    Paper.objects.filter(pk=gone.pk).update(redirect_to=paper)
    found = ask(client, f"/api/v1/papers/{paper.pk}/citations?limit=2&select=id,title")
    assert found["items"] == [{"id": one.pk, "title": one.title} for one in citing[:0:-1]]
    assert found["count"] == 3
    assert [item["id"] for item in ask(client, found["next"])["items"]] == [citing[0].pk]


def test_what_sources_say(client):
    paper = PaperFactory()
    record = SourceRecordFactory(paper=paper)
    (said,) = ask(client, f"/api/v1/papers/{paper.pk}/sources")["items"]
    assert (said["source"], said["format"], said["external_id"]) == ("arxiv", "arXivRaw", record.external_id)
    assert said["harvested_at"] == "2021-02-04T05:30:00Z"


def test_all_categories(client):
    CategoryFactory(code="math.AG", name="Algebraic Geometry")
    found = ask(client, "/api/v1/categories")
    assert found["count"] == len(found["items"])
    (one,) = [item for item in found["items"] if item["code"] == "math.AG"]
    assert one["url"] == f"{settings.SITE_URL}/categories/math.AG"


@pytest.mark.parametrize(
    "address",
    [
        "/api/v1/papers?limit=100",
        "/api/v1/papers?limit=100&category=cs.CL&institution=Hall&country=GB&year_from=2000",
        "/api/v1/papers/{first}", "/api/v1/papers/{first}/citations?limit=100",
        "/api/v1/papers/{first}/references?limit=100", "/api/v1/papers/{first}/authors?limit=100",
        "/api/v1/papers/{first}/sources", "/api/v1/papers/{first}/versions", "/api/v1/papers?ids={ids}",
    ],
)  # fmt: skip
def test_at_most_12_queries_for_1_and_for_100(client, settings, address):
    settings.API_REQUESTS_PER_MINUTE = 1_000
    hall = InstitutionFactory()
    hall.names.create(value="Hall", kind="label", key=" hall")

    def fill(count):
        made = [PaperFactory(versions_made=1) for _ in range(count)]
        first = Paper.objects.order_by("pk").first()
        for one in made:
            one.institutions.create(institution=hall, sort_date=one.sort_date)
            PaperMetric.objects.create(paper=one, source="openalex", cited_by_count=1, as_of=dt.date(2025, 1, 1))
            SourceRecordFactory(paper=one)
            Affiliation.objects.create(authorship=place(one), text="Hall", institution=hall)
            if one != first:
                PaperCitation.objects.create(paper=one, cited=first, sort_date=one.sort_date)
        return first

    def queries():
        first = Paper.objects.order_by("pk").first()
        numbers = ",".join(map(str, Paper.objects.order_by("pk").values_list("pk", flat=True)[:100]))
        with CaptureQueriesContext(connection) as captured:
            ask(client, address.format(first=first.pk, ids=numbers))
        return len(captured)

    fill(2)
    few = queries()
    fill(98)
    many = queries()
    assert few == many
    assert many <= 12
