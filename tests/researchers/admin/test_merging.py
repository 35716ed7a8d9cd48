"""The preview of a merge and its confirmation."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext

from researchers.merging import ALONE_UP_TO
from researchers.models import Assertion, MergeEvent, MergeProposal, Researcher, ResearcherName
from tests.researchers.admin.conftest import Desk, item_of, key, pair, states, together
from tests.researchers.people import (
    arrive,
    curator,
    different,
    faults,
    merge,
    orcid,
    paper,
    place,
    researcher,
    shown,
    versions,
)

pytestmark = pytest.mark.django_db

WITHOUT_OVERRIDE = ["review_candidate", "merge_researcher", "undo_own_event", "split_researcher"]


def preview(desk: Desk, survivor: Researcher, *losers: Researcher, **query: object) -> str:
    page = desk.get("researcher_merge", survivor=survivor.pk, member=[one.pk for one in (survivor, *losers)], **query)
    return " ".join(page.split())


def test_the_preview_says_what_moves(desk):
    one, other, item = pair(
        followers=4, reasons=[{"text": "a co-author in common", "contribution": 2.0, "about": "co_author"}]
    )
    arrive(other)
    merge(researcher("Ada W."), other, desk.user)
    page = preview(desk, one, other, candidate=item.pk)
    assert "survives with 3 papers" in page
    assert "2 papers move; 2 addresses will redirect:" in page
    assert f"<code>/researchers/{other.pk}</code>" in page
    assert "4 keep following" in page
    assert 'value="A co-author in common"' in page
    assert "autofocus" in page
    assert f'name="version" value="{other.pk}:2"' in page
    assert "A second curator must agree" not in page
    assert not MergeEvent.objects.filter(survivor=one).exists()


def test_merging_writes_one_event_and_goes_on(desk):
    one, other, item = pair(score=0.9)
    following = pair(score=0.8)[2]
    ResearcherName.objects.create(researcher=other, value="Ada M. Weaver")
    answer = desk.merge(one, other, item=item, reason=" one   face ", display_name="Ada M. Weaver")
    assert answer.url.endswith(f"/{following.pk}/change/")
    event = MergeEvent.objects.get()
    assert (event.kind, event.loser, event.survivor, event.actor, event.reason, event.live) == (
        "merge", other, one, desk.user, "one face", True,
    )  # fmt: skip
    assert event.field_changes == {"display_name": {"before": "Ada Weaver", "after": "Ada M. Weaver"}}
    assert states([item, following]) == ["merged", "open"]
    logged = LogEntry.objects.filter(user=desk.user).values_list("object_id", flat=True)
    assert sorted(logged) == sorted([str(one.pk), str(other.pk)])
    assert faults() == []


def proposed(desk: Desk, survivor: Researcher, *losers: Researcher) -> str:
    """The name that the preview has chosen."""
    return preview(desk, survivor, *losers).split("<option selected>")[1].split("<")[0]


def test_the_fuller_name_is_proposed(desk):
    short, full = researcher("Reisic"), researcher("Nils Reisic")
    arrive(short)
    arrive(full)
    assert proposed(desk, short, full) == proposed(desk, full, short) == "Nils Reisic"
    initial = researcher("N. Reisic")
    assert proposed(desk, initial, short, full) == "Nils Reisic"
    middle = ResearcherName.objects.create(researcher=short, value="Nils Karl Reisic")
    ResearcherName.objects.create(researcher=short, value="Nils K. Reisic")
    assert proposed(desk, full, short) == "Nils Karl Reisic"
    middle.visibility = ResearcherName.Visibility.HIDDEN
    middle.save()
    assert proposed(desk, full, short, initial) == "Nils K. Reisic"


def test_another_name_is_never_proposed_for_being_longer(desk):
    one, other = researcher("Ada Weaver"), researcher("Adam Quirin Weaver")
    assert proposed(desk, one, other) == "Ada Weaver"
    assert proposed(desk, other, one) == "Adam Quirin Weaver"


def test_of_names_equally_full_the_most_printed_is_proposed(desk):
    one, other = researcher("NILS REISIC"), researcher("Nils Reisic")
    arrive(one, place(paper("NILS REISIC")))
    assert proposed(desk, one, other) == "NILS REISIC"
    for _ in range(2):
        arrive(other, place(paper("Nils Reisic")))
    assert proposed(desk, one, other) == "Nils Reisic"


def test_the_same_form_twice_is_one_event(desk):
    one, other, item = pair()
    form = {"key": key(), "versions": versions(one, other)}
    first = desk.merge(one, other, item=item, **form)
    second = desk.merge(one, other, item=item, **form)
    assert (first.status_code, second.status_code) == (302, 302)
    assert MergeEvent.objects.count() == 1
    assert LogEntry.objects.count() == 2


def test_a_form_with_the_key_of_another_is_refused(desk):
    one, other, item = pair()
    third, fourth, _ = pair()
    form = {"key": key()}
    desk.merge(one, other, item=item, **form)
    assert desk.merge(third, other, **form).status_code == 409
    assert desk.merge(third, fourth, key="not a key").status_code == 400
    assert desk.merge(third, fourth, key="").status_code == 400
    assert MergeEvent.objects.count() == 1


def test_a_stale_form_is_a_page_that_shows_what_changed(desk, other_desk):
    one, other, item = pair()
    old = versions(one, other)
    merge(researcher("Cy Weft"), one, other_desk.user, reason="they wove together")
    answer = desk.merge(one, other, item=item, versions=old)
    page = " ".join(answer.content.decode().split())
    assert answer.status_code == 409
    assert f"Researcher {one.pk}</a></strong> is at version 2; your page showed 1." in page
    assert "they wove together" in page
    assert shown(arrive(other)) == other.pk
    assert desk.merge(one, other, versions={one.pk: 2}).status_code == 409  # one that the form did not show
    assert MergeEvent.objects.count() == 1


def test_papers_that_list_both_block_it(desk):
    one, other, item = pair()
    made = together(one, other)
    page = preview(desk, one, other, candidate=item.pk)
    assert "This merge is not possible" in page
    assert f'<a href="/papers/{made.pk}">{made.title}</a>' in page
    assert "1 (they block it)" in page
    assert 'name="key"' not in page.split("decide-form--instead")[0].split("last-act")[0]
    assert f"/admin/researchers/researcher/{other.pk}/split/?candidate={item.pk}" in page
    answer = desk.merge(one, other, item=item)
    assert answer.status_code == 422
    assert "Something stands in the way" in answer.content.decode()
    assert f"nobody is twice on a paper: {made.pk}." in answer.content.decode()
    assert not MergeEvent.objects.exists()


def test_an_earlier_decision_blocks_it_unless_overridden_with_the_permission(desk):
    one, other, _ = pair()
    apart = different(one, other, desk.user)
    page = preview(desk, one, other)
    assert "An earlier decision says otherwise" in page
    assert 'name="override"' in page
    weak = Desk(curator("weak", WITHOUT_OVERRIDE))
    assert 'name="override"' not in preview(weak, one, other)
    assert "needs a permission that your account does not have" in preview(weak, one, other)
    answer = desk.merge(one, other)
    assert answer.status_code == 422
    assert f"(assertion {apart.pk}): two faces" in answer.content.decode()
    assert weak.merge(one, other, override="yes").status_code == 403
    assert not MergeEvent.objects.exists()
    assert desk.merge(one, other, override="yes").status_code == 302
    apart.refresh_from_db()
    assert (apart.revoked, apart.revoked_by_event) == (True, MergeEvent.objects.get())


def test_where_a_second_curator_is_needed_it_waits(desk):
    one, other, item = pair()
    orcid(one, "0000-0002-1825-0097")
    orcid(other, "0000-0001-5109-3700")
    page = preview(desk, one, other, candidate=item.pk)
    assert "A second curator must agree" in page
    assert "Propose the merge" in page
    assert 'value="Different trusted ORCIDs"' in page
    form = {"key": key(), "versions": versions(one, other)}
    for _ in range(2):
        assert desk.merge(one, other, item=item, **form).url == "/admin/researchers/candidate/"
    proposal = MergeProposal.objects.get()
    assert (proposal.loser, proposal.survivor, proposal.actor, proposal.state) == (other, one, desk.user, "open")
    assert states([item]) == ["snoozed"]
    assert not MergeEvent.objects.exists()
    desk.undo()
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by) == ("rejected", desk.user)
    assert states([item]) == ["open"]


def test_the_limit_of_papers_for_one_curator(desk):
    one, other = researcher(), researcher()
    for _ in range(ALONE_UP_TO + 1):
        arrive(other)
    assert f"{ALONE_UP_TO + 1} papers move, more than {ALONE_UP_TO}." in preview(desk, one, other)


def test_several_merge_into_one_or_none_does(desk):
    people = [researcher("Yang Liu") for _ in range(4)]
    item = item_of(*people, kind="group", key="group:yangliu")
    together(people[0], people[3])
    page = preview(desk, people[0], people[1], people[2])
    assert page.count("1 address will redirect") == 2
    answer = desk.merge(people[0], people[1], people[3], item=item)
    assert answer.status_code == 422
    assert not MergeEvent.objects.exists()
    form = {"key": key(), "versions": versions(*people[:3])}
    for _ in range(2):
        desk.merge(people[0], people[1], people[2], item=item, **form)
    assert list(MergeEvent.objects.order_by("pk").values_list("loser", "survivor")) == [
        (people[1].pk, people[0].pk),
        (people[2].pk, people[0].pk),
    ]
    assert faults() == []


def test_what_makes_no_sense_is_refused(desk):
    one, other, _ = pair()
    desk.get("researcher_merge", status=400)
    desk.get("researcher_merge", survivor=one.pk, member=[one.pk], status=400)
    desk.get("researcher_merge", survivor="x", member=[one.pk, other.pk], status=400)
    desk.get("researcher_merge", survivor=one.pk, member=[one.pk, 999_999], status=404)
    desk.get("researcher_merge", survivor=one.pk, member=[one.pk, other.pk], candidate=999_999, status=404)
    assert desk.merge(one, other, reason="").status_code == 400
    assert desk.merge(one, other, display_name="Somebody Else").status_code == 400
    merge(other, one, desk.user)
    page = desk.get("researcher_merge", survivor=one.pk, member=[one.pk, other.pk], status=409)
    assert f"researcher {other.pk} is merged into researcher {one.pk} already." in page
    assert Assertion.objects.count() == 0


def test_the_preview_of_large_profiles_asks_no_more(desk):
    one, other, _ = pair()
    preview(desk, one, other)
    with CaptureQueriesContext(connection) as few:
        preview(desk, one, other)
    for _ in range(12):
        arrive(one)
        arrive(other)
    with CaptureQueriesContext(connection) as many:
        preview(desk, one, other)
    assert len(many) == len(few) <= 22


def test_a_person_seen_from_two_sides_is_merged_by_number_or_address(desk):
    one, other, _ = pair()
    orcid(other, "0000-0002-1825-0097")
    wanted = f"/admin/researchers/researcher/merge/?survivor={one.pk}&member={one.pk}&member={other.pk}"
    for text in (str(other.pk), f"https://papers.example.org{other.get_absolute_url()}", "0000-0002-1825-0097"):
        answer = desk.client.get(f"/admin/researchers/researcher/{one.pk}/with/", {"other": text})
        assert answer.url == wanted
    for text in ("", "nobody", str(one.pk), "999999"):
        answer = desk.client.get(f"/admin/researchers/researcher/{one.pk}/with/", {"other": text})
        assert answer.url == f"/admin/researchers/researcher/{one.pk}/change/"
    assert desk.merge(one, other).url == f"/admin/researchers/researcher/{one.pk}/change/"
