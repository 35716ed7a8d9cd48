"""Voting on namesakes: who may, what comes back, and where a reader ends up."""

import pytest
from django.test import Client

from researchers.models import Candidate, SamePersonVote
from researchers.services import votes
from tests.html import Page, get
from tests.researchers.people import arrive, curator, researcher

pytestmark = pytest.mark.django_db
VOTES = "/researchers/votes"


@pytest.fixture
def pair():
    a, b = researcher(), researcher()
    arrive(a), arrive(b)
    return a, b


@pytest.fixture
def reader(client):
    user = curator("reader", [])
    client.force_login(user)
    return user


def form(pair, **changes):
    a, b = pair
    return {
        "one": a.pk,
        "other": b.pk,
        "verdict": "same",
        "next": f"/researchers/{a.pk}-ada-weaver#same-name",
    } | changes


def test_a_vote_is_noted_and_leads_back(client, pair, reader):
    response = client.post(VOTES, form(pair))
    assert (response.status_code, response.headers["location"]) == (
        302,
        f"/researchers/{pair[0].pk}-ada-weaver#same-name",
    )
    assert SamePersonVote.objects.get().user == reader
    page = get(client, "/researchers")
    assert page.one("//p[@role='status']") == (
        "Noted: the same person, you say. A curator will look; nothing is merged before."
    )


def test_who_is_not_signed_in_is_led_there_and_back_and_nothing_is_kept(client, pair):
    response = client.post(VOTES, form(pair))
    assert (response.status_code, response.headers["location"]) == (
        302,
        f"/accounts/login/?next=/researchers/{pair[0].pk}-ada-weaver%23same-name",
    )  # fmt: skip
    assert (SamePersonVote.objects.count(), Candidate.objects.count()) == (0, 0)


def test_a_form_without_its_token_is_refused(pair):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(curator("reader", []))
    assert strict.post(VOTES, form(pair)).status_code == 403
    assert SamePersonVote.objects.count() == 0


@pytest.mark.parametrize("method", ["get", "head", "put", "patch", "delete"])
def test_other_methods_are_refused(client, reader, method):
    assert getattr(client, method)(VOTES).status_code == 405


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"one": ""}, "A vote names two researchers by their numbers."),
        ({"other": "x"}, "A vote names two researchers by their numbers."),
        ({"other": "-1"}, "A vote names two researchers by their numbers."),
        ({"other": "٣"}, "A vote names two researchers by their numbers."),
        ({"other": "9" * 19}, "A vote names two researchers by their numbers."),
        ({"other": "9" * 18}, "There is no such researcher."),
        ({"verdict": "merge"}, "A vote says “same” or “different”."),
    ],
)
def test_what_makes_no_sense_is_a_page_that_says_so(client, pair, reader, changes, sentence):
    response = client.post(VOTES, form(pair, **changes))
    assert response.status_code == 400
    assert Page(response).one("//p[@class='lede']") == sentence
    assert SamePersonVote.objects.count() == 0


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "", "researchers"],
)
def test_the_way_back_is_never_elsewhere(client, pair, reader, elsewhere):
    response = client.post(VOTES, form(pair, next=elsewhere))
    assert (response.status_code, response.headers["location"]) == (302, "/researchers")


def test_too_many_votes_are_told_so(client, pair, reader, monkeypatch):
    monkeypatch.setattr(votes, "VOTES_AN_HOUR", 0)
    response = client.post(VOTES, form(pair))
    assert (response.status_code, response.headers["Retry-After"]) == (429, "3600")
    assert Page(response).one("//p[@class='lede']").startswith("At most 0 votes an hour are taken from one reader.")


def test_who_prefers_markdown_gets_it(client, pair, reader):
    response = client.post(VOTES, form(pair, verdict="x"), headers={"accept": "text/markdown"})
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert "A vote says “same” or “different”." in response.content.decode()
