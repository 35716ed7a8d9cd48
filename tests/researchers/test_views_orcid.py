"""ORCID iDs as addresses, and in the search box."""

import pytest
from django.utils import timezone

from tests.html import get
from tests.researchers.people import curator, merge, orcid, researcher, undo

pytestmark = pytest.mark.django_db
ORCID = "0000-0002-1694-233X"


@pytest.fixture
def person():
    made = researcher("Ada Weaver", paper_count=1)
    orcid(made, ORCID)
    return made


SPELLINGS = [
    ORCID, "0000-0002-1694-233x", "000000021694233X", "https://orcid.org/0000-0002-1694-233X",
    "http://www.orcid.org/0000-0002-1694-233X/", "orcid.org/0000-0002-1694-233X", "ORCID: 0000-0002-1694-233X",
]  # fmt: skip


@pytest.mark.parametrize("text", SPELLINGS)
def test_every_usual_spelling_leads_to_the_page_in_one_hop(client, person, text):
    response = client.get(f"/researchers/orcid/{text}")
    assert (response.status_code, response.headers["location"]) == (301, f"/researchers/{person.pk}-ada-weaver")
    assert response.headers["Cache-Control"] == "max-age=3600"


@pytest.mark.parametrize("page", ["/search", "/researchers"])
@pytest.mark.parametrize("text", SPELLINGS)
def test_pasted_into_a_search_box_it_leads_there_at_once(client, person, page, text):
    response = client.get(page, {"q": f" {text} "})
    assert (response.status_code, response.headers["location"]) == (302, f"/researchers/{person.pk}-ada-weaver")
    assert response.headers["Cache-Control"] == "no-store"


def test_who_was_merged_leads_to_the_survivor_until_the_undo(client, person):
    middle, survivor = researcher("Ada Spindle"), researcher("Ada Loom")
    merge(person, middle, curator())
    event = merge(middle, survivor, curator()).event
    assert client.get(f"/researchers/orcid/{ORCID}").headers["location"] == f"/researchers/{survivor.pk}-ada-loom"
    undo(event, curator())
    assert client.get(f"/researchers/orcid/{ORCID}").headers["location"] == f"/researchers/{middle.pk}-ada-spindle"


@pytest.mark.parametrize("text", ["0000-0002-1694-2331", "0000-0000-0000-0000", "0000-0002-1694", "nonsense", "%00"])
def test_what_is_no_orcid_says_so(client, person, text):
    response = client.get(f"/researchers/orcid/{text}")
    assert response.status_code in (400, 404)
    if text != "%00":
        assert "This is not an ORCID iD: it has 16 digits" in response.content.decode()


@pytest.mark.parametrize("state", ["conflict", "claimed", "deprecated"])
def test_only_trusted_ones_lead_anywhere(client, state):
    orcid(researcher(), ORCID, state=state)
    page = get(client, f"/researchers/orcid/{ORCID}", status=404)
    assert page.one("//p[@class='lede']").startswith("Nobody here has this ORCID iD.")


def test_the_erased_are_nobody(client, person):
    type(person).objects.filter(pk=person.pk).update(erased_at=timezone.now())
    get(client, f"/researchers/orcid/{ORCID}", status=404)


def test_other_methods_are_refused(client):
    assert client.post(f"/researchers/orcid/{ORCID}").status_code == 405
