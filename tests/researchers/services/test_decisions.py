"""What people say about single authorships and about names."""

from __future__ import annotations

import pytest

from accounts.models import User
from researchers.models import (
    Attribution,
    Decision,
    Researcher,
    ResearcherName,
)
from researchers.services.contest_answers import accept_contest
from researchers.services.contests import open_contest
from researchers.services.curators import RIGHTS
from researchers.services.decisions import decide_is, decide_is_not, revoke_decision
from researchers.services.errors import DecisionRefused, NameRefused
from researchers.services.merging import plan_merge
from researchers.services.names import hide_former_name
from tests.researchers.conftest import Waiting
from tests.researchers.people import (
    arrive,
    curator,
    give,
    merge,
    paper,
    place,
    researcher,
    shown,
    undo,
    versions,
)
from wovepaper.curation.services import (
    NotPermitted,
)

pytestmark = pytest.mark.django_db


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


class TestWhoMayGoAgainstWhat:
    """``weak`` is a curator as the group makes them: they may split, not override."""

    @pytest.fixture
    def weak(self, db: None) -> User:
        return curator("weak", RIGHTS)

    def test_one_s_own_is_changed_and_taken_back(self, weak: User) -> None:
        a, b = researcher(), researcher()
        at = arrive(a)
        first = decide_is(authorship=at.pk, researcher=b.pk, actor=weak, reason="hers")
        second = decide_is(authorship=at.pk, researcher=a.pk, actor=weak, reason="no, hers")
        (third,) = decide_is_not(authorship=at.pk, researcher=a.pk, actor=weak, reason="neither")
        assert standing() == {third.pk}
        fourth = decide_is(authorship=at.pk, researcher=a.pk, actor=weak, reason="after all")
        assert standing() == {fourth.pk}
        revoke_decision(decision=fourth.pk, actor=weak, reason="I do not know")
        assert standing() == set()
        assert set(Decision.objects.values_list("pk", "revoked_by")) == {
            (row.pk, weak.pk) for row in (first, second, third, fourth)
        }

    def test_somebody_else_s_stands_and_is_named(self, weak: User, someone: User) -> None:
        a, b = researcher(), researcher()
        at = arrive(a)
        decision = decide_is(authorship=at.pk, researcher=a.pk, actor=someone, reason="hers")
        says = (
            rf"not go against decision {decision.pk} \(author {at.pk} of paper {at.paper_id} is researcher {a.pk}\),"
            r" taken by somebody else: it needs researchers\.override_difference\.$"
        )
        with pytest.raises(NotPermitted, match=says):
            decide_is(authorship=at.pk, researcher=b.pk, actor=weak, reason="hers")
        with pytest.raises(NotPermitted, match=says):
            decide_is_not(authorship=at.pk, researcher=a.pk, actor=weak, reason="no")
        with pytest.raises(NotPermitted, match=says):
            revoke_decision(decision=decision.pk, actor=weak, reason="no")
        assert (standing(), shown(at), Decision.objects.count()) == ({decision.pk}, a.pk, 1)
        # What says the same is not in the way.
        assert decide_is(authorship=at.pk, researcher=a.pk, actor=weak, reason="yes") == decision
        decide_is_not(authorship=at.pk, researcher=b.pk, actor=weak, reason="not his either")
        assert (len(standing()), shown(at)) == (2, a.pk)

    def test_an_is_not_of_somebody_else_stands_too(self, weak: User, someone: User, another: User) -> None:
        a = researcher()
        at = arrive(a)
        (decision,) = decide_is_not(authorship=at.pk, researcher=a.pk, actor=someone, reason="no")
        with pytest.raises(NotPermitted, match=f"decision {decision.pk} .* is not researcher {a.pk}"):
            decide_is(authorship=at.pk, researcher=a.pk, actor=weak, reason="hers")
        assert (standing(), shown(at)) == ({decision.pk}, None)
        decide_is(authorship=at.pk, researcher=a.pk, actor=another, reason="hers")
        assert shown(at) == a.pk

    def test_a_claim_needs_the_permission_to_override(self, weak: User, another: User) -> None:
        reader = curator("reader", [])
        a, b = researcher(), researcher()
        at = arrive(a)
        claim = decide_is(authorship=at.pk, researcher=b.pk, actor=reader, reason="me", claim=True)
        for attempt in (
            lambda actor: decide_is(authorship=at.pk, researcher=a.pk, actor=actor, reason="no"),
            lambda actor: decide_is_not(authorship=at.pk, researcher=b.pk, actor=actor, reason="no"),
            lambda actor: revoke_decision(decision=claim.pk, actor=actor, reason="no"),
        ):
            with pytest.raises(NotPermitted, match=f"decision {claim.pk} .*, claimed by the person"):
                attempt(weak)
        assert (standing(), shown(at)) == ({claim.pk}, b.pk)
        decide_is(authorship=at.pk, researcher=a.pk, actor=another, reason="no")
        assert (claim.pk in standing(), shown(at)) == (False, a.pk)

    def test_a_claim_takes_back_one_s_own_claims_only(self) -> None:
        one, two = curator("one", []), curator("two", [])
        a, b = researcher(), researcher()
        at = arrive(a)
        decide_is(authorship=at.pk, researcher=b.pk, actor=one, reason="me", claim=True)
        with pytest.raises(DecisionRefused, match="Somebody else claimed otherwise"):
            decide_is(authorship=at.pk, researcher=a.pk, actor=two, reason="me", claim=True)
        decide_is_not(authorship=at.pk, researcher=b.pk, actor=one, reason="not me after all", claim=True)
        assert shown(at) is None

    def test_one_s_own_needs_the_permission_to_split_still(self) -> None:
        once = curator("once", RIGHTS)
        at = arrive(a := researcher())
        decision = decide_is(authorship=at.pk, researcher=a.pk, actor=once, reason="hers")
        once = User.objects.get(pk=once.pk)
        once.user_permissions.clear()
        with pytest.raises(NotPermitted, match=r"your own: it needs researchers\.split_researcher"):
            revoke_decision(decision=decision.pk, actor=once, reason="no")
        assert standing() == {decision.pk}

    def test_an_objection_is_accepted_against_nobody_else_s_decision(self, weak: User, someone: User) -> None:
        a, b = researcher(), researcher()
        at = arrive(a)
        decision = decide_is(authorship=at.pk, researcher=a.pk, actor=someone, reason="hers")
        contest = open_contest(
            reader=curator("reader", []), authorship=at.pk, seen=a.pk, reason="She never worked on looms.", claimed=b
        )
        with pytest.raises(NotPermitted, match=f"decision {decision.pk} "):
            accept_contest(contest=contest.pk, actor=weak, answer="indeed")
        contest.refresh_from_db()
        assert (contest.state, standing(), shown(at)) == ("open", {decision.pk}, a.pk)
        assert accept_contest(contest=contest.pk, actor=someone, answer="indeed").state == "accepted"
        assert shown(at) == b.pk


def standing() -> set[int]:
    """Decisions in force."""
    return set(Decision.objects.filter(revoked=False).values_list("pk", flat=True))


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
