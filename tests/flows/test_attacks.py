"""Accounts that try for more than they may, with forms that would do it, and addresses that lead out of the site."""

from __future__ import annotations

from urllib.parse import quote, urlencode

import pytest
from allauth.account.models import EmailConfirmationHMAC
from django.test import Client

from accounts.models import User
from papers.models import Authorship
from researchers.models import (
    Assertion,
    Attribution,
    Candidate,
    Contest,
    Decision,
    MergeEvent,
    MergeProposal,
    Researcher,
    ResearcherIdentifier,
    ResearcherName,
    SamePersonVote,
)
from tests.admin_people import client_of
from tests.flows.authorisation_matrix import CURATION, Role, Route
from tests.flows.authorisation_world import World, filled, make_world
from tests.researchers.people import arrive, curator, different, researcher, versions

pytestmark = pytest.mark.django_db

ADMIN = "/admin/researchers"
JUDGED = (
    Researcher,
    ResearcherName,
    ResearcherIdentifier,
    Attribution,
    Assertion,
    Decision,
    MergeEvent,
    MergeProposal,
    Contest,
)
"""What says who is who. A lease of an item of the queue is none of it."""
OUTSIDE = (
    "https://evil.test/",
    "//evil.test/",
    "///evil.test/",
    "/\\evil.test/",
    "\\\\evil.test/",
    "/\t/evil.test/",
    "https:evil.test/",
    "https:/evil.test/",
    "http://localhost:8000@evil.test/",
    "javascript:alert(1)",
    "data:text/html,hello",
    " //evil.test/",
    "\x01//evil.test/",
)


@pytest.fixture
def world() -> World:
    return make_world()


def said() -> list[list[object]]:
    """Every row that says who is who."""
    return [list(model.objects.order_by("pk").values_list()) for model in JUDGED]


def send(client: Client, route: Route, world: World, **changes: object):
    return client.post(route.address.format(**world.names), {**filled(route.form, world.names), **changes})


# --- curators without a permission -----------------------------------------------------------------------------------

REVIEWERS_OWN = (
    "/decide/",  # to put an item off
    "/next/",
    "/candidate/undo/",
    "/contest/{contest}/answer/",  # to decline an objection
)


def test_who_only_reviews_cannot_act(world):
    before, client = said(), client_of(curator("reviewer", ["review_candidate"]))
    others = [one for one in CURATION if one.acts and not one.address.endswith(REVIEWERS_OWN)]
    assert {one.route: send(client, one, world).status_code for one in others} == {one.route: 403 for one in others}
    assert len(others) == 10
    assert said() == before


def test_what_a_curator_may_do_counts_only_for_who_may_review(world):
    before, client = said(), client_of(curator("half", ["merge_researcher", "split_researcher", "undo_any_event"]))
    assert {send(client, route, world).status_code for route in CURATION if route.acts} == {403}
    assert said() == before


def test_a_reviewer_reaches_no_merge_by_another_way(world):
    names = world.names
    client = client_of(curator("reviewer", ["review_candidate"]))
    before = said()
    decide = f"{ADMIN}/candidate/{names['candidate']}/decide/"
    members = {"member": [names["researcher"], names["other"]], "reason": "so"}
    assert client.post(decide, {"action": "merge", **members}).status_code == 403
    assert client.post(decide, {"action": "split", **members}).status_code == 403
    bulk = {"action": "merge_same_orcid", "_selected_action": [names["candidate"]], "confirmed": "1", "reason": "so"}
    client.post(f"{ADMIN}/candidate/", {**bulk, "key": names["key"]})
    accept = client.post(f"{ADMIN}/contest/{names['contest']}/answer/", {"answer": "accept", "reason": "so"})
    assert accept.status_code == 403
    assert said() == before


def test_a_difference_is_overridden_only_with_the_permission(world):
    one, other = researcher("Ann Loom"), researcher("Ann Loom")
    arrive(one), arrive(other)
    different(one, other, world.users[Role.SUPERUSER])
    form = {"survivor": one.pk, "member": [one.pk, other.pk], "reason": "so", "key": world.names["key"]}
    form |= {"version": [f"{pk}:{version}" for pk, version in versions(one, other).items()], "override": "yes"}
    before = said()
    assert world.client(Role.CURATOR).post(f"{ADMIN}/researcher/merge/", form).status_code == 403
    assert said() == before
    assert world.client(Role.SUPERUSER).post(f"{ADMIN}/researcher/merge/", form).status_code == 302
    other.refresh_from_db()
    assert other.merged_into_id == one.pk


def test_a_proposal_is_not_confirmed_by_who_made_it(world):
    address = f"{ADMIN}/mergeproposal/{world.names['proposal']}/answer/"
    before = said()
    assert world.client(Role.SUPERUSER).post(address, {"answer": "confirm", "reason": "so"}).status_code == 403
    assert said() == before


def test_the_banner_takes_back_nothing_of_others(world):
    """The act is kept in the session of who did it; another's token opens nothing."""
    event = world.names["event"]
    before, client = said(), world.client(Role.CURATOR)
    answer = client.post(f"{ADMIN}/candidate/undo/", {"act": f"events::{event}:1", "key": world.names["key"]})
    assert answer.status_code == 302
    assert said() == before


def test_numbers_that_are_none_and_rows_that_are_not_there(world):
    client = world.client(Role.SUPERUSER)
    before = said()
    for route in CURATION:
        if route.acts and "<int:" in route.route:
            path = route.address.format(**dict.fromkeys(world.names, 10**9))
            assert client.post(path, filled(route.form, world.names)).status_code in (302, 400, 404, 409), path
            assert client.post(path.replace(str(10**9), "1" * 40), {}).status_code in (302, 400, 404, 409), path
    assert said() == before


# --- readers ---------------------------------------------------------------------------------------------------------


def test_a_vote_is_always_ones_own(world):
    other = world.users[Role.OTHER_READER]
    form = {"one": world.names["researcher"], "other": world.names["other"], "verdict": "same"}
    forged = {**form, "user": other.pk, "voter": other.pk, "user_id": other.pk}
    assert world.client(Role.READER).post("/researchers/votes", forged).status_code == 302
    assert list(SamePersonVote.objects.values_list("user", "verdict")) == [(world.users[Role.READER].pk, "same")]
    assert (
        world.client(Role.OTHER_READER).post("/researchers/votes", form | {"verdict": "different"}).status_code == 302
    )
    assert sorted(SamePersonVote.objects.values_list("user", "verdict")) == [
        (world.users[Role.READER].pk, "same"),
        (other.pk, "different"),
    ]


def test_an_objection_is_ones_own_and_replaces_no_other(world):
    names = world.names
    address = f"/papers/{names['paper']}/authors/{names['author']}/contest"
    form = {"said": "not_them", "seen": names["researcher"], "reason": "somebody of another field"}
    forged = {**form, "user": world.users[Role.READER].pk, "contest": names["contest"], "state": "accepted"}
    assert world.client(Role.OTHER_READER).post(address, forged).status_code == 302
    assert list(Contest.objects.order_by("pk").values_list("user", "reason", "state")) == [
        (world.users[Role.READER].pk, "no, it is not", "open"),
        (world.users[Role.OTHER_READER].pk, "somebody of another field", "open"),
    ]


def test_an_author_of_another_paper_cannot_be_contested_here(world):
    elsewhere = arrive(researcher("Ann Loom"))
    address = f"/papers/{world.names['paper']}/authors/{elsewhere.pk}/contest"
    form = {
        "said": "not_them",
        "seen": Attribution.objects.get(authorship=elsewhere).root_id,
        "reason": "not her field",
    }
    assert world.client(Role.READER).post(address, form).status_code == 404
    assert not Contest.objects.filter(authorship=elsewhere).exists()


def test_readers_votes_and_objections_move_no_paper(world):
    before = {
        model: list(model.objects.order_by("pk").values_list()) for model in (Attribution, Researcher, Authorship)
    }
    names = world.names
    reader = world.client(Role.READER)
    reader.post("/researchers/votes", {"one": names["researcher"], "other": names["other"], "verdict": "same"})
    reader.post(
        f"/papers/{names['paper']}/authors/{names['author']}/contest",
        {"said": "somebody", "researcher": names["third"], "seen": names["researcher"], "reason": "it is the third"},
    )
    assert Contest.objects.get().claimed_id == names["third"]
    assert Candidate.objects.get(pk=names["candidate"]).state == "open"
    assert before == {model: list(model.objects.order_by("pk").values_list()) for model in before}


def test_an_address_of_another_reader_is_out_of_reach(world):
    form = {"email": "second@papers.test"}
    for act in ("action_remove", "action_primary", "action_send"):
        world.client(Role.OTHER_READER).post("/accounts/email/", {act: "", **form})
    theirs = world.users[Role.READER].emailaddress_set.get(email="second@papers.test")
    assert (theirs.verified, theirs.primary) == (False, False)


def test_no_link_of_a_mail_confirms_an_address_or_ends_a_session(world):
    """Addresses are confirmed by code, in the browser that asked for it."""
    address = world.users[Role.READER].emailaddress_set.get(email="second@papers.test")
    client = world.client(Role.OTHER_READER)
    for answer in (client.get, client.post):
        assert answer(f"/accounts/confirm-email/{EmailConfirmationHMAC(address).key}/").status_code in (404, 405)
    assert client.get("/accounts/email/").status_code == 200
    address.refresh_from_db()
    assert not address.verified


# --- out of the site -------------------------------------------------------------------------------------------------


def assert_here(answer) -> None:
    location = answer.headers.get("location", "/")
    assert "evil" not in location.partition("?")[0], location
    assert location.startswith("/"), location
    assert not location.startswith(("//", "/\\")), location


@pytest.fixture
def member(settings) -> User:
    settings.ACCOUNT_RATE_LIMITS = False
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    user = User.objects.create_user("ada@papers.test", "warp-and-weft-77")
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    return user


@pytest.mark.parametrize("outside", OUTSIDE)
def test_signing_in_and_out_never_leads_out(outside, member):
    query = urlencode({"next": outside})
    form = {"login": member.email, "password": "warp-and-weft-77"}
    for address in ("/accounts/login/", "/accounts/signup/", "/admin/login/"):
        page = Client().get(f"{address}?{query}", follow=address.startswith("/admin"))
        assert page.status_code == 200
        assert f'action="{outside}' not in page.content.decode()
    for client, address in ((Client(), f"/accounts/login/?{query}"), (Client(), "/accounts/login/")):
        answer = client.post(address, {**form, "next": outside})
        assert (answer.status_code, answer.headers["location"]) == (302, "/")
        assert_here(client.get(f"/accounts/login/?{query}"))
        assert_here(client.get(f"/accounts/signup/?{query}"))
        assert_here(client.post(f"/accounts/logout/?{query}", {"next": outside}))


def test_a_vote_never_leads_out(world):
    reader, stranger = world.client(Role.READER), Client()
    form = {"one": world.names["researcher"], "other": world.names["other"], "verdict": "same"}
    for outside in OUTSIDE:
        answer = reader.post("/researchers/votes", form | {"next": outside})
        assert (answer.status_code, answer.headers["location"]) == (302, "/researchers"), outside
        answer = stranger.post("/researchers/votes", form | {"next": outside})
        assert (answer.status_code, answer.headers["location"]) == (302, "/accounts/login/?next=/researchers"), outside


def test_addresses_that_are_put_right_never_lead_out(world):
    names = world.names
    client, reader = Client(), world.client(Role.READER)
    for outside in (*OUTSIDE, *(f"/{one}" for one in OUTSIDE)):
        paths = (
            "/" + quote(outside, safe="/:@"),
            f"/papers/{quote(outside, safe='')}",
            f"/papers/{names['paper']}/authors/{names['author']}/contest/{quote(outside, safe='/')}",
            f"/researchers/orcid/{quote(outside, safe='')}",
            f"/researchers?q={quote(outside)}",
            f"/search?q={quote(outside)}",
            f"/institutions/{quote(outside, safe='')}",
            f"/admin/{quote(outside, safe='')}",
        )
        for path in paths:
            assert_here(client.get(path))
        form = {"said": "not_them", "seen": names["researcher"], "reason": "this is somebody else", "next": outside}
        assert_here(reader.post(f"/papers/{names['paper']}/authors/{names['author']}/contest", form))
