"""The queue: what it lists, leases and tells; undo of the last act; bulk."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from researchers.models import Assertion, Candidate, MergeEvent, Researcher
from tests.researchers.admin.conftest import Desk, item_of, key, pair, states
from tests.researchers.people import curator, different, merge, orcid, researcher, versions

pytestmark = pytest.mark.django_db


def listed(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'href="/admin/researchers/candidate/(\d+)/change/"', page)]


def test_the_likeliest_first_with_their_names_and_how_many_are_left(desk):
    low = pair("Low Weaver", score=0.45)[2]
    high = pair("High Weaver", score=0.9, rows_affected=7, followers=3)[2]
    pair("Gone Weaver", score=0.99)[2].__class__.objects.filter(score=0.99).update(state="closed")
    page = desk.get("candidate_changelist")
    assert listed(page) == [high.pk, low.pk]
    assert "<strong>2</strong>" in page
    assert page.index("High Weaver") < page.index("Low Weaver")
    assert "Gone Weaver" not in page


def test_the_number_of_queries_does_not_grow(desk):
    pair()
    desk.get("candidate_changelist")
    with CaptureQueriesContext(connection) as one:
        desk.get("candidate_changelist")
    for number in range(12):
        pair(f"Weaver {number}")
    people = [researcher("Yang Liu") for _ in range(8)]
    item_of(*people, kind="group", key="group:yangliu")
    with CaptureQueriesContext(connection) as many:
        desk.get("candidate_changelist")
    assert len(many) == len(one) <= 12


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"kind": "split"}, ["split"]),
        ({"score": "high"}, ["high"]),
        ({"score": "likely"}, ["split"]),
        ({"score": "low"}, ["low"]),
        ({"conflict": "yes"}, ["low"]),
        ({"papers": "many"}, ["high"]),
        ({"papers": "few"}, ["split", "low"]),
        ({"followed": "yes"}, ["low"]),
        ({"state": "snoozed"}, ["later"]),
        ({"state": "different"}, ["apart"]),
        ({"kind": "nonsense"}, ["high", "split", "low", "due"]),
    ],
)
def test_filters(desk, query, expected):
    now = timezone.now()
    items = {
        "high": pair(score=0.95, rows_affected=60)[2],
        "split": item_of(researcher(), kind="split", score=0.7),
        "low": pair(score=0.5, has_conflict=True, followers=2)[2],
        "due": pair(score=0.4, rows_affected=20)[2],
        "later": pair(score=0.3)[2],
        "apart": pair(score=0.2)[2],
    }
    Candidate.objects.filter(pk=items["due"].pk).update(state="snoozed", snoozed_until=now - dt.timedelta(hours=1))
    Candidate.objects.filter(pk=items["later"].pk).update(state="snoozed", snoozed_until=now + dt.timedelta(days=1))
    Candidate.objects.filter(pk=items["apart"].pk).update(state="different")
    wanted = [items[name].pk for name in expected]
    if query == {"score": "low"}:
        wanted.append(items["due"].pk)
    assert listed(desk.get("candidate_changelist", **query)) == wanted


def test_next_leases_the_likeliest_that_nobody_has(desk, other_desk):
    first, second = pair(score=0.9)[2], pair(score=0.8)[2]
    assert desk.post("candidate_next").url == f"/admin/researchers/candidate/{first.pk}/change/"
    assert other_desk.post("candidate_next").url == f"/admin/researchers/candidate/{second.pk}/change/"
    first.refresh_from_db()
    assert first.leased_to == desk.user
    assert dt.timedelta(minutes=9) < first.leased_until - timezone.now() <= dt.timedelta(minutes=10)
    page = desk.get("candidate_changelist")
    assert str(other_desk.user) in page
    assert f"until {first.leased_until:%H:%M} UTC" in page
    third = Desk(curator("third"))
    assert third.post("candidate_next").url == "/admin/researchers/candidate/"
    assert "others work on what is left" in third.get("candidate_changelist")


def test_next_stays_within_the_filter(desk):
    pair(score=0.9)
    split = item_of(researcher(), kind="split", score=0.5)
    assert desk.post("candidate_next", kind="split").url.endswith(f"/{split.pk}/change/")
    assert "<strong>1</strong> left with your filter" in desk.get("candidate_change", split.pk)
    answer = desk.decide(split, "not-sure")
    assert answer.url == "/admin/researchers/candidate/"
    assert "Nothing is left to review here." in desk.get("candidate_changelist")


def test_next_and_previous_step_through_and_give_the_lease_back(desk):
    items = [pair(score=score)[2] for score in (0.9, 0.8, 0.7)]
    desk.post("candidate_next")
    assert desk.decide(items[0], "next").url.endswith(f"/{items[1].pk}/change/")
    assert desk.decide(items[1], "next").url.endswith(f"/{items[2].pk}/change/")
    assert desk.decide(items[2], "next").url.endswith(f"/{items[0].pk}/change/")  # from the beginning again
    assert desk.decide(items[0], "previous").url.endswith(f"/{items[0].pk}/change/")
    assert "This is the first of them." in desk.get("candidate_change", items[0].pk)
    desk.decide(items[0], "next")
    assert desk.decide(items[1], "previous").url.endswith(f"/{items[0].pk}/change/")
    leased = Candidate.objects.filter(leased_to=desk.user).values_list("pk", flat=True)
    assert list(leased) == [items[0].pk]


def test_opening_an_item_leases_nothing(desk):
    item = pair()[2]
    desk.get("candidate_change", item.pk)
    item.refresh_from_db()
    assert item.leased_to is None


def test_a_lost_lease_is_told_on_a_page_of_its_own(desk, other_desk):
    one, other, item = pair()
    desk.post("candidate_next")
    Candidate.objects.filter(pk=item.pk).update(leased_until=timezone.now() - dt.timedelta(seconds=1))
    other_desk.post("candidate_next")
    for answer in (
        desk.decide(item, "different", one, other),
        desk.decide(item, "not-sure"),
        desk.merge(one, other, item=item),
    ):
        assert answer.status_code == 409
        assert "Somebody else works on this until" in answer.content.decode()
        assert "Nothing was changed." in answer.content.decode()
    assert not Assertion.objects.exists()
    assert not MergeEvent.objects.exists()
    assert f"{other_desk.user} works on this until" in desk.get("candidate_change", item.pk)


def test_the_last_act_is_undone_from_the_next_page_and_its_item_comes_back(desk):
    one, other, item = pair(score=0.9)
    following = pair(score=0.8)[2]
    desk.merge(one, other, item=item)
    page = desk.get("candidate_change", following.pk)
    assert f"Merged {other.pk} into {one.pk}." in page
    answer = desk.undo(candidate=following.pk)
    assert answer.url.endswith(f"/{item.pk}/change/")
    other.refresh_from_db()
    assert other.merged_into is None
    assert states([item, following]) == ["open", "open"]
    leased = Candidate.objects.filter(leased_to=desk.user).values_list("pk", flat=True)
    assert list(leased) == [item.pk]
    event = MergeEvent.objects.get(kind="undo")
    assert (event.actor, event.reason) == (desk.user, "Taken back right away")
    again = desk.undo()
    assert again.url == "/admin/researchers/candidate/"
    assert "There is nothing to take back any more." in desk.get("candidate_changelist")
    assert MergeEvent.objects.filter(kind="undo").count() == 1


def test_undo_on_a_page_that_was_left_open_takes_back_nothing_else(desk):
    one, other, item = pair(score=0.9)
    third, fourth, later = pair(score=0.8)
    desk.decide(item, "different", one, other)
    old = re.search(r'name="act"\s+value="([^"]*)"', desk.get("candidate_changelist"))[1]
    desk.decide(later, "different", third, fourth)
    desk.post("candidate_undo", act=old, key=key())
    assert Assertion.objects.filter(revoked=False).count() == 2


def test_undo_of_different_and_not_sure(desk):
    one, other, item = pair()
    desk.decide(item, "different", one, other)
    assert states([item]) == ["different"]
    desk.undo()
    assert states([item]) == ["open"]
    assert Assertion.objects.get().revoked
    desk.decide(item, "not-sure")
    assert states([item]) == ["snoozed"]
    desk.undo()
    assert states([item]) == ["open"]


def test_undo_needs_the_permission(desk):
    one, other, item = pair()
    weak = Desk(curator("weak", ["review_candidate", "merge_researcher"]))
    weak.merge(one, other, item=item)
    assert weak.undo().status_code == 403
    other.refresh_from_db()
    assert other.merged_into == one


# --- bulk ----------------------------------------------------------------------------------------------------


def bulk(desk: Desk, action: str, items: list[Candidate], **data: object):
    return desk.post("candidate_changelist", action=action, _selected_action=[item.pk for item in items], **data)


def confirmed(desk: Desk, action: str, items: list[Candidate], people: list[Researcher], **data: object):
    shown = [f"{number}:{version}" for number, version in versions(*people).items()]
    return bulk(desk, action, items, confirmed="yes", **{"version": shown, "key": key(), "reason": "so", **data})


def test_several_pairs_are_told_apart_at_once_after_a_question(desk):
    a, b, first = pair(score=0.9)
    c = researcher("Ada Weaver")
    second = item_of(a, c, score=0.8)
    people = [researcher() for _ in range(3)]
    group = item_of(*people, kind="group", key="group:x", score=0.7)
    asked = bulk(desk, "tell_apart", [first, second, group]).content.decode()
    assert "2 pairs:" in asked
    assert f"Item {group.pk}: not a pair" in asked
    assert not Assertion.objects.exists()
    # One researcher of two pairs: the version rises by the first.
    confirmed(desk, "tell_apart", [first, second], [a, b, c])
    assert set(Assertion.objects.values_list("a", "b", "reason")) == {(a.pk, b.pk, "so"), (a.pk, c.pk, "so")}
    assert states([first, second, group]) == ["different", "different", "open"]
    assert "2 pairs told apart." in desk.get("candidate_changelist")
    desk.undo()
    assert states([first, second]) == ["open", "open"]
    assert not Assertion.objects.filter(revoked=False).exists()


def test_a_stale_pair_does_not_hold_up_the_others(desk, other_desk):
    a, b, first = pair(score=0.9)
    c, d, second = pair(score=0.8)
    old = [f"{number}:{version}" for number, version in versions(a, b, c, d).items()]
    x = researcher()
    different(a, x, other_desk.user)
    confirmed(desk, "tell_apart", [first, second], [a, b, c, d], version=old)
    page = desk.get("candidate_changelist")
    assert f"Item {first.pk}: Changed since you opened this page." in page
    assert states([first, second]) == ["open", "different"]


def test_only_pairs_with_the_same_trusted_orcid_are_merged_in_bulk(desk):
    same = pair(score=0.9)
    orcid(same[0], "0000-0002-1825-0097")
    orcid(same[1], "0000-0002-1825-0097", state="claimed")
    none = pair(score=0.8)
    two = pair(score=0.7)
    orcid(two[0], "0000-0001-5109-3700")
    orcid(two[1], "0000-0002-9079-593X")
    doubted = pair(score=0.6)
    orcid(doubted[0], "0000-0003-1419-2405")
    orcid(doubted[1], "0000-0003-1419-2405", state="conflict")
    marked = pair(score=0.5, has_conflict=True)
    orcid(marked[0], "0000-0001-6187-6610")
    orcid(marked[1], "0000-0001-6187-6610", state="claimed")
    items = [one[2] for one in (same, none, two, doubted, marked)]
    asked = bulk(desk, "merge_same_orcid", items).content.decode()
    assert "1 pair:" in asked
    for place, why in ((1, "no trusted ORCID in common"), (2, "no trusted ORCID in common"),
                       (3, "an ORCID is in conflict"), (4, "an ORCID is in conflict")):  # fmt: skip
        assert f"Item {items[place].pk}: {why}" in asked
    people = [person for one in (same, none, two, doubted, marked) for person in one[:2]]
    form = {"key": key(), "version": [f"{number}:{version}" for number, version in versions(*people).items()]}
    confirmed(desk, "merge_same_orcid", items, people, **form)
    event = MergeEvent.objects.get()
    assert (event.loser, event.survivor, event.actor) == (same[1], same[0], desk.user)
    assert states(items) == ["merged", "open", "open", "open", "open"]
    Candidate.objects.filter(pk=items[0].pk).update(state="open")  # a second click before the first was answered
    confirmed(desk, "merge_same_orcid", items[:1], people, **form)
    assert MergeEvent.objects.count() == 1


def test_bulk_needs_a_reason_and_its_permission(desk):
    a, b, item = pair()
    confirmed(desk, "tell_apart", [item], [a, b], reason="  ")
    assert "Give a reason" in desk.get("candidate_changelist")
    assert not Assertion.objects.exists()
    weak = Desk(curator("weak", ["review_candidate"]))
    assert 'value="merge_same_orcid"' not in weak.get("candidate_changelist")
    orcid(a, "0000-0002-1825-0097")
    orcid(b, "0000-0002-1825-0097", state="claimed")
    confirmed(weak, "merge_same_orcid", [item], [a, b])
    assert not MergeEvent.objects.exists()


def test_what_another_works_on_is_left_out(desk, other_desk):
    a, b, item = pair()
    other_desk.post("candidate_next")
    assert f"Item {item.pk}: somebody else works on it" in bulk(desk, "tell_apart", [item]).content.decode()
    confirmed(desk, "tell_apart", [item], [a, b])
    assert not Assertion.objects.exists()


def test_an_event_of_another_is_in_their_banner_only(desk, other_desk):
    one, other, _ = pair()
    merge(other, one, other_desk.user)
    assert "Undo" not in desk.get("candidate_changelist")


@pytest.mark.parametrize("ticked", ["", "x", "\x00", "<b>1</b>", "9" * 5000])
@pytest.mark.parametrize("action", ["tell_apart", "merge_same_orcid"])
def test_rows_that_are_no_numbers_are_refused(desk, action, ticked):
    item = pair()[2]
    answer = desk.post("candidate_changelist", action=action, _selected_action=[item.pk, ticked])
    assert answer.status_code == 400
