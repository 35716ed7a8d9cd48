"""A curator at work: the queue, item by item, with the keyboard alone and without a script."""

from __future__ import annotations

import datetime as dt

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import expect

from papers.models import Paper
from researchers.merging import ADAPTER
from researchers.models import Assertion, Candidate, MergeEvent, Researcher
from tests.browser.test_pages import barriers, sideways
from tests.factories import affiliate
from tests.researchers.people import arrive, curator, faults, orcid, paper, place, researcher
from tests.researchers.people import merge as merge_people
from wovepaper.curation.services import CandidateDraft, file_candidates

REASONS = [
    {"text": "a co-author in common, one of a rare name", "contribution": 2.5, "about": "co_author"},
    {"text": "affiliations agree by 92%", "contribution": 1.4, "about": "affiliation"},
    {"text": "about 1 in 10 names this common are several people", "contribution": -0.7, "about": "namesakes"},
]


def pair(number: int) -> tuple[Researcher, Researcher]:
    """Two researchers with a paper each, a co-author in common, and an item of the queue."""
    one, other = researcher(f"Ada Weaver {number}"), researcher(f"A. Weaver {number}")
    friend = researcher(f"Bo Spindle {number}")
    for year, person in ((2010, one), (2013, one), (2015, other)):
        made = paper(f"{person.display_name}", friend.display_name)
        Paper.objects.filter(pk=made.pk).update(
            title=f"The {year} loom of knots {number}", published_on=dt.date(year, 1, 2), venue="Journal of Looms"
        )
        arrive(person, place(made, 1))
        arrive(friend, place(made, 2))
        affiliate(made, 1, "Institute of Weaving, Knotham")
    draft = CandidateDraft(
        members=(one.pk, other.pk), score=0.95 - number / 100, reasons=REASONS, rows_affected=3
    )  # fmt: skip
    file_candidates(ADAPTER, [draft])
    return one, other


@pytest.fixture
def sign_in(open_page, live_server):
    """Open a page of the admin as an account: the session is made here, since signing in is tested elsewhere."""

    def open_as(user, address: str, **options):
        session = SessionStore()
        session["_auth_user_id"] = str(user.pk)
        session["_auth_user_backend"] = settings.AUTHENTICATION_BACKENDS[0]
        session["_auth_user_hash"] = user.get_session_auth_hash()
        session.save()
        page = open_page("/livez", **options)
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session.session_key, "url": live_server.url}]
        )
        page.goto(address)
        return page

    return open_as


def test_ten_items_with_the_keyboard_alone(sign_in, db, complaints):
    pairs = [pair(number) for number in range(10)]
    numbers = [Candidate.objects.get(members=sorted((one.pk, other.pk))).pk for one, other in pairs]
    page = sign_in(curator(), "/admin/researchers/candidate/")
    expect(page.get_by_text("10 left to review")).to_be_visible()

    def here(number):
        page.wait_for_url(f"**/candidate/{numbers[number]}/change/")
        expect(page.get_by_role("heading", level=1)).to_have_text("Are they one person?")

    def merge():
        page.keyboard.press("m")
        page.wait_for_url("**/researcher/merge/**")
        expect(page.get_by_role("button", name="Merge Enter")).to_be_focused()
        page.keyboard.press("Enter")

    page.keyboard.press("j")
    here(0)
    merge()
    here(1)
    expect(page.get_by_role("button", name="Undo u")).to_be_visible()
    page.keyboard.press("d")
    here(2)
    page.keyboard.press("s")
    here(3)
    merge()
    here(4)
    page.keyboard.press("u")  # the last merge was a mistake
    here(3)
    page.keyboard.press("d")
    here(4)
    page.keyboard.press("j")  # passed over
    here(5)
    page.keyboard.press("k")
    here(4)
    merge()
    here(5)
    page.keyboard.press("d")
    here(6)
    page.keyboard.press("u")
    here(5)
    merge()
    here(6)
    page.keyboard.press("s")
    here(7)
    page.keyboard.press("u")
    here(6)
    page.keyboard.press("d")
    for number in (7, 8, 9):
        here(number)
        merge()
    expect(page.get_by_text("Nothing is left to review here.")).to_be_visible()

    states = list(Candidate.objects.filter(pk__in=numbers).order_by("-score").values_list("state", flat=True))
    assert states == [
        *("merged", "different", "snoozed", "different", "merged"),
        *("merged", "different", "merged", "merged", "merged"),
    ]
    merged = [place for place, state in enumerate(states) if state == "merged"]
    assert {event.loser_id for event in MergeEvent.objects.filter(live=True)} == {pairs[one][1].pk for one in merged}
    assert set(Researcher.objects.filter(merged_into__isnull=False).values_list("merged_into", flat=True)) == {
        pairs[one][0].pk for one in merged
    }
    reasons = set(MergeEvent.objects.filter(kind="merge").values_list("reason", flat=True))
    assert reasons == {"A co-author in common, one of a rare name; affiliations agree by 92%"}
    assert MergeEvent.objects.filter(kind="undo").count() == 1
    assert Assertion.objects.filter(revoked=False).count() == 3
    assert Assertion.objects.filter(revoked=True).count() == 1
    assert faults() == []
    assert complaints.found == []


def test_keys_write_in_fields_and_can_be_turned_off(sign_in, db, complaints):
    one, other = pair(0)
    page = sign_in(curator(), f"/admin/researchers/candidate/{Candidate.objects.get().pk}/change/")
    address = page.url
    field = page.get_by_label("Reason, if they are different people")
    field.fill("")
    field.press_sequentially("mdsujk")
    assert field.input_value() == "mdsujk"
    page.get_by_role("button", name="Turn keys off").click()
    for key in "mdsjk":
        page.keyboard.press(key)
    assert page.url == address
    page.reload()
    page.keyboard.press("m")
    assert page.url == address
    page.get_by_role("button", name="Turn keys on").click()
    page.get_by_role("radio", name="survives a merge").nth(1).check()
    page.keyboard.press("m")
    page.wait_for_url(f"**/merge/?candidate=*&survivor={other.pk}*")
    expect(page.get_by_role("button", name="Merge Enter")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Merged {one.pk} into {other.pk}.")).to_be_visible()
    assert complaints.found == []


def test_everything_works_without_a_script_on_a_telephone(sign_in, db):
    pair(0)
    pair(1)
    page = sign_in(curator(), "/admin/researchers/candidate/", javascript=False, width=360)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Turn keys off")).to_be_hidden()
    page.get_by_role("button", name="Merge…").click()
    page.get_by_role("button", name="Merge Enter").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Different people").click()
    page.get_by_role("button", name="Not sure").click()
    assert list(Candidate.objects.order_by("pk").values_list("state", flat=True)) == ["different", "snoozed"]


def test_the_screens_narrow_and_wide_light_and_dark(sign_in, db, complaints):
    one, other = pair(0)
    orcid(one, "0000-0002-1825-0097")
    orcid(other, "0000-0001-5109-3700")
    event_pair = pair(1)
    someone = curator()
    event = merge_people(event_pair[1], event_pair[0], someone).event
    item = Candidate.objects.get(members=[one.pk, other.pk])
    page = sign_in(someone, "/admin/researchers/candidate/")
    for address in (
        "/admin/researchers/candidate/",
        f"/admin/researchers/candidate/{item.pk}/change/",
        f"/admin/researchers/researcher/merge/?candidate={item.pk}&survivor={one.pk}&member={one.pk}&member={other.pk}",
        f"/admin/researchers/researcher/{one.pk}/change/",
        f"/admin/researchers/researcher/{one.pk}/split/",
        "/admin/researchers/mergeevent/",
        f"/admin/researchers/mergeevent/{event.pk}/change/",
    ):
        page.goto(address)
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert sideways(page) <= 0, (address, width)
        for width, scheme in ((375, "light"), (1280, "dark")):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            assert barriers(page) == [], (address, width, scheme)
    assert complaints.found == []
