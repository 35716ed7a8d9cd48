"""Merging, splitting and undoing: what is refused, recorded, counted, enqueued."""

from __future__ import annotations

import datetime as dt
from io import StringIO

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from papers.models import Authorship
from researchers.merging import ADAPTER
from researchers.models import (
    Assertion,
    Attribution,
    Candidate,
    Decision,
    MergeEvent,
    MergeProposal,
    Researcher,
    ResearcherIdentifier,
    ResearcherName,
)
from researchers.services.attributions import AttributionDraft, NewResearcher, create_researchers, write_attributions
from researchers.services.decisions import decide_is, decide_is_not, mark_claimed, revoke_decision
from researchers.services.errors import DecisionRefused, NameRefused
from researchers.services.merging import confirm_merge, events_of, plan_merge, plan_undo, reject_merge
from researchers.services.names import hide_former_name
from tests.researchers.conftest import Waiting
from tests.researchers.people import (
    CODENAMES,
    arrive,
    curator,
    different,
    faults,
    give,
    merge,
    paper,
    papers_of,
    place,
    researcher,
    shown,
    split,
    undo,
    versions,
)
from wovepaper.curation import queue
from wovepaper.curation.services import (
    AlreadyDecided,
    AlreadyUndone,
    Blocked,
    CandidateDraft,
    ChoiceRefused,
    Conflict,
    KeyReused,
    LeaseLost,
    NotMergeable,
    NotPermitted,
    ReasonMissing,
    file_candidates,
    lease,
    lease_next,
    moved_permanently,
    release,
    resolve,
    snooze,
)

pytestmark = pytest.mark.django_db


def orcid(person: Researcher, value: str, state: str = "trusted") -> None:
    ResearcherIdentifier.objects.create(researcher=person, scheme="orcid", value=value, state=state)


class TestMerge:
    def test_what_it_writes(self, someone: User, waiting: Waiting) -> None:
        a, b = researcher("Ada Weaver"), researcher("A. Weaver")
        ours = [arrive(a), arrive(a)]
        theirs = arrive(b)
        orcid(b, "0000-0002-1825-0097")
        waiting.clear()
        event = merge(a, b, someone, display_name="Ada Weaver", key="k").event
        assert (event.kind, event.live, event.loser_id, event.survivor_id) == ("merge", True, a.pk, b.pk)
        assert (event.actor, event.confirmed_by, event.reason) == (someone, None, "the same face")
        assert event.field_changes == {"display_name": {"before": "A. Weaver", "after": "Ada Weaver"}}
        assert event.versions_seen == {str(a.pk): 1, str(b.pk): 1}
        assert event.versions_after == {str(a.pk): 2, str(b.pk): 2}
        assert event.subjects == [a.pk, b.pk]
        assert event.evidence == {
            "loser": {"members": [a.pk], "papers": 2, "trusted_ids": []},
            "survivor": {"members": [b.pk], "papers": 1, "trusted_ids": ["orcid:0000-0002-1825-0097"]},
            "papers_of_both": [],
        }
        b.refresh_from_db()
        assert (b.display_name, b.slug, b.paper_count) == ("Ada Weaver", "ada-weaver", 3)
        assert papers_of(b) == {at.paper_id for at in [*ours, theirs]}
        # Bases stay; the papers that moved and both researchers wait for the index, for nothing before it.
        assert set(Attribution.objects.values_list("base", flat=True)) == {a.pk, b.pk}
        assert waiting.at("index", "paper") == {at.paper_id for at in ours}
        assert waiting.at("index", "researcher") == {a.pk, b.pk}
        assert waiting.at("attribute", "paper") == set()
        log = {int(entry.object_id): (entry.user, entry.object_repr) for entry in LogEntry.objects.all()}
        assert log == {a.pk: (someone, f"researcher {a.pk}"), b.pk: (someone, f"researcher {b.pk}")}

    def test_the_same_request_is_one_event_and_its_key_serves_no_other(self, someone: User) -> None:
        a, b, c = researcher(), researcher(), researcher()
        seen = versions(a, b)
        first = merge(a, b, someone, versions=seen, key="k")
        again = merge(a, b, someone, versions=seen, key="k")
        assert (first.repeated, again.repeated, again.event) == (False, True, first.event)
        with pytest.raises(KeyReused):
            merge(a, c, someone, key="k")
        with pytest.raises(KeyReused):
            merge(b, c, someone, key="")
        assert MergeEvent.objects.count() == 1

    def test_what_is_refused(self, someone: User) -> None:
        a, b, c = researcher(), researcher(), researcher()
        with pytest.raises(ReasonMissing):
            merge(a, b, someone, reason="  ")
        with pytest.raises(NotMergeable, match="two different"):
            merge(a, a, someone)
        with pytest.raises(NotMergeable, match="no number"):
            merge(a, Researcher(pk=10**9), someone)
        with pytest.raises(Conflict):
            merge(a, b, someone, versions={a.pk: 1})
        with pytest.raises(ChoiceRefused):
            merge(a, b, someone, display_name="Somebody Else")
        merge(a, b, someone)
        with pytest.raises(NotMergeable, match=f"researcher {a.pk} is merged into researcher {b.pk} already"):
            merge(a, c, someone)
        Researcher.objects.filter(pk=c.pk).update(erased_at=timezone.now())
        with pytest.raises(Blocked, match="was erased"):
            merge(b, c, someone, override=True)
        assert MergeEvent.objects.count() == 1

    def test_papers_that_list_both_block_and_are_named(self, someone: User) -> None:
        a, b = researcher(), researcher()
        work = paper("A. Weaver", "Ada Weaver")
        arrive(a, place(work, 1)), arrive(b, place(work, 2))
        with pytest.raises(Blocked) as caught:
            merge(a, b, someone, override=True)
        assert [(one.code, one.references) for one in caught.value.obstacles] == [("both-on-paper", (work.pk,))]
        assert plan_merge(loser=a.pk, survivor=b.pk).obstacles == caught.value.obstacles

    def test_an_override_needs_a_permission_and_its_undo_reinstates(self, someone: User) -> None:
        lesser = curator("lesser", [name for name in CODENAMES if name != "override_difference"])
        a, b = researcher(), researcher()
        assertion = different(a, b, someone)
        with pytest.raises(NotPermitted, match="override"):
            merge(a, b, lesser, override=True)
        event = merge(a, b, someone, override=True).event
        assertion.refresh_from_db()
        assert (assertion.revoked, assertion.revoked_by_event) == (True, event)
        day = f"{assertion.created_at:%Y-%m-%d}"
        told = f"researcher {a.pk} and researcher {b.pk} were declared different on {day} (assertion {assertion.pk})"
        assert event.evidence["overridden"] == [f"{told}: two faces"]
        undo(event, someone)
        assertion.refresh_from_db()
        assert (assertion.revoked, assertion.revoked_by_event) == (False, None)
        with pytest.raises(Blocked):
            merge(a, b, someone)

    def test_an_assertion_stays_lifted_while_its_ends_are_one_by_another_way(self, someone: User) -> None:
        a, b, c = researcher(), researcher(), researcher()
        assertion = different(c, b, someone)
        inner = merge(c, a, someone).event
        over = merge(a, b, someone, override=True).event
        undo(inner, someone)
        # Lifted by a merge in force, it forbids nothing.
        direct = merge(c, b, someone).event
        undo(over, someone)
        assert Assertion.objects.get(pk=assertion.pk).revoked is True
        assert faults() == []
        undo(direct, someone)
        assert Assertion.objects.get(pk=assertion.pk).revoked is False
        assert faults() == []

    @pytest.mark.parametrize("missing", ["merge_researcher", "review_candidate", "split_researcher"])
    def test_permissions(self, someone: User, missing: str) -> None:
        lesser = curator("lesser", [name for name in CODENAMES if name != missing])
        a, b = researcher(), researcher()
        at = arrive(a)
        attempts = {
            "merge_researcher": lambda: merge(a, b, lesser),
            "review_candidate": lambda: different(a, b, lesser),
            "split_researcher": lambda: split(a, [at], lesser),
        }
        with pytest.raises(NotPermitted, match=f"researchers.{missing}"):
            attempts[missing]()
        assert versions(a, b) == {a.pk: 1, b.pk: 1}


class TestSecondCurator:
    def test_two_orcids_need_a_second_who_is_not_the_first(self, someone: User, another: User) -> None:
        a, b = researcher(), researcher()
        orcid(a, "0000-0002-1825-0097"), orcid(b, "0000-0001-5109-3700")
        outcome = merge(a, b, someone, key="k")
        assert outcome.event is None
        proposal = outcome.proposal
        assert proposal.causes == [
            "They have different trusted ORCIDs: orcid:0000-0001-5109-3700, orcid:0000-0002-1825-0097."
        ]
        again = merge(a, b, someone, key="k")
        assert (again.proposal, again.repeated) == (proposal, True)
        assert merge(a, b, another).proposal == proposal
        assert not MergeEvent.objects.exists()
        with pytest.raises(NotPermitted, match="Somebody else"):
            confirm_merge(proposal=proposal.pk, actor=someone, versions=versions(a, b))
        with pytest.raises(NotPermitted):
            confirm_merge(proposal=proposal.pk, actor=curator("nobody", []), versions=versions(a, b))
        with pytest.raises(Conflict):
            confirm_merge(proposal=proposal.pk, actor=another, versions={a.pk: 1, b.pk: 9})
        event = confirm_merge(proposal=proposal.pk, actor=another, versions=versions(a, b)).event
        assert (event.actor, event.confirmed_by) == (someone, another)
        assert confirm_merge(proposal=proposal.pk, actor=another, versions={}).event == event
        assert merge(a, b, someone, key="k").event == event
        assert MergeProposal.objects.get().state == "confirmed"
        with pytest.raises(AlreadyDecided):
            reject_merge(proposal=proposal.pk, actor=someone, answer="no")

    def test_a_claimed_profile_and_more_than_200_papers(self, someone: User) -> None:
        a, b = researcher(), researcher()
        mark_claimed(researcher=b.pk)
        assert merge(a, b, someone).proposal.causes == [f"researcher {b.pk} is claimed by the person."]
        c, d = researcher(), researcher()
        for _ in range(200):
            arrive(c)
        assert plan_merge(loser=c.pk, survivor=d.pk).second_curator_causes == ()
        arrive(c)
        assert plan_merge(loser=c.pk, survivor=d.pk).second_curator_causes == ("201 papers move, more than 200.",)
        assert plan_merge(loser=d.pk, survivor=c.pk).second_curator_causes == ()

    def test_rejected_it_can_be_proposed_anew(self, someone: User, another: User) -> None:
        a, b = researcher(), researcher(claimed_at=timezone.now())
        first = merge(a, b, someone).proposal
        reject_merge(proposal=first.pk, actor=another, answer="look again")
        with pytest.raises(AlreadyDecided):
            confirm_merge(proposal=first.pk, actor=another, versions=versions(a, b))
        assert merge(a, b, someone).proposal.pk != first.pk


class TestUndo:
    def test_own_and_any(self, someone: User) -> None:
        own = curator("own", ["merge_researcher", "undo_own_event"])
        a, b = researcher(), researcher()
        event = merge(a, b, someone).event
        with pytest.raises(NotPermitted):
            undo(event, own)
        undo(event, someone)
        event = merge(a, b, own).event
        undo(event, own)
        with pytest.raises(AlreadyUndone):
            undo(event, own)
        with pytest.raises(AlreadyUndone):
            plan_undo(event=event.pk)
        with pytest.raises(NotMergeable):
            undo(MergeEvent.objects.filter(kind="undo").first(), own)

    def test_a_field_goes_back_only_if_it_holds_what_the_merge_wrote(self, someone: User) -> None:
        a, b, c = researcher("Ada"), researcher("Beda"), researcher("Ceda")
        first = merge(a, c, someone, display_name="Ada").event
        second = merge(b, c, someone, display_name="Beda").event
        assert plan_undo(event=first.pk).fields.kept == ("display_name",)
        undo(first, someone)
        assert Researcher.objects.get(pk=c.pk).display_name == "Beda"
        # What it was before the second came from the first, which is undone: so back to the beginning.
        undo(second, someone)
        assert (Researcher.objects.get(pk=c.pk).display_name, Researcher.objects.get(pk=c.pk).slug) == ("Ceda", "ceda")

    def test_what_a_person_wrote_since_stays(self, someone: User) -> None:
        a, b = researcher("Ada"), researcher("Beda")
        event = merge(a, b, someone, display_name="Ada").event
        ADAPTER.write_fields(b.pk, {"display_name": "Ada Lovelace Weaver"})
        assert undo(event, someone).fields.kept == ("display_name",)
        assert Researcher.objects.get(pk=b.pk).display_name == "Ada Lovelace Weaver"

    def test_the_form_s_versions_are_compared(self, someone: User) -> None:
        a, b, c = researcher(), researcher(), researcher()
        event = merge(a, b, someone).event
        seen = plan_undo(event=event.pk).versions
        assert seen == {b.pk: 2}
        merge(c, b, someone)
        with pytest.raises(Conflict, match=f"Took in researcher {c.pk}"):
            undo(event, someone, versions=seen)
        assert [one.kind for one in events_of(a.pk)] == ["merge", "merge"]

    def test_arrivals_are_attributed_anew(self, someone: User, waiting: Waiting) -> None:
        a, b = researcher(), researcher()
        arrive(a)
        event = merge(a, b, someone).event
        late = arrive(b)
        undo(event, someone)
        assert waiting.at("attribute", "paper") == {late.paper_id}


class TestSplit:
    def test_it_moves_decides_and_comes_back_exactly(self, someone: User) -> None:
        a, b = researcher("Ada Weaver"), researcher("Ada Weaver")
        stays, goes, merged_goes = arrive(a), arrive(a), arrive(b)
        merge(b, a, someone)
        before = list(Attribution.objects.order_by("pk").values())
        event = split(a, [goes, merged_goes], someone)
        created = Researcher.objects.get(pk=event.survivor_id)
        assert created.display_name == "A. Weaver"
        assert [shown(at) for at in (stays, goes, merged_goes)] == [a.pk, created.pk, created.pk]
        assert set(Attribution.objects.filter(root=created).values_list("decided_by", flat=True)) == {"human"}
        decided = set(Decision.objects.values_list("authorship", "researcher", "verdict"))
        assert decided == {
            (goes.pk, a.pk, "is_not"),
            (goes.pk, created.pk, "is"),
            (merged_goes.pk, a.pk, "is_not"),
            (merged_goes.pk, b.pk, "is_not"),
            (merged_goes.pk, created.pk, "is"),
        }
        with pytest.raises(Blocked, match="another field"):
            merge(created, a, someone)
        assert (created.paper_count, Researcher.objects.get(pk=a.pk).paper_count) == (2, 1)
        undo(event, someone)
        assert list(Attribution.objects.order_by("pk").values()) == before
        assert not Decision.objects.filter(revoked=False).exists()
        assert faults() == []

    def test_what_changed_since_stays_and_is_named(self, someone: User) -> None:
        a, c = researcher(), researcher()
        work = paper("A. Weaver", "Ada Weaver")
        places = [arrive(a), arrive(a), arrive(a), arrive(a, place(work, 1)), arrive(a)]
        event = split(a, places, someone)
        decide_is(authorship=places[1].pk, researcher=c.pk, actor=someone, reason="hers")
        Authorship.objects.filter(pk=places[2].pk).delete()
        give(place(work, 2), a)
        rows = dict(Attribution.objects.values_list("authorship", "pk"))
        gone = next(move["row"] for move in event.base_moves if move["authorship"] == places[2].pk)
        outcome = undo(event, someone)
        assert outcome.returned.rows == (rows[places[0].pk], rows[places[4].pk])
        assert outcome.returned.kept == {
            rows[places[1].pk]: "decided again since",
            gone: "its author is gone from the paper",
            rows[places[3].pk]: "they stand on this paper again",
        }
        assert [shown(at) for at in places] == [a.pk, c.pk, None, event.survivor_id, a.pk]
        assert faults() == []

    def test_what_is_refused(self, someone: User) -> None:
        a, b = researcher(), researcher()
        at, elsewhere = arrive(a), arrive(b)
        with pytest.raises(Blocked, match="Choose what to move"):
            split(a, [], someone)
        with pytest.raises(Blocked, match="not theirs any more"):
            split(a, [at, elsewhere], someone)
        with pytest.raises(NotMergeable, match="another target"):
            split(a, [at], someone, a)
        decide_is_not(authorship=at.pk, researcher=b.pk, actor=someone, reason="never in Rome")
        with pytest.raises(Blocked, match="never in Rome"):
            split(a, [at], someone, b)
        work = paper("A. Weaver", "Ada Weaver")
        first = arrive(a, place(work, 1))
        arrive(b, place(work, 2))
        with pytest.raises(Blocked, match="stand on 1 of these papers"):
            split(a, [first], someone, b)
        assert Researcher.objects.count() == 2

    def test_it_goes_back_to_a_base_that_stands_alone_by_now(self, someone: User) -> None:
        a, b = researcher(), researcher()
        at = arrive(b)
        link = merge(b, a, someone).event
        event = split(a, [at], someone)
        undo(link, someone)
        undo(event, someone)
        assert (shown(at), Researcher.objects.get(pk=b.pk).paper_count) == (b.pk, 1)
        assert faults() == []

    def test_nothing_returns_to_whom_a_later_decision_forbids(self, someone: User) -> None:
        a, z = researcher(), researcher()
        at, free = arrive(a), arrive(a)
        event = split(a, [at, free], someone)
        decide_is_not(authorship=at.pk, researcher=z.pk, actor=someone, reason="never in Rome")
        merge(z, a, someone)
        row = Attribution.objects.get(authorship=at).pk
        assert undo(event, someone).returned.kept == {row: "decided since not to be theirs"}
        assert (shown(at), shown(free)) == (event.survivor_id, a.pk)
        assert faults() == []

    def test_a_former_name_does_not_become_the_new_one_s(self, someone: User) -> None:
        a = researcher("Ada Weaver")
        at = arrive(a, place(paper("Adam Weaver")))
        ResearcherName.objects.create(researcher=a, value="Adam Weaver", visibility="hidden")
        created = Researcher.objects.get(pk=split(a, [at], someone).survivor_id)
        assert created.display_name == "Ada Weaver"
        assert list(created.names.values_list("value", "visibility")) == [("Adam Weaver", "hidden")]


class TestDecisions:
    def test_is_moves_and_no_model_moves_it_again(self, someone: User, waiting: Waiting) -> None:
        a, b = researcher(), researcher()
        at = arrive(a)
        waiting.clear()
        decide_is(authorship=at.pk, researcher=b.pk, actor=someone, reason="hers")
        assert (shown(at), Attribution.objects.get().decided_by) == (b.pk, "human")
        assert give(at, a).refused == {at.pk: f"decided to be researcher {b.pk}"}
        assert versions(a, b) == {a.pk: 2, b.pk: 2}
        assert (Researcher.objects.get(pk=a.pk).paper_count, Researcher.objects.get(pk=b.pk).paper_count) == (0, 1)
        assert waiting.at("index", "paper") == {at.paper_id}

    def test_is_not_of_a_merged_base_holds_after_the_undo(self, someone: User) -> None:
        a, b = researcher(), researcher()
        at = arrive(b)
        event = merge(b, a, someone).event
        decide_is_not(authorship=at.pk, researcher=a.pk, actor=someone, reason="no")
        undo(event, someone)
        for person in (a, b):
            assert give(at, person).written == ()

    def test_a_claim_needs_no_permission_and_goes_against_no_curator(self, someone: User) -> None:
        reader = curator("reader", [])
        a, b = researcher(), researcher()
        at = arrive(a)
        with pytest.raises(NotPermitted):
            decide_is(authorship=at.pk, researcher=b.pk, actor=reader, reason="me")
        decide_is(authorship=at.pk, researcher=b.pk, actor=reader, reason="me", claim=True)
        assert Attribution.objects.get().decided_by == "claim"
        assert give(at, a).written == ()
        decide_is(authorship=at.pk, researcher=a.pk, actor=someone, reason="the editor wrote to us")
        with pytest.raises(DecisionRefused):
            decide_is(authorship=at.pk, researcher=b.pk, actor=reader, reason="me", claim=True)
        with pytest.raises(DecisionRefused):
            decide_is_not(authorship=at.pk, researcher=a.pk, actor=reader, reason="not me", claim=True)

    def test_nobody_is_twice_on_a_paper(self, someone: User) -> None:
        a = researcher()
        work = paper("A. Weaver", "Ada Weaver")
        arrive(a, place(work, 1))
        with pytest.raises(DecisionRefused, match="stand on this paper already"):
            decide_is(authorship=place(work, 2).pk, researcher=a.pk, actor=someone, reason="hers")
        assert give(place(work, 2), a).refused == {place(work, 2).pk: "the person stands on this paper already"}

    def test_revoked_the_model_may_decide_again(self, someone: User) -> None:
        a, b = researcher(), researcher()
        at = arrive(a)
        (decision,) = decide_is_not(authorship=at.pk, researcher=a.pk, actor=someone, reason="no")
        assert give(at, a).written == ()
        revoke_decision(decision=decision.pk, actor=someone, reason="a mistake")
        assert give(at, a).written == (at.pk,)
        decision = decide_is(authorship=at.pk, researcher=b.pk, actor=someone, reason="hers")
        revoke_decision(decision=decision.pk, actor=someone, reason="a mistake")
        assert give(at, a).written == (at.pk,)


class TestNames:
    def test_what_is_refused(self, someone: User) -> None:
        a = researcher("Adam Weaver")
        hide = {"researcher": a.pk, "name": "Adam Weaver", "actor": someone}
        with pytest.raises(NameRefused, match="no other name"):
            hide_former_name(**hide, reason="asked")
        with pytest.raises(NameRefused, match="none of their names"):
            hide_former_name(researcher=a.pk, name="Eve", actor=someone, reason="asked")
        with pytest.raises(NameRefused, match="out of the reason"):
            hide_former_name(**hide, reason="Adam Weaver is no more", show_instead="Ada Weaver")
        hide_former_name(**hide, reason="asked", show_instead="Ada Weaver")
        assert Researcher.objects.get().display_name == "Ada Weaver"

    def test_it_is_no_choice_in_a_merge(self, someone: User) -> None:
        a, b = researcher("Ada Weaver"), researcher("A. Weaver")
        ResearcherName.objects.create(researcher=a, value="Adam Weaver", visibility="hidden")
        assert plan_merge(loser=b.pk, survivor=a.pk).choices == {"display_name": ["Ada Weaver", "A. Weaver"]}


class TestQueue:
    def test_filed_twice_it_is_one_item_and_different_closes_it(self, someone: User) -> None:
        a, b = researcher(), researcher()
        assert file_candidates(ADAPTER, [CandidateDraft(members=(b.pk, a.pk), score=0.5)]) == 1
        assert file_candidates(ADAPTER, [CandidateDraft(members=(a.pk, b.pk), score=0.7)]) == 1
        row = Candidate.objects.get()
        assert (row.key, row.members, row.score) == (f"pair:{a.pk}-{b.pk}", [a.pk, b.pk], 0.7)
        different(a, b, someone)
        assert Candidate.objects.get().state == "different"
        assert file_candidates(ADAPTER, [CandidateDraft(members=(a.pk, b.pk), score=0.9)]) == 0
        orcid(a, "0000-0002-1825-0097", "claimed")
        assert file_candidates(ADAPTER, [CandidateDraft(members=(a.pk, b.pk))]) == 0
        ResearcherIdentifier.objects.update(state="trusted")
        assert file_candidates(ADAPTER, [CandidateDraft(members=(a.pk, b.pk))]) == 1
        assert Candidate.objects.get().state == "open"

    def test_a_difference_silences_the_pair_under_new_roots_too(self, someone: User) -> None:
        a, b, c = researcher(), researcher(), researcher()
        different(a, b, someone)
        merge(a, c, someone)
        assert file_candidates(ADAPTER, [CandidateDraft(members=(b.pk, c.pk))]) == 0
        assert not Candidate.objects.exists()

    def test_merge_closes_and_undo_opens(self, someone: User) -> None:
        a, b, c = researcher(), researcher(), researcher()
        file_candidates(
            ADAPTER,
            [
                CandidateDraft(members=(a.pk, b.pk)),
                CandidateDraft(members=(a.pk, b.pk, c.pk), kind="group", key="group:weaver"),
                CandidateDraft(members=(a.pk,), kind="split"),
            ],
        )
        event = merge(a, b, someone).event
        states = lambda: dict(Candidate.objects.values_list("kind", "state"))  # noqa: E731
        assert states() == {"pair": "merged", "group": "open", "split": "open"}
        undo(event, someone)
        assert states() == {"pair": "open", "group": "open", "split": "open"}

    def test_leases(self, someone: User, another: User) -> None:
        people = [researcher() for _ in range(4)]
        drafts = [
            CandidateDraft(members=(people[0].pk, one.pk), score=0.5 + 0.1 * number, has_conflict=number == 0)
            for number, one in enumerate(people[1:])
        ]
        file_candidates(ADAPTER, drafts)
        (first,) = lease_next(ADAPTER, actor=someone)
        assert first.score == pytest.approx(0.7)
        (second,) = lease_next(ADAPTER, actor=another)
        assert second.score == pytest.approx(0.6)
        with pytest.raises(LeaseLost, match="Somebody else works on this until"):
            lease(ADAPTER, candidate=first.pk, actor=another)
        assert lease_next(ADAPTER, actor=someone, among=Q(has_conflict=True))[0].score == pytest.approx(0.5)
        release(ADAPTER, candidate=first.pk, actor=another)
        assert Candidate.objects.get(pk=first.pk).leased_to == someone
        Candidate.objects.filter(pk=first.pk).update(leased_until=timezone.now() - dt.timedelta(seconds=1))
        assert lease(ADAPTER, candidate=first.pk, actor=another).leased_to_id == another.pk
        with pytest.raises(LeaseLost):
            snooze(ADAPTER, candidate=first.pk, actor=someone)
        snooze(ADAPTER, candidate=first.pk, actor=another)
        assert first.pk not in {row.pk for row in queue.waiting(ADAPTER)}
        Candidate.objects.filter(pk=first.pk).update(snoozed_until=timezone.now())
        assert first.pk in {row.pk for row in queue.waiting(ADAPTER)}
        with pytest.raises(NotPermitted):
            lease_next(ADAPTER, actor=curator("reader", []))


class TestWriting:
    def test_new_researchers_are_roots_with_a_name(self) -> None:
        ids = create_researchers([NewResearcher("Ada Weaver", "arxiv", "Latn", ("weaver a",)), NewResearcher("李明")])
        rows = list(Researcher.objects.order_by("pk").values_list("pk", "root", "display_name", "slug", "version"))
        assert rows == [(ids[0], ids[0], "Ada Weaver", "ada-weaver", 1), (ids[1], ids[1], "李明", "", 1)]
        name = ResearcherName.objects.get(researcher=ids[0])
        assert (name.value, name.source, name.script, name.match_keys) == ("Ada Weaver", "arxiv", "Latn", ["weaver a"])
        assert Researcher.objects.get(pk=ids[1]).get_absolute_url() == f"/researchers/{ids[1]}"

    def test_two_authors_of_a_paper_may_change_places_in_one_batch(self) -> None:
        a, b = researcher(), researcher()
        work = paper("A. Weaver", "Ada Weaver")
        one, other = arrive(a, place(work, 1)), arrive(b, place(work, 2))
        swap = [AttributionDraft(one.pk, work.pk, b.pk, "orcid"), AttributionDraft(other.pk, work.pk, a.pk, "orcid")]
        assert write_attributions(swap).written == (one.pk, other.pk)
        assert (shown(one), shown(other)) == (b.pk, a.pk)

    def test_what_is_the_same_is_not_written(self) -> None:
        a = researcher()
        at = arrive(a)
        before = Attribution.objects.values().get()
        report = give(at, a)
        assert (report.written, report.unchanged, Attribution.objects.values().get()) == ((), 1, before)

    def test_refused_is_a_base_or_place_that_is_not_there(self) -> None:
        a = researcher()
        work, elsewhere = paper("A. Weaver"), paper("A. Weaver")
        at = place(work)
        drafts = [AttributionDraft(at.pk, work.pk, a.pk + 10**6, "model")]
        assert write_attributions(drafts).refused == {at.pk: f"there is no researcher {a.pk + 10**6}"}
        drafts = [AttributionDraft(at.pk, elsewhere.pk, a.pk, "model")]
        assert write_attributions(drafts).refused == {at.pk: "decided by a person, or gone"}
        assert not Attribution.objects.exists()

    def test_queries_do_not_grow_with_the_batch(self) -> None:
        people = [researcher() for _ in range(6)]
        drafts = [
            AttributionDraft((at := place(paper("A. Weaver"))).pk, at.paper_id, one.pk, "model") for one in people
        ]
        with CaptureQueriesContext(connection) as few:
            write_attributions(drafts[:1])
        with CaptureQueriesContext(connection) as many:
            write_attributions(drafts[1:])
        assert len(few) == len(many)


class TestRows:
    def test_the_database_refuses_what_must_not_be(self, someone: User) -> None:
        a, b = researcher(), researcher()
        event = merge(a, b, someone).event
        orcid(a, "0000-0002-1825-0097")
        work = paper("A. Weaver", "Ada Weaver")
        arrive(a, place(work, 1))
        new = {"decided_by": "model", "decided_at": timezone.now()}
        wrong = [
            lambda: MergeEvent.objects.create(
                kind="merge", live=True, loser=a, survivor=b, reason="x", subjects=[], idempotency_key="other"
            ),
            lambda: orcid(b, "0000-0002-1825-0097"),
            lambda: Researcher.objects.filter(pk=b.pk).update(root=a),
            lambda: Attribution.objects.create(authorship=place(work, 2), paper=work, base=a, root=a, **new),
            lambda: Attribution.objects.create(authorship=place(work, 2), paper=work, base=b, root=b, **new),
            lambda: Assertion.objects.create(a=b, b=a, kind="same", reason="x"),
            lambda: MergeEvent.objects.filter(pk=event.pk).update(reason=""),
        ]
        for write in wrong:
            with pytest.raises(IntegrityError), transaction.atomic():
                write()

    def test_nothing_is_deleted(self, someone: User) -> None:
        a, b = researcher(), researcher()
        event = merge(a, b, someone).event
        for delete in (a.delete, Researcher.objects.all().delete, event.delete):
            with pytest.raises(TypeError):
                delete()
        someone.delete()
        event.refresh_from_db()
        assert event.actor is None

    def test_addresses(self, someone: User) -> None:
        a, b = researcher(), researcher()
        merge(a, b, someone)
        found = resolve(ADAPTER, a.pk)
        assert (found.shown, found.moved) == (b.pk, True)
        assert resolve(ADAPTER, b.pk).moved is False
        assert resolve(ADAPTER, 10**9) is None
        response = moved_permanently("/researchers/1")
        assert (response.status_code, response["Location"], response["Cache-Control"]) == (
            301,
            "/researchers/1",
            "max-age=3600",
        )


class TestCheck:
    def run(self) -> str:
        out = StringIO()
        call_command("check_identity", stdout=out)
        return out.getvalue()

    def test_it_finds_each_kind_of_fault(self, someone: User) -> None:
        a, b, c = researcher(), researcher(), researcher()
        at = arrive(a)
        assert self.run() == "Every shown researcher is the root of its base, and no decision is broken.\n"
        Attribution.objects.update(root=b)
        Researcher.objects.filter(pk=c.pk).update(merged_into=b, root=a)
        out = StringIO()
        with pytest.raises(CommandError, match="3 faults"):
            call_command("check_identity", stdout=out)
        assert f"researcher {c.pk} has root {a.pk}, not {b.pk}" in out.getvalue()
        assert "attribution not shown under the root of its base: 1" in out.getvalue()
        assert "merged, and no event in force says so, or the reverse: 1" in out.getvalue()
        Attribution.objects.update(root=a)
        Researcher.objects.filter(pk=c.pk).update(merged_into=None, root=c.pk)
        Decision.objects.create(
            authorship=at, paper_id=at.paper_id, printed_name="x", researcher=a, verdict="is_not", reason="x"
        )
        with pytest.raises(CommandError, match="1 faults"):
            self.run()
        Decision.objects.all().delete()
        Researcher.objects.filter(pk=a.pk).update(merged_into=b, root=b)
        Researcher.objects.filter(pk=b.pk).update(merged_into=a, root=a)
        out = StringIO()
        with pytest.raises(CommandError):
            call_command("check_identity", stdout=out)
        assert "go in a circle" in out.getvalue()
