"""The form by which a reader objects to an attribution."""

import pytest
from django.test import Client
from django.utils import timezone

from papers.models import Authorship
from researchers.models import Contest, Researcher, ResearcherName
from researchers.services import contests
from researchers.services.names import hide_former_name
from tests.factories import PaperFactory
from tests.html import Page, get
from tests.researchers.people import curator, give, orcid, researcher, shown
from tests.researchers.works import paper_of, written_by

pytestmark = pytest.mark.django_db
WHY = "She never worked on looms."
ORCID = "0000-0002-1694-233X"


@pytest.fixture
def ada():
    return researcher("Ada Weaver")


@pytest.fixture
def paper(ada):
    return written_by({"A. Weaver": ada, "Nobody Yet": None}, title="On looms", arxiv_id="2101.54321")


@pytest.fixture
def reader(client):
    user = curator("reader", [])
    client.force_login(user)
    return user


def address(paper, position=1):
    return f"/papers/{paper.arxiv_id}/authors/{paper.authorships.get(position=position).pk}/contest"


def form(ada, **changes):
    return {"said": "not_them", "researcher": "", "reason": WHY, "seen": ada.pk if ada else ""} | changes


def post(client, paper, data, status, position=1):
    response = client.post(address(paper, position), data)
    assert response.status_code == status, response.content.decode()
    return Page(response) if response.content else response


def test_the_form_names_the_author_and_who_it_is_taken_for(client, paper, ada, reader):
    page = get(client, address(paper))
    assert page.one("//h1") == "A. Weaver"
    assert page.one("//p[@class='lede']") == "As printed on On looms, attributed to Ada Weaver."
    assert page.texts("//fieldset//label") == ["This is not them", "This is another researcher"]
    assert page.value("//input[@name='said'][@checked]/@value") == "not_them"
    assert page.value("//input[@name='seen']/@value") == str(ada.pk)
    assert page.value("//meta[@name='robots']/@content") == "noindex, follow"


def test_where_nobody_is_named_it_can_only_be_somebody(client, paper, reader):
    page = get(client, address(paper, 2))
    assert page.one("//p[@class='lede']") == "As printed on On looms, attributed to nobody yet."
    assert page.all("//input[@name='said']/@value") == ["somebody"]
    assert len(page.all("//input[@name='said'][@checked]")) == 1


def test_an_objection_is_kept_and_leads_back_to_the_author(client, paper, ada, reader):
    response = client.post(address(paper), form(ada))
    place = paper.authorships.get(position=1)
    assert (response.status_code, response.headers["location"]) == (
        302, f"/papers/2101.54321/authors#author-{place.pk}",
    )  # fmt: skip
    kept = Contest.objects.get()
    assert (kept.user, kept.authorship, kept.claimed, kept.reason) == (reader, place, None, WHY)
    assert shown(place) == ada.pk
    page = get(client, "/papers/2101.54321/authors")
    assert page.one("//p[@role='status']") == "Thank you. A curator will read this; nothing changes before."
    assert page.texts("//p[@class='why__contest']")[0] == (
        "You contested this; a curator will read it. Change what you said"
    )


@pytest.mark.parametrize(
    "named", ["{pk}", "#{pk}", "{url}", "http://localhost:8000{url}", "https://orcid.org/" + ORCID]
)
def test_who_it_is_can_be_said_by_number_address_or_orcid(client, paper, ada, reader, named):
    bo = researcher("Bo Spindle")
    orcid(bo, ORCID)
    data = form(ada, said="somebody", researcher=named.format(pk=bo.pk, url=bo.get_absolute_url()))
    assert client.post(address(paper), data).status_code == 302
    assert Contest.objects.get().claimed == bo


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"said": "somebody"}, "Say who it is: the number or address of their page here, or their ORCID iD."),
        ({"said": "somebody", "researcher": "987654"}, "Nobody here has this number, address or ORCID iD."),
        ({"said": "somebody", "researcher": "Ada Weaver"}, "Nobody here has this number, address or ORCID iD."),
        (
            {"said": "somebody", "researcher": "0000-0002-1694-2331"},
            "Nobody here has this number, address or ORCID iD.",
        ),
        ({"reason": "short"}, "Ensure this value has at least 10 characters (it has 5)."),
        ({"reason": "x" * 2_001}, "Ensure this value has at most 2000 characters (it has 2001)."),
        ({"reason": ""}, "This field is required."),
        ({"said": "merge them"}, "Select a valid choice. merge them is not one of the available choices."),
    ],
)
def test_what_is_missing_or_wrong_is_said_and_what_was_typed_stays(client, paper, ada, reader, changes, sentence):
    page = post(client, paper, form(ada, **changes), 400)
    assert page.one("//p[@role='alert']").startswith(sentence)
    assert page.value("//input[@id='researcher']/@value") == changes.get("researcher", "")
    assert page.one("//textarea") == changes.get("reason", WHY)
    assert Contest.objects.count() == 0


def test_who_it_is_counts_whichever_choice_was_made(client, paper, ada, reader):
    bo = researcher("Bo Loom")
    page = post(client, paper, form(ada, researcher="999999"), 400)
    assert "Nobody here has this number, address or ORCID iD." in page.text
    post(client, paper, form(ada, researcher=str(bo.pk)), 302)
    assert Contest.objects.get().claimed == bo


def test_the_same_researcher_is_no_objection(client, paper, ada, reader):
    page = post(client, paper, form(ada, said="somebody", researcher=str(ada.pk)), 400)
    assert page.one("//p[@role='alert']") == "This author is attributed to that researcher already."


def test_who_is_shown_by_now_is_looked_at_again(client, paper, ada, reader):
    bo = researcher("Bo Spindle")
    give(paper.authorships.get(position=1), bo)
    page = post(client, paper, form(ada), 409)
    assert page.one("//p[@role='alert']").startswith("The attribution has changed since you opened this page.")
    assert page.one("//p[@class='lede']").endswith("attributed to Bo Spindle.")
    assert page.value("//input[@name='seen']/@value") == str(bo.pk)
    assert page.one("//textarea") == WHY


def test_too_many_are_told_so(client, paper, ada, reader, monkeypatch):
    monkeypatch.setattr(contests, "A_DAY", 0)
    response = client.post(address(paper), form(ada))
    assert (response.status_code, response.headers["Retry-After"]) == (429, "3600")


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_is_not_signed_in_is_led_there_and_back(client, paper, ada, method):
    response = getattr(client, method)(address(paper), form(ada) if method == "post" else {})
    assert (response.status_code, response.headers["location"]) == (302, f"/accounts/login/?next={address(paper)}")
    assert Contest.objects.count() == 0


def test_a_form_without_its_token_is_refused(paper, ada):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(curator("reader", []))
    assert strict.post(address(paper), form(ada)).status_code == 403


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_are_refused(client, paper, reader, method):
    assert getattr(client, method)(address(paper)).status_code == 405


def test_reading_the_form_changes_nothing(client, paper, reader):
    get(client, address(paper))
    assert Contest.objects.count() == 0


def test_other_addresses_of_the_paper_lead_here_and_authors_of_others_do_not(client, paper, reader):
    place = paper.authorships.get(position=1)
    response = client.get(f"/papers/{paper.pk}/authors/{place.pk}/contest")
    assert (response.status_code, response.headers["location"]) == (301, address(paper))
    other = PaperFactory(arxiv_id="2101.54322")
    get(client, f"/papers/2101.54322/authors/{place.pk}/contest", status=404)
    get(client, f"/papers/{other.pk}x/authors/{place.pk}/contest", status=404)
    Authorship.objects.filter(pk=place.pk).update(is_collaboration=True)
    get(client, address(paper), status=404)


def test_neither_hidden_names_nor_the_erased_are_shown(client, paper, ada, reader):
    ResearcherName.objects.create(researcher=ada, value="A. Weaver")
    hide_former_name(researcher=ada.pk, name="A. Weaver", actor=curator(), reason="They asked.")
    page = get(client, address(paper))
    assert page.one("//h1") == "Ada Weaver"
    assert "A. Weaver" not in page.text
    Researcher.objects.filter(pk=ada.pk).update(erased_at=timezone.now())
    assert get(client, address(paper)).one("//p[@class='lede']").endswith("attributed to nobody yet.")


def test_a_long_paper_leads_back_to_the_right_page(client, reader):
    people = [researcher(f"Author {number}") for number in range(60)]
    paper = paper_of(*people)
    response = client.post(address(paper, 51), form(people[50]))
    place = paper.authorships.get(position=51)
    assert response.headers["location"] == f"/papers/{paper.arxiv_id}/authors?page=2#author-{place.pk}"


def test_a_reason_that_nobody_can_see_is_none(client, paper, ada, reader):
    form = {"said": "not_them", "reason": "\u200b\u202e" * 20, "seen": ada.pk}
    assert client.post(address(paper), form).status_code == 400
    assert not Contest.objects.exists()
