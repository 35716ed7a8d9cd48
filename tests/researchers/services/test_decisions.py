"""What people say about single authorships and about names."""

from __future__ import annotations

import pytest

from accounts.models import User
from researchers.models import (
    Attribution,
    Researcher,
    ResearcherName,
)
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
