"""Random histories of everything that can happen, and what must hold after each step and at the end."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from accounts.models import User
from papers.changes import announce_changes
from papers.models import Authorship, Paper
from researchers.counts import recount_papers
from researchers.models import Assertion, Attribution, Decision, MergeEvent, Researcher
from researchers.services.decisions import adopt_returned_authorships, decide_is, decide_is_not, revoke_decision
from researchers.services.errors import DecisionRefused
from researchers.services.merging import revoke_assertion
from tests.researchers.people import curator, different, faults, give, merge, paper, place, researcher, split, undo
from wovepaper.curation.services import AlreadyUndone, Blocked, NotMergeable

ROUNDS = settings(max_examples=12, stateful_step_count=25, suppress_health_check=list(HealthCheck), print_blob=True)
NAMES = ("Ada Weaver", "A. Weaver", "Ada Weber")
PICK = st.integers(min_value=0, max_value=10**6)


def pick(rows: list, number: int):
    return rows[number % len(rows)]


class Histories(RuleBasedStateMachine):
    """Three people and few papers, so that what they do meets."""

    def __init__(self) -> None:
        super().__init__()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()

    @initialize()
    def begin(self) -> None:
        self.actor: User = curator()
        self.people = [
            researcher(name) for name in ("Ada Weaver", "A. Weaver", "Ada Weber", "A. Weber", "Ada W", "A W")
        ]
        self.places = [place(paper("A. Weaver", "A. Weber"), number) for number in (1, 2, 1)]
        for person, at in zip(self.people, self.places, strict=False):
            give(at, person)

    # --- what comes in ---------------------------------------------------------------------------------------

    @rule(number=PICK, other=PICK, fresh=st.booleans())
    def arrive(self, number: int, other: int, fresh: bool) -> None:
        """An author is attributed, or attributed anew; what is refused must be forbidden."""
        everybody = list(Researcher.objects.order_by("pk"))
        if fresh:
            at = place(paper("A. Weaver", "A. Weber"), 1 + number % 2)
            self.places.append(at)
        else:
            at = pick(self.places, number)
        if not Authorship.objects.filter(pk=at.pk).exists():
            return
        person = pick(everybody, other)
        before = Attribution.objects.filter(authorship=at).first()
        report = give(at, person)
        after = Attribution.objects.filter(authorship=at).first()
        if report.refused:
            assert (before and (before.pk, before.base_id)) == (after and (after.pk, after.base_id))
        else:
            assert after is not None
            assert after.base_id == person.pk

    @rule(number=PICK)
    def source_record_is_deleted(self, number: int) -> None:
        """Its author leaves the paper, and what hangs on the row goes, save decisions."""
        at = pick(self.places, number)
        kept = Decision.objects.count()
        announce_changes([at.paper_id])  # as ingest does
        Authorship.objects.filter(pk=at.pk).delete()
        assert Decision.objects.count() == kept
        self.recount()

    @rule(number=PICK)
    def author_returns(self, number: int) -> None:
        at = pick(self.places, number)
        if not Authorship.objects.filter(pk=at.pk).exists():
            if not Authorship.objects.filter(paper=at.paper_id, position=at.position).exists():
                self.places.append(Authorship.objects.create(paper_id=at.paper_id, position=at.position, name=at.name))
            adopt_returned_authorships(papers=[at.paper_id])

    # --- what people do --------------------------------------------------------------------------------------

    @rule(one=PICK, other=PICK, name=PICK, override=st.booleans())
    def merge(self, one: int, other: int, name: int, override: bool) -> None:
        roots = list(Researcher.objects.roots().order_by("pk"))
        loser, survivor = pick(roots, one), pick(roots, other)
        choice = pick([None, loser.display_name, survivor.display_name], name)
        before = self.picture()
        try:
            merge(loser, survivor, self.actor, display_name=choice, override=override)
        except (Blocked, NotMergeable):
            assert self.picture() == before
        else:
            assert Researcher.objects.get(pk=loser.pk).root_id == survivor.pk

    @precondition(lambda self: MergeEvent.objects.filter(live=True).exists())
    @rule(number=PICK)
    def undo(self, number: int) -> None:
        event = pick(list(MergeEvent.objects.filter(live=True).order_by("pk")), number)
        undo(event, self.actor)
        if event.kind == "merge":
            assert Researcher.objects.get(pk=event.loser_id).root_id == event.loser_id
        with pytest.raises(AlreadyUndone):
            undo(event, self.actor)

    @rule(one=PICK, some=st.sets(st.integers(0, 5), min_size=1, max_size=3), other=st.none() | PICK)
    def split(self, one: int, some: set[int], other: int | None) -> None:
        roots = list(Researcher.objects.roots().order_by("pk"))
        source = pick(roots, one)
        rows = list(Attribution.objects.filter(root=source).select_related("authorship").order_by("pk"))
        chosen = [row.authorship for number, row in enumerate(rows) if number in some]
        target = None if other is None else pick(roots, other)
        before = self.picture()
        try:
            event = split(source, chosen, self.actor, target)
        except (Blocked, NotMergeable):
            assert self.picture() == before
        else:
            moved = Attribution.objects.filter(authorship__in=chosen)
            assert set(moved.values_list("base", "root")) == {(event.survivor_id, event.survivor_id)}

    @rule(number=PICK, other=PICK, is_them=st.booleans())
    def decide(self, number: int, other: int, is_them: bool) -> None:
        at = pick(self.places, number)
        person = pick(list(Researcher.objects.order_by("pk")), other)
        decide = decide_is if is_them else decide_is_not
        if not Authorship.objects.filter(pk=at.pk).exists():
            return
        try:
            decide(authorship=at.pk, researcher=person.pk, actor=self.actor, reason="seen with these eyes")
        except DecisionRefused:
            return
        row = Attribution.objects.filter(authorship=at).first()
        root = Researcher.objects.get(pk=person.pk).root_id
        assert (row is not None and row.base_id == person.pk) if is_them else (row is None or row.root_id != root)

    @rule(one=PICK, other=PICK)
    def assert_different(self, one: int, other: int) -> None:
        roots = list(Researcher.objects.roots().order_by("pk"))
        a, b = pick(roots, one), pick(roots, other)
        try:
            different(a, b, self.actor)
        except NotMergeable:
            assert a.pk == b.pk

    @rule(number=PICK, assertion=st.booleans())
    def revoke(self, number: int, assertion: bool) -> None:
        rows = list((Assertion if assertion else Decision).objects.filter(revoked=False).order_by("pk"))
        if rows and assertion:
            revoke_assertion(assertion=pick(rows, number).pk, actor=self.actor, reason="a mistake")
        elif rows:
            revoke_decision(decision=pick(rows, number).pk, actor=self.actor, reason="a mistake")

    # --- what must hold --------------------------------------------------------------------------------------

    def picture(self) -> dict[str, list[tuple[object, ...]]]:
        """All that curation may change, but for versions and journal."""
        return {
            "people": list(
                Researcher.objects.order_by("pk").values_list("pk", "merged_into", "root", "display_name", "slug")
            ),
            "attributions": list(
                Attribution.objects.order_by("pk").values_list(
                    "pk", "authorship", "base", "root", "decided_by", "score"
                )
            ),
            "decisions": list(Decision.objects.filter(revoked=False).order_by("pk").values_list("pk", "authorship")),
            "assertions": list(Assertion.objects.filter(revoked=False).order_by("pk").values_list("pk")),
        }

    @invariant()
    def nothing_is_wrong(self) -> None:
        if hasattr(self, "actor"):
            assert faults() == []

    @rule(order=st.randoms(use_true_random=False))
    def merges_only_and_back(self, order) -> None:
        """From here a few merges, with arrivals between them, all undone in any order: as it was, and the arrivals."""
        before = self.picture()
        events = []
        arrived = []
        for _ in range(3):
            roots = list(Researcher.objects.roots().order_by("pk"))
            if len(roots) < 2:
                break
            loser, survivor = order.sample(roots, 2)
            name = order.choice([None, loser.display_name, survivor.display_name])
            try:
                outcome = merge(loser, survivor, self.actor, display_name=name, override=order.random() < 0.5)
            except Blocked:
                continue
            events.append(outcome.event)
            at = place(paper("A. Weaver"))
            base = order.choice(list(Researcher.objects.together_with(loser.pk).order_by("pk")))
            assert give(at, base).refused == {}
            arrived.append((at.pk, base.pk))
        order.shuffle(events)
        for event in events:
            undo(event, self.actor)
            assert faults() == []
        rows = Attribution.objects.filter(authorship__in=[at for at, _ in arrived]).order_by("pk")
        assert list(rows.values_list("authorship", "base")) == arrived
        Authorship.objects.filter(pk__in=[at for at, _ in arrived]).delete()
        self.recount()
        assert self.picture() == before

    @rule(order=st.randoms(use_true_random=False))
    def splits_and_merges_and_back(self, order) -> None:
        """The same with splits among them, undone the last first: as it was, save the empty people that splits made."""
        before = self.picture()
        events = []
        for _ in range(3):
            roots = list(Researcher.objects.roots().order_by("pk"))
            if len(roots) < 2:
                break
            one, other = order.sample(roots, 2)
            places = list(Authorship.objects.filter(attribution__root=one).order_by("pk"))
            try:
                if places and order.random() < 0.5:
                    chosen = order.sample(places, order.randint(1, len(places)))
                    events.append(split(one, chosen, self.actor, order.choice([None, other])))
                else:
                    events.append(merge(one, other, self.actor, override=order.random() < 0.5).event)
            except Blocked:
                continue
        for event in reversed(events):
            undo(event, self.actor)
        made = {event.survivor_id for event in events if event.kind == "split" and event.evidence["created_target"]}
        after = self.picture()
        after["people"] = [row for row in after["people"] if row[0] not in made]
        assert after == before

    def recount(self) -> None:
        recount_papers(Researcher.objects.values_list("pk", flat=True))

    def teardown(self) -> None:
        try:
            if hasattr(self, "actor") and not connection.needs_rollback:
                self.undo_everything()
        finally:
            transaction.set_rollback(True)
            self.transaction.__exit__(None, None, None)

    def undo_everything(self) -> None:
        """In an order that is not the order of the events: everybody stands alone again, under their first name."""
        events = list(MergeEvent.objects.filter(live=True).order_by("pk"))
        for event in events[::2] + events[1::2][::-1]:
            undo(event, self.actor)
        assert faults() == []
        assert not Researcher.objects.filter(merged_into__isnull=False).exists()
        names = {one.pk: one.display_name for one in self.people}
        assert dict(Researcher.objects.filter(pk__in=names).values_list("pk", "display_name")) == names
        assert Paper.objects.count() >= 3


@pytest.mark.django_db
@pytest.mark.timeout(900)
def test_no_history_breaks_a_decision_and_undoing_all_restores_the_beginning() -> None:
    run_state_machine_as_test(Histories, settings=ROUNDS)
