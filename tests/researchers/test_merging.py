"""Merging: what is refused, recorded, counted, enqueued, and what needs a second curator."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from accounts.models import User
from researchers.models import (
    Assertion,
    Attribution,
    MergeEvent,
    MergeProposal,
    Researcher,
)
from researchers.services.decisions import mark_claimed
from researchers.services.merging import confirm_merge, plan_merge, reject_merge
from tests.researchers.conftest import Waiting
from tests.researchers.people import (
    CODENAMES,
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
    split,
    undo,
    versions,
)
from wovepaper.curation.services import (
    AlreadyDecided,
    Blocked,
    ChoiceRefused,
    Conflict,
    KeyReused,
    NotMergeable,
    NotPermitted,
    ReasonMissing,
)

pytestmark = pytest.mark.django_db


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
