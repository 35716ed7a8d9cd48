"""Many told apart at once, assertions taken back together, items closed and put back."""

from __future__ import annotations

import datetime as dt
import itertools

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from researchers.merging import ADAPTER
from researchers.models import Assertion, Candidate, Researcher
from researchers.services.merging import declare_all_different, revoke_assertion, revoke_assertions
from tests.researchers.people import curator, different, merge, researcher, undo, versions
from wovepaper.curation.services import (
    CandidateDraft,
    Conflict,
    LeaseLost,
    NotMergeable,
    NotPermitted,
    ReasonMissing,
    close,
    declare_same,
    file_candidates,
    lease,
    wake,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [researcher("Yang Liu") for _ in range(4)]


def apart(people, actor, **options):
    given = {"actor": actor, "reason": "four faces", "versions": versions(*people)} | options
    return declare_all_different(researchers=[one.pk for one in people], **given)


def item(*people, kind="pair", key="") -> Candidate:
    draft = CandidateDraft(members=tuple(one.pk for one in people), kind=kind, key=key, score=0.7)
    file_candidates(ADAPTER, [draft])
    return Candidate.objects.get(key=draft.identity)


def test_no_two_of_them_are_one(people, someone):
    made = apart(people, someone)
    pairs = [(one.pk, other.pk) for one, other in itertools.combinations(people, 2)]
    assert [(row.a_id, row.b_id) for row in made] == pairs
    assert set(Assertion.objects.values_list("kind", "reason", "by")) == {("different", "four faces", someone.pk)}
    assert set(Researcher.objects.values_list("version", flat=True)) == {2}
    assert LogEntry.objects.count() == 4
    message = LogEntry.objects.get(object_id=str(people[0].pk)).change_message
    assert message == f"Not the same as {', '.join(f'researcher {one.pk}' for one in people[1:])}: four faces"


def test_the_number_of_queries_does_not_grow_with_the_pairs(someone):
    def count(number: int) -> int:
        crowd = [researcher("Yang Liu") for _ in range(number)]
        seen = versions(*crowd)
        apart([researcher(), researcher()], someone)
        with CaptureQueriesContext(connection) as captured:
            declare_all_different(researchers=[one.pk for one in crowd], actor=someone, reason="so", versions=seen)
        return len(captured) - 2 * number  # the trusted ids and the label of each

    assert count(12) <= count(3) <= 20


def test_what_was_said_before_is_said_once(people, someone):
    different(people[0], people[1], someone)
    assert len(apart(people, someone)) == 5
    assert apart(people, someone, versions={}) == []
    assert Assertion.objects.count() == 6
    assert sorted(Researcher.objects.values_list("version", flat=True)) == [2, 2, 3, 3]


def test_what_forbids_it(people, someone):
    with pytest.raises(ReasonMissing):
        apart(people, someone, reason=" ")
    with pytest.raises(NotPermitted):
        apart(people, curator("weak", ["merge_researcher"]))
    with pytest.raises(Conflict):
        apart(people, someone, versions={one.pk: 1 for one in people[:3]})
    declare_same(ADAPTER, a=people[0].pk, b=people[1].pk, actor=someone, reason="one", versions=versions(*people))
    with pytest.raises(NotMergeable, match="An earlier decision says: "):
        apart(people, someone)
    merge(people[3], people[2], someone)
    with pytest.raises(NotMergeable, match="is merged into"):
        apart(people[2:], someone)
    assert not Assertion.objects.filter(kind="different").exists()


def test_their_pairs_close_and_open_again(people, someone):
    pairs = [item(one, other) for one, other in itertools.combinations(people, 2)]
    outside = item(people[0], researcher())
    made = apart(people, someone)
    assert set(Candidate.objects.exclude(pk=outside.pk).values_list("state", flat=True)) == {"different"}
    revoke_assertions(assertions=[row.pk for row in made], actor=someone, reason="a mistake")
    assert set(Candidate.objects.filter(pk__in=[one.pk for one in pairs]).values_list("state", "closed_at")) == {
        ("open", None)
    }
    assert not Assertion.objects.filter(revoked=False).exists()
    assert set(Researcher.objects.filter(pk__in=[one.pk for one in people]).values_list("version", flat=True)) == {3}


def test_one_is_taken_back_by_who_said_it_or_with_the_permission(people, someone):
    weak = curator("weak", ["review_candidate", "undo_own_event"])
    own, other = different(people[0], people[1], weak), different(people[2], people[3], someone)
    with pytest.raises(NotPermitted):
        revoke_assertion(assertion=other.pk, actor=weak, reason="no")
    with pytest.raises(NotPermitted):
        revoke_assertions(assertions=[own.pk, other.pk], actor=weak, reason="no")
    assert not Assertion.objects.filter(revoked=True).exists()
    revoke_assertion(assertion=own.pk, actor=weak, reason="my mistake")
    assert list(Assertion.objects.filter(revoked=True)) == [own]
    with pytest.raises(NotPermitted):
        revoke_assertion(assertion=own.pk, actor=curator("none", ["review_candidate"]), reason="no")
    with pytest.raises(NotMergeable, match="There is no assertion 999999"):
        revoke_assertion(assertion=999_999, actor=someone, reason="no")


def test_an_assertion_that_a_merge_overrode_stays_revoked_once_taken_back(people, someone):
    row = different(people[0], people[1], someone)
    event = merge(people[1], people[0], someone, override=True).event
    revoke_assertion(assertion=row.pk, actor=someone, reason="one after all")
    undo(event, someone)
    row.refresh_from_db()
    assert row.revoked


def test_a_group_told_apart_stays_closed_until_somebody_joins(people, someone):
    group = item(*people, kind="group", key="group:yangliu")
    close(ADAPTER, candidate=group.pk, actor=someone, state="different")
    assert item(*people[:3], kind="group", key="group:yangliu").state == "different"
    assert item(*people, researcher(), kind="group", key="group:yangliu").state == "open"


def test_items_are_closed_and_put_back(people, someone):
    one = item(people[0], kind="split")
    lease(ADAPTER, candidate=one.pk, actor=someone)
    closed = close(ADAPTER, candidate=one.pk, actor=someone)
    assert (closed.state, closed.leased_to, closed.closed_at is not None) == ("closed", None, True)
    assert item(people[0], kind="split").state == "closed"
    woken = wake(ADAPTER, candidate=one.pk, actor=someone)
    assert (woken.state, woken.closed_at, woken.snoozed_until) == ("open", None, None)


def test_nobody_closes_or_wakes_what_another_works_on(people, someone, another):
    one = item(people[0], kind="split")
    lease(ADAPTER, candidate=one.pk, actor=another)
    for act in (close, wake):
        with pytest.raises(LeaseLost):
            act(ADAPTER, candidate=one.pk, actor=someone)
        with pytest.raises(NotPermitted):
            act(ADAPTER, candidate=one.pk, actor=curator("weak", []))
        with pytest.raises(LeaseLost, match="There is no candidate"):
            act(ADAPTER, candidate=999_999, actor=someone)
    Candidate.objects.filter(pk=one.pk).update(leased_until=timezone.now() - dt.timedelta(seconds=1))
    assert close(ADAPTER, candidate=one.pk, actor=someone).state == "closed"
