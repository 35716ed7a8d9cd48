import datetime as dt

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from researchers.models import Researcher, ResearcherIdentifier, ResearcherMetric
from tests.factories import PaperFactory
from tests.papers.test_api import ask, problem
from tests.researchers.people import arrive, curator, merge, orcid, place, researcher

pytestmark = pytest.mark.django_db

ORCID = "0000-0002-1825-0097"


def weaver():
    ada = researcher("Ada Weaver", affiliation="Loom Hall", categories=["cs.CL"], countries=["GB"], h_index=3)
    ada.names.create(value="A. Weaver")
    ada.names.create(value="Ada Former", visibility="hidden")
    ada.names.create(value="ADA FORMER")
    orcid(ada, ORCID)
    ResearcherIdentifier.objects.create(researcher=ada, scheme="openalex", value="A7", state="claimed")
    ResearcherIdentifier.objects.create(researcher=ada, scheme="s2", value="8", state="conflict")
    for source, works in (("openalex", 10), ("s2", 7)):
        ResearcherMetric.objects.create(
            researcher=ada, source=source, h_index=2, cited_by_count=9, works_count=works, as_of=dt.date(2025, 6, 1)
        )
    return ada


def test_a_researcher_with_all_that_is_known(client):
    ada = weaver()
    ada.refresh_from_db()
    found = ask(client, f"/api/v1/researchers/{ada.pk}")
    assert found == {
        "id": ada.pk,
        "url": f"{settings.SITE_URL}/researchers/{ada.pk}-ada-weaver",
        "name": "Ada Weaver",
        "other_names": ["A. Weaver"],
        "orcid": ORCID,
        "identifiers": [
            {"scheme": "openalex", "value": "A7", "trusted": False},
            {"scheme": "orcid", "value": ORCID, "trusted": True},
        ],
        "affiliation": "Loom Hall",
        "categories": ["cs.CL"],
        "countries": ["GB"],
        "paper_count": 0,
        "citation_count": None,
        "h_index": 3,
        "first_year": None,
        "last_year": None,
        "metrics": [
            {"source": "openalex", "h_index": 2, "cited_by_count": 9, "works_count": 10, "as_of": "2025-06-01"},
            {"source": "s2", "h_index": 2, "cited_by_count": 9, "works_count": 7, "as_of": "2025-06-01"},
        ],
        "updated_at": ada.updated_at.isoformat().replace("+00:00", "Z"),
    }
    for ref in (f"orcid:{ORCID}", f"ORCID:https://orcid.org/{ORCID}"):
        assert ask(client, f"/api/v1/researchers/{ref}?select=id") == {"id": ada.pk}


@pytest.mark.parametrize("ref", ["0", "999999999", "orcid:0000-0001-5109-3700", "orcid:1", "ada", "1%00", "9" * 40])
def test_who_is_not_known_is_not_found(client, ref):
    for tail in ("", "/papers", "/coauthors"):
        problem(client, f"/api/v1/researchers/{ref}{tail}", 404, "not-found")


def test_the_merged_lead_on_and_the_erased_are_gone(client):
    one, other = researcher("Ada Weaver"), researcher("A. Weaver")
    merge(one, other, curator())
    loser, root = (one, other) if Researcher.objects.get(pk=one.pk).merged_into_id else (other, one)
    for tail in ("", "/papers", "/coauthors"):
        response = client.get(f"/api/v1/researchers/{loser.pk}{tail}")
        assert response.status_code == 301
        assert response.headers["Location"] == f"/api/v1/researchers/{root.pk}{tail}"
    Researcher.objects.filter(pk=root.pk).update(erased_at=timezone.now())
    for number in (root.pk, loser.pk):
        assert "Weaver" not in str(problem(client, f"/api/v1/researchers/{number}", 410, "gone"))


def test_papers_of_a_researcher(client):
    ada = researcher("Ada Weaver")
    made = [PaperFactory(published_on=dt.date(2020 + number, 1, 1), citation_count=number) for number in range(3)]
    for one in made:
        arrive(ada, place(one))
    PaperFactory()
    address = f"/api/v1/researchers/{ada.pk}/papers"

    def ids(query=""):
        return [item["id"] for item in ask(client, f"{address}?select=id&{query}")["items"]]

    first, second, third = (one.pk for one in made)
    assert ids() == [third, second, first]
    assert ids("sort=oldest") == [first, second, third]
    assert ids("sort=cited") == [third, second, first]
    assert ids("year=2021") == [second]
    assert ids("category=math.AG") == ids("kind=article") == []
    found = ask(client, f"{address}?limit=2")
    assert found["count"] == 3
    assert found["items"][0]["authors"][0]["researcher"]["id"] == ada.pk
    assert [item["id"] for item in ask(client, found["next"])["items"]] == [first]


def test_coauthors_with_the_most_papers_together_first(client):
    ada, bo, cy = (researcher(name) for name in ("Ada Weaver", "Bo Spindle", "Cy Shuttle"))
    for number, other in ((2, bo), (1, cy)):
        for _ in range(number):
            paper = PaperFactory(published_on=dt.date(2021, 1, 1))
            arrive(ada, place(paper))
            arrive(other, place(paper, 2))
    found = ask(client, f"/api/v1/researchers/{ada.pk}/coauthors?limit=1")
    assert found["items"] == [
        {
            "id": bo.pk, "url": f"{settings.SITE_URL}/researchers/{bo.pk}-bo-spindle", "name": "Bo Spindle",
            "papers": 2, "first_year": 2021, "last_year": 2021,
        }
    ]  # fmt: skip
    assert found["count"] == 2
    assert [item["name"] for item in ask(client, found["next"])["items"]] == ["Cy Shuttle"]


def test_queries_do_not_grow_with_the_papers(client):
    ada = weaver()
    counts = []
    for number in (1, 30):
        for _ in range(number):
            arrive(ada, place(PaperFactory()))
        for tail in ("", "/papers?limit=100", "/coauthors?limit=100"):
            with CaptureQueriesContext(connection) as captured:
                ask(client, f"/api/v1/researchers/{ada.pk}{tail}")
            counts.append(len(captured))
    assert counts[:3] == counts[3:]
    assert max(counts) <= 12
