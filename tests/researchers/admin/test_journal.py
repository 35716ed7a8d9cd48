"""The history and its undo; proposals; what was said; readers' objections."""

from __future__ import annotations

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext

from researchers.models import Assertion, Candidate, Contest, Decision, MergeEvent, MergeProposal, ResearcherName
from researchers.services.decisions import decide_is, decide_is_not
from tests.researchers.admin.conftest import Desk, key, pair, states
from tests.researchers.people import (
    arrive,
    curator,
    different,
    faults,
    merge,
    orcid,
    paper,
    papers_of,
    place,
    researcher,
    shown,
    split,
    undo,
    versions,
)

pytestmark = pytest.mark.django_db


def flat(page: str) -> str:
    return " ".join(page.split())


def listed(page: str, model: str = "mergeevent") -> list[int]:
    found = re.findall(rf'href="/admin/researchers/{model}/(\d+)/change/[^"]*"', page)
    return list(dict.fromkeys(map(int, found)))


def take_back(desk: Desk, event: MergeEvent, **data: object):
    return desk.post("mergeevent_undo", event.pk, **{"key": key(), "reason": "a mistake", **data})


# --- history -------------------------------------------------------------------------------------------------


def test_the_journal_by_curator_kind_state_and_researcher(desk, other_desk):
    one, other, _ = pair()
    third, fourth, _ = pair()
    first = merge(other, one, desk.user).event
    second = merge(fourth, third, other_desk.user).event
    third_event = undo(first, desk.user).event
    assert listed(desk.get("mergeevent_changelist")) == [third_event.pk, second.pk, first.pk]
    assert listed(desk.get("mergeevent_changelist", actor=other_desk.user.pk)) == [second.pk]
    assert listed(desk.get("mergeevent_changelist", kind__exact="undo")) == [third_event.pk]
    assert listed(desk.get("mergeevent_changelist", live="yes")) == [second.pk]
    assert listed(desk.get("mergeevent_changelist", live="no")) == [first.pk], "an undo is neither"
    assert listed(desk.get("mergeevent_changelist", q=str(fourth.pk))) == [second.pk]
    assert listed(desk.get("mergeevent_changelist", q=third.get_absolute_url())) == [second.pk]
    assert listed(desk.get("mergeevent_changelist", q="nobody")) == []
    page = desk.get("mergeevent_changelist")
    assert f"Undid event {first.pk}, of {other.pk} and {one.pk}" in page
    assert f"Merged {fourth.pk} into {third.pk}" in page


def test_lists_are_called_as_their_tabs_are(desk):
    one, other, _ = pair()
    merge(other, one, desk.user)
    page = flat(desk.get("mergeevent_changelist"))
    menu = re.findall(r'<a href="/admin/researchers/(\w+)/"[^>]*>([^<]+)</a></th>', page.replace("> <", "><"))
    menu = {model: label.strip() for model, label in menu}
    assert menu == {
        "assertion": "Same or different",
        "candidate": "Queue",
        "contest": "Contests",
        "decision": "Single papers",
        "mergeevent": "History",
        "mergeproposal": "Proposals",
        "researcher": "Researchers",
    }
    assert "By state" in page
    assert "By live" not in page
    assert "Actor" not in page
    assert f'<td class="field-by">{desk.user}</td>' in page


def test_the_journal_asks_no_more_with_more_rows(desk):
    one, other, _ = pair()
    merge(other, one, desk.user)
    desk.get("mergeevent_changelist")
    with CaptureQueriesContext(connection) as few:
        desk.get("mergeevent_changelist")
    for _ in range(4):
        merge(researcher(), one, curator())
    with CaptureQueriesContext(connection) as many:
        desk.get("mergeevent_changelist")
    assert len(few) == len(many) <= 12


def test_an_event_tells_what_its_undo_would_do(desk):
    one, other, item = pair()
    ResearcherName.objects.create(researcher=other, value="Ada M. Weaver")
    event = merge(other, one, desk.user, display_name="Ada M. Weaver").event
    late = arrive(other)
    page = flat(desk.get("mergeevent_change", event.pk))
    assert "1 researcher gets their own page and papers back." in page
    assert "The display name goes back to “Ada Weaver”." in page
    assert "1 paper came in since and will be attributed anew:" in page
    assert f'<a href="/papers/{late.paper_id}">' in page
    answer = take_back(desk, event, version=[f"{one.pk}:2"])
    assert answer.url == f"/admin/researchers/mergeevent/{event.pk}/change/"
    page = flat(desk.get("mergeevent_change", event.pk))
    assert "1 paper that came in since will be attributed anew." in page
    assert "undone" in page
    assert shown(late) == other.pk
    assert states([item]) == ["open"]
    assert faults() == []


def test_a_name_hidden_since_is_not_in_the_history(desk):
    one, other, _ = pair()
    ResearcherName.objects.create(researcher=other, value="Adam Weaver")
    event = merge(other, one, desk.user, display_name="Adam Weaver").event
    desk.post("researcher_hide_name", one.pk, name="Adam Weaver", reason="a former name")
    page = flat(desk.get("mergeevent_change", event.pk))
    assert "Adam" not in page
    assert "Ada Weaver → (former name)" in page


def test_the_undo_of_a_split_and_what_stays(desk):
    one = researcher()
    places = [arrive(one), arrive(one)]
    event = split(one, places, desk.user)
    decide_is_not(authorship=places[0].pk, researcher=event.survivor_id, actor=desk.user, reason="neither")
    page = flat(desk.get("mergeevent_change", event.pk))
    assert "2 papers go back, except what was decided again since." in page
    assert page.count('<a href="/papers/') == 2
    take_back(desk, event)
    page = flat(desk.get("mergeevent_change", event.pk))
    assert "1 went back. 1 stayed: its author is gone from the paper." in page
    assert shown(places[1]) == one.pk


def test_undoing_twice_late_or_with_a_stale_page(desk):
    one, other, _ = pair()
    event = merge(other, one, desk.user).event
    assert take_back(desk, event, version=[f"{one.pk}:1"]).status_code == 409
    assert take_back(desk, event, reason="").status_code == 400
    form = {"key": key()}
    assert take_back(desk, event, **form).status_code == 302
    assert take_back(desk, event, **form).status_code == 302
    assert MergeEvent.objects.filter(kind="undo").count() == 1
    refused = take_back(desk, event)
    assert refused.status_code == 409
    assert "undone this already" in refused.content.decode()
    assert take_back(desk, MergeEvent.objects.get(kind="undo")).status_code == 409
    desk.get("mergeevent_change", 999_999, status=404)
    assert "Undo it" not in desk.get("mergeevent_change", event.pk)


def test_anybodys_needs_a_permission_of_its_own(desk):
    one, other, _ = pair()
    event = merge(other, one, desk.user).event
    weak = Desk(curator("weak", ["review_candidate", "undo_own_event", "merge_researcher"]))
    assert "may undo only what it did itself" in weak.get("mergeevent_change", event.pk)
    assert take_back(weak, event).status_code == 403
    own = merge(researcher(), one, weak.user).event
    assert take_back(weak, own).status_code == 302
    assert take_back(desk, event).status_code == 302


# --- a second curator ----------------------------------------------------------------------------------------


@pytest.fixture
def proposed(desk):
    one, other, item = pair()
    orcid(one, "0000-0002-1825-0097")
    orcid(other, "0000-0001-5109-3700")
    desk.merge(one, other, item=item)
    return one, other, MergeProposal.objects.get()


def answer(desk: Desk, proposal: MergeProposal, what: str, *people, **data: object):
    shown = [f"{number}:{version}" for number, version in versions(*people).items()]
    return desk.post("mergeproposal_answer", proposal.pk, **{"answer": what, "version": shown, **data})


def test_a_second_curator_confirms(desk, other_desk, proposed):
    one, other, proposal = proposed
    assert listed(other_desk.get("mergeproposal_changelist"), "mergeproposal") == [proposal.pk]
    page = flat(other_desk.get("mergeproposal_change", proposal.pk))
    assert "They have different trusted ORCIDs" in page
    assert 'value="confirm"' in page
    assert answer(other_desk, proposal, "confirm", one, other).status_code == 302
    event = MergeEvent.objects.get()
    assert (event.loser, event.survivor, event.actor, event.confirmed_by) == (other, one, desk.user, other_desk.user)
    assert listed(other_desk.get("mergeproposal_changelist"), "mergeproposal") == []
    assert listed(other_desk.get("mergeproposal_changelist", state="confirmed"), "mergeproposal") == [proposal.pk]
    assert answer(other_desk, proposal, "confirm", one, other).status_code == 302
    assert MergeEvent.objects.count() == 1
    assert "as the second curator" in other_desk.get("candidate_changelist")


def test_not_the_one_who_proposed(desk, proposed):
    one, other, proposal = proposed
    page = flat(desk.get("mergeproposal_change", proposal.pk))
    assert 'value="confirm"' not in page
    assert "Withdraw" in page
    refused = answer(desk, proposal, "confirm", one, other)
    assert refused.status_code == 403
    assert "Somebody else must confirm what you proposed." in refused.content.decode()
    assert not MergeEvent.objects.exists()


def test_a_proposal_is_rejected_with_a_reason(other_desk, proposed):
    one, other, proposal = proposed
    assert answer(other_desk, proposal, "reject", one, other).status_code == 400
    answer(other_desk, proposal, "reject", one, other, reason="two people at two places")
    proposal.refresh_from_db()
    assert Candidate.objects.get().state == "open"
    assert (proposal.state, proposal.decided_by, proposal.answer) == (
        "rejected", other_desk.user, "two people at two places",
    )  # fmt: skip
    late = answer(other_desk, proposal, "confirm", one, other)
    assert late.status_code == 409
    assert "rejected already" in late.content.decode()


def test_a_proposal_that_went_stale_is_not_confirmed_unseen(desk, other_desk, proposed):
    one, other, proposal = proposed
    old = [f"{number}:{version}" for number, version in versions(one, other).items()]
    merge(researcher(), one, desk.user)
    assert answer(other_desk, proposal, "confirm", version=old).status_code == 409
    merge(other, researcher(), desk.user)
    assert "It cannot be confirmed any more" in other_desk.get("mergeproposal_change", proposal.pk)


# --- what was said -------------------------------------------------------------------------------------------


def test_assertions_are_listed_and_taken_back(desk):
    one, other, item = pair()
    apart = different(one, other, desk.user)
    assert listed(desk.get("assertion_changelist"), "assertion") == [apart.pk]
    assert listed(desk.get("assertion_changelist", q=str(other.pk)), "assertion") == [apart.pk]
    assert listed(desk.get("assertion_changelist", q=str(researcher().pk)), "assertion") == []
    page = flat(desk.get("assertion_change", apart.pk))
    assert "two faces" in page
    assert desk.post("assertion_revoke", apart.pk, reason="").status_code == 400
    desk.post("assertion_revoke", apart.pk, reason="one face after all")
    apart.refresh_from_db()
    assert (apart.revoked, apart.revoked_by) == (True, desk.user)
    assert states([item]) == ["open"]
    assert listed(desk.get("assertion_changelist"), "assertion") == []
    assert listed(desk.get("assertion_changelist", revoked="yes"), "assertion") == [apart.pk]
    assert "Take it back" not in desk.get("assertion_change", apart.pk)


def test_anothers_assertion_needs_the_permission_to_override(desk):
    one, other, _ = pair()
    apart = different(one, other, desk.user)
    weak = Desk(curator("weak", ["review_candidate", "undo_own_event"]))
    assert "Take it back" not in weak.get("assertion_change", apart.pk)
    assert weak.post("assertion_revoke", apart.pk, reason="no").status_code == 403
    own = different(one, researcher(), weak.user)
    assert weak.post("assertion_revoke", own.pk, reason="my mistake").status_code == 302
    assert list(Assertion.objects.filter(revoked=True)) == [own]


def test_decisions_are_listed_and_taken_back(desk):
    one = researcher()
    at = arrive(one)
    decision = decide_is(authorship=at.pk, researcher=one.pk, actor=desk.user, reason="her home page says so")
    page = desk.get("decision_changelist", q=str(one.pk))
    assert listed(page, "decision") == [decision.pk]
    assert f"Author {at.pk} of paper {at.paper_id} is researcher {one.pk}" in page
    weak = Desk(curator("weak", ["review_candidate", "split_researcher"]))
    assert weak.post("decision_revoke", decision.pk, reason="no").status_code == 403
    assert desk.post("decision_revoke", decision.pk, reason="an old page").status_code == 302
    decision.refresh_from_db()
    assert decision.revoked
    assert desk.post("decision_revoke", 999_999, reason="no").status_code == 409
    desk.get("decision_change", 999_999, status=404)


# --- readers' objections -------------------------------------------------------------------------------------


def contest(at, attributed=None, claimed=None) -> Contest:
    return Contest.objects.create(
        user=curator("reader", []), authorship=at, paper_id=at.paper_id, printed_name=at.name, attributed=attributed,
        claimed=claimed, reason="I know her: this is not her paper",
    )  # fmt: skip


def test_an_objection_is_accepted(desk):
    one, other = researcher(), researcher("Ada B. Weaver")
    not_her, is_her = arrive(one), arrive(one)
    first, second = contest(not_her, one), contest(is_her, one, other)
    assert listed(desk.get("contest_changelist"), "contest") == [first.pk, second.pk]
    page = flat(desk.get("contest_change", second.pk))
    assert "I know her: this is not her paper" in page
    assert "Ada B. Weaver" in page
    for one_of_them in (first, second):
        assert desk.post("contest_answer", one_of_them.pk, answer="accept", reason="you are right").status_code == 302
    assert shown(not_her) is None
    assert shown(is_her) == other.pk
    decisions = Decision.objects.order_by("pk").values_list("authorship", "researcher", "verdict", "by", "reason")
    assert list(decisions) == [
        (not_her.pk, one.pk, "is_not", desk.user.pk, "you are right"),
        (is_her.pk, other.pk, "is", desk.user.pk, "you are right"),
    ]
    first.refresh_from_db()
    assert (first.state, first.handled_by, first.answer) == ("accepted", desk.user, "you are right")
    assert listed(desk.get("contest_changelist"), "contest") == []
    assert listed(desk.get("contest_changelist", state="accepted"), "contest") == [first.pk, second.pk]
    again = desk.post("contest_answer", first.pk, answer="decline", reason="no")
    assert again.status_code == 409
    assert "accepted already" in again.content.decode()
    assert faults() == []


def test_an_objection_is_declined_and_nothing_changes(desk):
    one = researcher()
    at = arrive(one)
    objection = contest(at, one)
    assert desk.post("contest_answer", objection.pk, answer="decline", reason="").status_code == 400
    desk.post("contest_answer", objection.pk, answer="decline", reason="the ORCID is hers")
    objection.refresh_from_db()
    assert (objection.state, objection.answer) == ("declined", "the ORCID is hers")
    assert shown(at) == one.pk
    assert not Decision.objects.exists()
    assert not LogEntry.objects.exists()


def test_what_cannot_be_accepted(desk):
    one, other = researcher(), researcher()
    made = paper("A. Weaver", "B. Weaver")
    at = arrive(one, place(made, 1))
    arrive(other, place(made, 2))
    objection = contest(at, one, other)
    refused = desk.post("contest_answer", objection.pk, answer="accept", reason="yes")
    assert refused.status_code == 409
    assert "stand on this paper already" in refused.content.decode()
    objection.refresh_from_db()
    assert objection.state == "open"
    assert papers_of(one) == {made.pk}
    weak = Desk(curator("weak", ["review_candidate"]))
    assert "Accept" not in weak.get("contest_change", objection.pk)
    assert weak.post("contest_answer", objection.pk, answer="accept", reason="yes").status_code == 403
    Contest.objects.filter(pk=objection.pk).update(authorship=None)
    gone = desk.post("contest_answer", objection.pk, answer="accept", reason="yes")
    assert gone.status_code == 409
    assert "The author left the paper" in gone.content.decode()
    assert desk.post("contest_answer", 999_999, answer="accept", reason="yes").status_code == 409
    desk.get("contest_change", 999_999, status=404)


def test_what_somebody_else_decided_is_in_the_way_of_those_who_may_not_override(desk):
    one, other = researcher(), researcher("Ada B. Weaver")
    at = arrive(one)
    decision = decide_is(authorship=at.pk, researcher=one.pk, actor=desk.user, reason="her home page says so")
    objection = contest(at, one, other)
    weak = Desk(curator("weak", ["review_candidate", "split_researcher"]))
    note = f"Decision {decision.pk}</a> (is researcher {one.pk}) was taken by somebody else."
    pages = (("researcher_authorship", one.pk, at.pk), ("contest_change", objection.pk))
    for page in pages:
        assert note in flat(weak.get(*page))
        assert "taken by somebody else" not in desk.get(*page)
    for answer in (
        weak.post("contest_answer", objection.pk, answer="accept", reason="you are right"),
        weak.post("researcher_authorship", one.pk, at.pk, answer="is-not", reason="no"),
        weak.post("researcher_authorship", one.pk, at.pk, answer="is", other=str(other.pk), reason="no"),
    ):
        assert answer.status_code == 403
        assert f"Your account may not go against decision {decision.pk} " in answer.content.decode()
    assert list(Decision.objects.filter(revoked=False)) == [decision]
    assert shown(at) == one.pk
    assert weak.post("contest_answer", objection.pk, answer="decline", reason="no").status_code == 302


def test_one_s_own_decision_is_taken_back_by_whoever_may_split():
    weak = Desk(curator("weak", ["review_candidate", "split_researcher"]))
    one = researcher()
    decision = decide_is(authorship=arrive(one).pk, researcher=one.pk, actor=weak.user, reason="hers")
    assert "Take it back" in weak.get("decision_change", decision.pk)
    assert "Take it back" not in Desk(curator("other", ["review_candidate", "split_researcher"])).get(
        "decision_change", decision.pk
    )
    assert weak.post("decision_revoke", decision.pk, reason="my mistake").status_code == 302
    assert not Decision.objects.filter(revoked=False).exists()
