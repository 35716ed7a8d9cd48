"""The curators' screens of institutions, used as a curator uses them."""

from __future__ import annotations

import re
import uuid

import pytest
from django.urls import reverse

from institutions.models import Assertion, Candidate, Institution, MergeEvent
from institutions.services.merging import merge_institutions
from tests.admin_people import client_of, user_with
from tests.factories import InstitutionFactory

pytestmark = pytest.mark.django_db
REVIEW = "institutions.review_candidate"
RIGHTS = (REVIEW, "institutions.merge_institution", "institutions.undo_own_event")
QUEUE = "/admin/institutions/candidate/"


@pytest.fixture
def pair() -> list[Institution]:
    made = [InstitutionFactory(display_name=name) for name in ("Loom Hall", "Hall of <b>Looms</b>")]
    for one in made:
        one.names.create(value=one.display_name, kind="label", key=f" {one.display_name.lower()}")
    return made


@pytest.fixture
def item(pair) -> Candidate:
    return Candidate.objects.create(
        key="pair:x", members=[one.pk for one in pair], score=0.9, reasons=["Both are halls."], rows_affected=2
    )


@pytest.fixture
def curator():
    return user_with(*RIGHTS)


@pytest.fixture
def browser(curator):
    return client_of(curator)


def decide(browser, item: Candidate, action: str, **form):
    versions = [f"{one.pk}:{one.version}" for one in Institution.objects.filter(pk__in=item.members)]
    return browser.post(
        reverse("admin:institutions_candidate_decide", args=[item.pk]), {"action": action, "version": versions, **form}
    )


def test_the_list_names_them_and_leases_nothing(browser, item):
    text = browser.get(QUEUE).content.decode()
    assert "Hall of &lt;b&gt;Looms&lt;/b&gt;" in text
    assert "<strong>1</strong> left to review" in text
    item.refresh_from_db()
    assert item.leased_to is None


def test_next_leads_to_the_item_and_then_says_that_nothing_is_left(browser, curator, item):
    answer = browser.post(f"{QUEUE}next/")
    assert answer["Location"] == f"{QUEUE}{item.pk}/change/"
    item.refresh_from_db()
    assert item.leased_to == curator
    page = browser.get(answer["Location"]).content.decode()
    assert "Both are halls." in page
    assert 'data-key="m"' in page
    decide(browser, item, "not-sure")
    item.refresh_from_db()
    assert item.state == "snoozed"


def test_merging_from_the_item_to_the_undo_in_the_banner(browser, item, pair):
    answer = decide(browser, item, "merge", survivor=str(pair[1].pk))
    assert answer["Location"] == f"{QUEUE}merge/?survivor={pair[1].pk}&loser={pair[0].pk}&candidate={item.pk}"
    preview = browser.get(answer["Location"]).content.decode()
    assert f"<code>/institutions/{pair[0].pk}</code>" in preview
    assert "in batches" in preview
    form = {name: re.findall(rf'name="{name}" value="([^"]*)"', preview) for name in ("key", "version")}
    sent = {
        "survivor": str(pair[1].pk), "loser": str(pair[0].pk), "candidate": str(item.pk), "reason": "Twice",
        "key": form["key"][-1], "version": form["version"],
    }  # fmt: skip
    assert browser.post(f"{QUEUE}merge/", sent).status_code == 302
    pair[0].refresh_from_db()
    assert pair[0].root == pair[1]
    # The same form sent twice is one merge.
    browser.post(f"{QUEUE}merge/", sent)
    assert MergeEvent.objects.count() == 1
    banner = browser.get(QUEUE).content.decode()
    act = re.search(r'name="act" value="([^"]*)"', banner)
    assert act
    answer = browser.post(f"{QUEUE}undo/", {"act": act[1], "key": uuid.uuid4().hex})
    assert answer["Location"] == f"{QUEUE}{item.pk}/change/"
    pair[0].refresh_from_db()
    item.refresh_from_db()
    assert (pair[0].is_root, item.state) == (True, "open")


def test_telling_apart_and_taking_it_back(browser, item, pair):
    assert decide(browser, item, "different").status_code == 400  # a reason is missing
    assert decide(browser, item, "different", reason="Two halls").status_code == 302
    item.refresh_from_db()
    assert item.state == "different"
    act = re.search(r'name="act" value="([^"]*)"', browser.get(QUEUE).content.decode())
    assert act
    browser.post(f"{QUEUE}undo/", {"act": act[1], "key": uuid.uuid4().hex})
    assert not Assertion.objects.filter(revoked=False).exists()
    item.refresh_from_db()
    assert item.state == "open"


def test_what_another_works_on_is_theirs(browser, item):
    other = client_of(user_with(*RIGHTS))
    other.post(f"{QUEUE}next/")
    answer = decide(browser, item, "different", reason="Two")
    assert answer.status_code == 409
    assert "Somebody else works on this" in answer.content.decode()
    assert "works on this until" in browser.get(f"{QUEUE}{item.pk}/change/").content.decode()


def test_a_stale_page_changes_nothing(browser, item, pair):
    Institution.objects.filter(pk=pair[0].pk).update(version=5)
    versions = [f"{one.pk}:1" for one in pair]
    address = reverse("admin:institutions_candidate_decide", args=[item.pk])
    answer = browser.post(address, {"action": "different", "reason": "x", "version": versions})
    assert answer.status_code == 409
    assert "at version 5; your page showed 1" in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("{item}/decide/", {"action": "burn"}),
        ("{item}/decide/", {"action": "merge", "survivor": "99999999"}),
        ("{item}/decide/", {"action": "merge", "survivor": "x"}),
        ("merge/", {"survivor": "", "loser": "1"}),
    ],
)
def test_what_no_button_sends_is_a_bad_request(browser, item, path, form):
    assert browser.post(QUEUE + path.format(item=item.pk), form).status_code == 400


def test_who_may_only_review_cannot_merge(item, pair):
    browser = client_of(user_with(REVIEW))
    assert 'data-key="m"' not in browser.get(f"{QUEUE}{item.pk}/change/").content.decode()
    assert decide(browser, item, "merge", survivor=str(pair[0].pk)).status_code == 403
    assert browser.get(f"{QUEUE}merge/?survivor={pair[0].pk}&loser={pair[1].pk}").status_code == 403


def test_the_history_shows_and_takes_back(browser, curator, pair):
    event = merge_institutions(
        loser=pair[0].pk,
        survivor=pair[1].pk,
        actor=curator,
        reason="Twice",
        versions={one.pk: one.version for one in pair},
        key="a" * 32,
    ).event
    assert event is not None
    history = "/admin/institutions/mergeevent/"
    assert "Merged Loom Hall" in browser.get(history).content.decode()
    page = browser.get(f"{history}{event.pk}/change/").content.decode()
    assert "Take it back" in page
    browser.post(f"{history}{event.pk}/undo/", {"reason": "No", "key": "b" * 32})
    pair[0].refresh_from_db()
    assert pair[0].is_root
    assert "Undone" in browser.get(f"{history}{event.pk}/change/").content.decode()


def test_the_number_of_queries_does_not_grow_with_the_queue(browser, item, django_assert_max_num_queries):
    with django_assert_max_num_queries(14):
        browser.get(QUEUE)
    for number in range(5):
        made = [InstitutionFactory().pk, InstitutionFactory().pk]
        Candidate.objects.create(key=f"pair:{number}", members=made, score=0.5)
    with django_assert_max_num_queries(14):
        browser.get(QUEUE)
