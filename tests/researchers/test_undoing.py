"""Undoing and splitting: what comes back, and what is left where it is."""

from __future__ import annotations

import pytest

from accounts.models import User
from papers.models import Authorship
from researchers.merging import ADAPTER
from researchers.models import (
    Attribution,
    Decision,
    MergeEvent,
    Researcher,
    ResearcherName,
)
from researchers.services.decisions import decide_is, decide_is_not
from researchers.services.merging import events_of, plan_undo
from tests.researchers.conftest import Waiting
from tests.researchers.people import (
    arrive,
    curator,
    faults,
    give,
    merge,
    paper,
    place,
    researcher,
    shown,
    split,
    undo,
)
from wovepaper.curation.services import (
    AlreadyUndone,
    Blocked,
    Conflict,
    NotMergeable,
    NotPermitted,
)

pytestmark = pytest.mark.django_db


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
