"""Who may open which of the curators' addresses, and by which method: every address there is."""

from __future__ import annotations

import re

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from researchers.models import (
    Assertion,
    Attribution,
    Candidate,
    Contest,
    Decision,
    MergeEvent,
    MergeProposal,
    Researcher,
)
from researchers.services.curators import INSTITUTION_RIGHTS, PAPER_RIGHTS, RIGHTS, ensure_curators
from tests.admin_people import client_of, user_with
from tests.researchers.admin.conftest import pair
from tests.researchers.people import arrive, curator, different, merge, paper, place

pytestmark = pytest.mark.django_db

MODELS = ("assertion", "candidate", "contest", "decision", "mergeevent", "mergeproposal", "researcher")
REVIEW, MERGE, SPLIT = (
    "researchers.review_candidate",
    "researchers.merge_researcher",
    "researchers.split_researcher",
)
READ, ACT, BOTH = "read", "act", "both"

# Name of the address: what it does, and the permission it needs besides that to review.
OWN = {
    "candidate_next": (ACT, REVIEW),
    "candidate_undo": (ACT, REVIEW),
    "candidate_change": (READ, REVIEW),
    "candidate_decide": (ACT, REVIEW),
    "researcher_merge": (BOTH, MERGE),
    "researcher_split": (BOTH, SPLIT),
    "researcher_change": (READ, REVIEW),
    "researcher_with": (READ, REVIEW),
    "researcher_authorship": (BOTH, SPLIT),
    "researcher_hide_name": (ACT, SPLIT),
    "researcher_show_name": (ACT, SPLIT),
    "researcher_settle": (ACT, SPLIT),
    "mergeevent_change": (READ, REVIEW),
    "mergeevent_undo": (ACT, REVIEW),
    "mergeproposal_change": (READ, REVIEW),
    "mergeproposal_answer": (ACT, MERGE),
    "assertion_change": (READ, REVIEW),
    "assertion_revoke": (ACT, REVIEW),
    "decision_change": (READ, REVIEW),
    "decision_revoke": (ACT, REVIEW),
    "contest_change": (READ, REVIEW),
    "contest_answer": (ACT, REVIEW),
}
DJANGO = ("changelist", "add", "history", "delete")


@pytest.fixture
def arguments():
    """Of every address, for rows that are there."""
    one, other, item = pair()
    someone = curator()
    event = merge(*pair()[1::-1], someone).event
    apart = different(one, other, someone)
    at = arrive(one, place(paper("A. Weaver"), 1))
    decision = Decision.objects.create(
        authorship=at, paper_id=at.paper_id, printed_name=at.name, researcher=one, verdict="is", by=someone, reason="so"
    )
    contest = Contest.objects.create(
        user=someone, authorship=at, paper_id=at.paper_id, printed_name=at.name, attributed=one, reason="no, it is not"
    )
    proposal = MergeProposal.objects.create(
        loser=other, survivor=one, actor=someone, reason="so", idempotency_key="k", versions_seen={}
    )
    rows = {
        "candidate": item,
        "researcher": one,
        "mergeevent": event,
        "assertion": apart,
        "decision": decision,
        "contest": contest,
        "mergeproposal": proposal,
    }

    def of(name: str) -> list[int]:
        model, _, act = name.partition("_")
        if (act in ("next", "undo") and model == "candidate") or act in ("merge", "changelist", "add"):
            return []
        return [rows[model].pk, at.pk] if act == "authorship" else [rows[model].pk]

    return of


def answers(method: str, url: str, visitors: dict[str, Client]) -> dict[str, int]:
    return {name: getattr(client, method)(url).status_code for name, client in visitors.items()}


def test_every_address_is_listed_here():
    found = set()
    for model in (Assertion, Candidate, Contest, Decision, MergeEvent, MergeProposal, Researcher):
        for pattern in admin.site._registry[model].get_urls():
            if pattern.name:
                found.add(pattern.name.removeprefix("researchers_"))
    assert found == set(OWN) | {f"{model}_{act}" for model in MODELS for act in DJANGO}
    assert Attribution not in admin.site._registry


@pytest.mark.parametrize("name", sorted(OWN))
def test_who_may(name, arguments):
    does, needs = OWN[name]
    url = reverse(f"admin:researchers_{name}", args=arguments(name))
    outsiders = {
        "anonymous": Client(),
        "reader": client_of(user_with(is_staff=False)),
        "staff": client_of(user_with("papers.view_paper", "researchers.view_researcher")),
    }
    expected = {"anonymous": 302, "reader": 302, "staff": 403}
    reviewer = client_of(user_with(REVIEW))
    allowed = client_of(user_with(REVIEW, needs))
    for method in ("get", "post"):
        right = does == BOTH or (does == READ) == (method == "get")
        if right:
            assert answers(method, url, outsiders) == expected, method
            assert getattr(reviewer, method)(url).status_code != 403 or needs != REVIEW
            if needs != REVIEW:
                assert getattr(reviewer, method)(url).status_code == 403
            assert getattr(allowed, method)(url).status_code not in (403, 405)
        else:
            assert getattr(allowed, method)(url).status_code == 405
    for method in ("put", "patch", "delete"):
        assert getattr(allowed, method)(url).status_code == 405
    sign_in = Client().get(url) if does != ACT else Client().post(url)
    assert re.match(r"/(admin/login|accounts/login)/\?next=", sign_in.url)


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_added_edited_or_deleted(model, arguments):
    everything = client_of(user_with(is_superuser=True))
    names = [f"admin:researchers_{model}_{act}" for act in ("add", "delete")]
    for name in names:
        url = reverse(name, args=arguments(name.removeprefix("admin:researchers_")))
        assert everything.get(url).status_code == 403
        assert everything.post(url, {"post": "yes"}).status_code == 403
    list_url = reverse(f"admin:researchers_{model}_changelist")
    assert client_of(user_with(REVIEW)).get(list_url).status_code == 200
    assert client_of(user_with(f"researchers.view_{model}")).get(list_url).status_code == 403
    assert "delete_selected" not in everything.get(list_url).content.decode()


def test_a_curator_sees_nothing_but_curation():
    user = user_with()
    user.groups.add(ensure_curators())
    client = client_of(user)
    index = client.get(reverse("admin:index")).content.decode()
    assert set(re.findall(r'<a href="/admin/([a-z_]+)/', index)) == {"institutions", "papers", "researchers"}
    for name in ("papers_paper", "harvest_sourcestate", "pipeline_workitem", "accounts_user", "auth_group"):
        assert client.get(reverse(f"admin:{name}_changelist")).status_code == 403
    assert client.get(reverse("admin:researchers_candidate_changelist")).status_code == 200


def test_the_group_gets_its_rights_once():
    group = ensure_curators()
    codes = set(group.permissions.values_list("codename", flat=True))
    assert codes == {*RIGHTS, *PAPER_RIGHTS, *INSTITUTION_RIGHTS}
    group.permissions.remove(Permission.objects.get(codename="split_researcher"))
    assert ensure_curators() == group
    assert not group.permissions.filter(codename="split_researcher").exists()


def test_looking_changes_nothing(arguments):
    client = client_of(user_with(is_superuser=True))
    client.get(reverse("admin:index"))
    for name, (does, _) in OWN.items():
        if does == ACT:
            continue
        url = reverse(f"admin:researchers_{name}", args=arguments(name))
        with CaptureQueriesContext(connection) as captured:
            client.get(url)
        reading = ("SELECT", "SAVEPOINT", "RELEASE", "SET LOCAL")
        assert [one["sql"] for one in captured if not one["sql"].startswith(reading)] == [], name
