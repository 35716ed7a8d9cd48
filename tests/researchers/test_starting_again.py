"""Acts of curators that consist of several, when the database breaks a deadlock in the middle of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

import pytest
from django.db import OperationalError
from psycopg.errors import DeadlockDetected

from researchers.models import Assertion, MergeEvent, Researcher
from researchers.services import merging
from tests.researchers.people import arrive, curator, different, faults, researcher, versions
from wovepaper.curation.services import Busy
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_work_left() -> Iterator[None]:
    yield
    WorkItem.objects.all().delete()


EVERY = set(range(1, 1000))
P = ParamSpec("P")
T = TypeVar("T")


def breaking(work: Callable[P, T], *, calls: set[int]) -> Callable[P, T]:
    """``work``, which does its part and then loses it to a deadlock in these of its calls, counted from one."""
    made = 0

    def broken(*args: P.args, **named: P.kwargs) -> T:
        nonlocal made
        made += 1
        done = work(*args, **named)
        if made in calls:
            raise OperationalError("deadlock detected") from DeadlockDetected()
        return done

    return broken


def three() -> tuple[Researcher, Researcher, Researcher]:
    people = researcher(), researcher(), researcher()
    for one in people:
        arrive(one)
    return people


def merge_all(people: tuple[Researcher, ...], actor: object) -> tuple[list, list]:
    survivor, *losers = people
    return merging.merge_several(
        survivor=survivor.pk,
        losers=[one.pk for one in losers],
        actor=actor,
        reason="one face",
        versions=versions(*people),
        key="0" * 32,
    )


def test_merging_several_starts_again_as_a_whole(monkeypatch) -> None:
    people, actor = three(), curator()
    # The second of two is broken: what the first did is gone with it.
    monkeypatch.setattr(merging, "merge_researchers", breaking(merging.merge_researchers, calls={2}))
    events, proposals = merge_all(people, actor)
    assert [event.loser_id for event in events] == [people[1].pk, people[2].pk]
    assert proposals == []
    assert MergeEvent.objects.count() == 2
    assert set(Researcher.objects.values_list("root", flat=True)) == {people[0].pk}
    assert faults() == []


def test_merging_several_that_is_broken_each_time_is_busy_and_changes_nothing(monkeypatch) -> None:
    people, actor = three(), curator()
    monkeypatch.setattr(merging, "merge_researchers", breaking(merging.merge_researchers, calls=EVERY))
    with pytest.raises(Busy):
        merge_all(people, actor)
    assert MergeEvent.objects.count() == 0
    assert set(Researcher.objects.values_list("root", flat=True)) == {one.pk for one in people}
    assert faults() == []


def test_taking_back_several_merges_starts_again_as_a_whole(monkeypatch) -> None:
    people, actor = three(), curator()
    events, _ = merge_all(people, actor)
    act = {"kind": "events", "numbers": [event.pk for event in events], "candidate": None}
    monkeypatch.setattr(merging, "undo_event", breaking(merging.undo_event, calls={2}))
    merging.undo_act(**act, actor=actor, reason="a mistake", key="1" * 32)
    assert MergeEvent.objects.filter(kind="undo").count() == 2
    assert set(Researcher.objects.values_list("root", flat=True)) == {one.pk for one in people}
    assert faults() == []


def test_taking_back_what_is_broken_each_time_is_busy_and_changes_nothing(monkeypatch) -> None:
    one, other, actor = researcher(), researcher(), curator()
    said = different(one, other, actor)
    monkeypatch.setattr(merging, "revoke_assertions", breaking(merging.revoke_assertions, calls=EVERY))
    with pytest.raises(Busy):
        merging.undo_act(
            kind="assertions", numbers=[said.pk], candidate=None, actor=actor, reason="a mistake", key="1" * 32
        )
    assert Assertion.objects.filter(revoked=False).count() == 1
