"""Real transactions at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from django.db import connections, transaction

from papers.models import Authorship
from researchers.merging import ADAPTER
from researchers.models import Attribution, Candidate, MergeEvent, Researcher, ResearcherIdentifier, SamePersonVote
from researchers.services import votes
from researchers.services.attributions import AttributionDraft, write_attributions
from researchers.services.decisions import decide_is, decide_is_not
from researchers.services.errors import TooMany
from researchers.services.identifiers import settle_identifier
from researchers.services.merging import merge_several
from tests.researchers.people import (
    arrive,
    curator,
    different,
    faults,
    give,
    merge,
    orcid,
    paper,
    place,
    researcher,
    undo,
)
from wovepaper.curation.services import (
    Blocked,
    Busy,
    CandidateDraft,
    Conflict,
    CurationError,
    MergeOutcome,
    file_candidates,
    lease_next,
    lock_components_of,
)
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_work_left() -> Iterator[None]:
    yield
    WorkItem.objects.all().delete()


def at_once(*works: Callable[[], object]) -> list[object]:
    """Run all in threads that start together; each gives its result, or what it raised."""
    barrier = threading.Barrier(len(works))
    results: list[object] = [None] * len(works)

    def run(number: int, work: Callable[[], object]) -> None:
        try:
            connections["default"].ensure_connection()
            barrier.wait(30)
            results[number] = work()
        except Exception as error:
            results[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def waits_for_a_lock(work: Callable[[], object]) -> threading.Thread:
    """Start ``work`` and return once the database has it waiting for somebody's lock."""
    thread = threading.Thread(target=lambda: at_once(work))
    thread.start()
    for _ in range(600):
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return thread
        thread.join(0.02)
    raise AssertionError("it never waited")


@pytest.mark.parametrize("turn", range(5))
def test_19_opposite_merges_at_once_are_one_event_and_one_conflict(turn: int) -> None:
    one, other = curator(), curator()
    a, b = researcher(), researcher()
    arrive(a), arrive(b)
    shown = {a.pk: 1, b.pk: 1}
    works = [lambda: merge(a, b, one, versions=shown), lambda: merge(b, a, other, versions=shown)]
    results = at_once(*(works if turn % 2 else works[::-1]))
    assert sorted(type(result).__name__ for result in results) == ["Conflict", "MergeOutcome"]
    (conflict,) = [result for result in results if isinstance(result, Conflict)]
    (outcome,) = [result for result in results if isinstance(result, MergeOutcome)]
    assert [event.pk for event in MergeEvent.objects.all()] == [outcome.event.pk]
    assert {entry.user_id for change in conflict.changes for entry in change.entries} == {outcome.event.actor_id}
    assert faults() == []


def test_the_same_form_sent_four_times_at_once_is_one_event() -> None:
    actor = curator()
    a, b = researcher(), researcher()
    results = at_once(*[lambda: merge(a, b, actor, versions={a.pk: 1, b.pk: 1}, key="form-1")] * 4)
    assert [type(result) for result in results] == [MergeOutcome] * 4
    assert len({result.event.pk for result in results}) == 1
    assert sorted(result.repeated for result in results) == [False, True, True, True]
    assert MergeEvent.objects.count() == 1


def test_the_same_undo_sent_twice_at_once_is_one_event() -> None:
    actor = curator()
    a, b = researcher(), researcher()
    event = merge(a, b, actor).event
    results = at_once(*[lambda: undo(event, actor, key="undo-1")] * 2)
    assert len({result.event.pk for result in results}) == 1
    assert MergeEvent.objects.filter(kind="undo").count() == 1
    assert Researcher.objects.get(pk=a.pk).root_id == a.pk


def test_what_is_being_attributed_is_shown_under_the_survivor() -> None:
    """The merge waits for the writer, and then moves what it wrote."""
    actor = curator()
    a, b = researcher(), researcher()
    at = place(paper("A. Weaver"))
    with transaction.atomic():
        give(at, a)
        thread = waits_for_a_lock(lambda: merge(a, b, actor))
    thread.join(60)
    assert Attribution.objects.values_list("base", "root").get() == (a.pk, b.pk)
    assert faults() == []


def test_who_attributes_during_a_merge_waits_and_sees_the_new_root() -> None:
    actor = curator()
    a, b = researcher(), researcher()
    at = place(paper("A. Weaver"))
    with transaction.atomic():
        merge(a, b, actor)
        thread = waits_for_a_lock(lambda: give(at, a))
    thread.join(60)
    assert Attribution.objects.values_list("base", "root").get() == (a.pk, b.pk)
    assert faults() == []


def test_nobody_gets_onto_a_paper_twice_by_a_merge_at_the_same_time() -> None:
    actor = curator()
    a, b = researcher(), researcher()
    work = paper("A. Weaver", "Ada Weaver")
    arrive(a, place(work, 1))
    with transaction.atomic():
        merge(a, b, actor)
        thread = waits_for_a_lock(lambda: give(place(work, 2), b))
    thread.join(60)
    assert list(Attribution.objects.values_list("base", flat=True)) == [a.pk]
    # And the other way about: the merge waits, then finds both on the paper.
    c, d = researcher(), researcher()
    work = paper("C. Weaver", "D. Weaver")
    arrive(c, place(work, 1))
    results: list[object] = []
    with transaction.atomic():
        give(place(work, 2), d)
        thread = waits_for_a_lock(lambda: results.extend(at_once(lambda: merge(c, d, actor))))
    thread.join(60)
    assert isinstance(results[0], Blocked)
    assert faults() == []


def test_merges_undos_and_arrivals_all_at_once_leave_no_wrong_row() -> None:
    actors = [curator() for _ in range(3)]
    people = [researcher() for _ in range(6)]
    places = [place(paper("A. Weaver")) for _ in range(60)]

    def curate(number: int) -> None:
        for turn in range(12):
            one, other = people[(turn + number) % 6], people[(turn * 5 + number * 2 + 1) % 6]
            try:
                event = merge(one, other, actors[number]).event
            except Exception as error:
                assert type(error).__name__ in {"Conflict", "NotMergeable"}, error  # noqa: PT017
                continue
            if turn % 2:
                undo(event, actors[number])

    def attribute(number: int) -> None:
        for first in range(number * 30, number * 30 + 30, 5):
            drafts = [
                AttributionDraft(at.pk, at.paper_id, people[(first + offset) % 6].pk, "model")
                for offset, at in enumerate(places[first : first + 5])
            ]
            assert write_attributions(drafts).refused == {}

    works = [lambda number=number: curate(number) for number in range(3)]
    works += [lambda number=number: attribute(number) for number in range(2)]
    assert at_once(*works) == [None] * 5
    assert Attribution.objects.count() == 60
    assert faults() == []


def test_different_and_merge_at_once_never_both() -> None:
    one, other = curator(), curator()
    a, b = researcher(), researcher()
    results = at_once(lambda: merge(a, b, one, versions={a.pk: 1, b.pk: 1}), lambda: different(a, b, other))
    assert sum(isinstance(result, Exception) for result in results) == 1
    assert faults() == []


def test_two_curators_never_lease_the_same_candidate() -> None:
    actors = [curator() for _ in range(4)]
    people = [researcher() for _ in range(9)]
    file_candidates(ADAPTER, [CandidateDraft(members=(people[0].pk, one.pk)) for one in people[1:]])
    results = at_once(*[lambda actor=actor: lease_next(ADAPTER, actor=actor, count=2) for actor in actors])
    leased = [row.pk for rows in results for row in rows]
    assert len(leased) == len(set(leased))
    assert Candidate.objects.exclude(leased_to=None).count() == len(leased)


def test_an_author_who_leaves_while_they_are_attributed_gets_nothing() -> None:
    a = researcher()
    at = place(paper("A. Weaver"))
    with transaction.atomic():
        Authorship.objects.filter(pk=at.pk).delete()
        thread = waits_for_a_lock(lambda: give(at, a))
    thread.join(60)
    assert Attribution.objects.count() == 0


@pytest.mark.parametrize("turn", range(4))
def test_decisions_about_one_author_and_merges_of_their_researchers_at_once_all_end(turn: int) -> None:
    people = [curator() for _ in range(4)]
    first, second, third = researcher(), researcher(), researcher()
    wanted = arrive(first).pk
    arrive(second), arrive(third)
    shown = {one.pk: 1 for one in (first, second, third)}
    works: list[Callable[[], object]] = [
        lambda: decide_is(authorship=wanted, researcher=second.pk, actor=people[0], reason="theirs"),
        lambda: decide_is(authorship=wanted, researcher=third.pk, actor=people[1], reason="theirs"),
        lambda: decide_is_not(authorship=wanted, researcher=first.pk, actor=people[2], reason="not theirs"),
        lambda: merge(first, third, people[3], versions=shown),
        lambda: merge_several(
            survivor=first.pk, losers=[second.pk], actor=people[3], reason="one", versions=dict(shown), key="0" * 32
        ),
    ]
    results = at_once(*(works[turn:] + works[:turn]))
    assert [
        result for result in results if isinstance(result, Exception) and not isinstance(result, CurationError)
    ] == []
    assert [result for result in results if isinstance(result, Busy)] == []
    assert faults() == []


def test_what_is_found_to_be_another_once_it_is_locked_is_looked_for_again() -> None:
    first, second = researcher(), researcher()
    found = iter([[first.pk], [second.pk], [second.pk], [second.pk]])
    with transaction.atomic():
        assert set(lock_components_of(ADAPTER, lambda: next(found))) == {second.pk}
    assert list(found) == []
    never_the_same = iter([first.pk, second.pk] * 9)
    with transaction.atomic(), pytest.raises(Busy):
        lock_components_of(ADAPTER, lambda: [next(never_the_same)])


@pytest.mark.parametrize("turn", range(3))
def test_an_orcid_trusted_for_two_at_once_ends_with_one(turn: int) -> None:
    people = [curator() for _ in range(2)]
    for _ in range(2):
        orcid(researcher(), "0000-0002-1825-0097", state="conflict")
    rows = ResearcherIdentifier.objects.order_by("pk")
    works = [
        lambda row=row, actor=actor: settle_identifier(identifier=row.pk, trusted=True, actor=actor, reason="theirs")
        for row, actor in zip(rows, people, strict=True)
    ]
    results = at_once(*(works if turn % 2 else works[::-1]))
    assert [result for result in results if isinstance(result, Exception)] == []
    assert sorted(ResearcherIdentifier.objects.values_list("state", flat=True)) == ["deprecated", "trusted"]


def test_more_votes_than_are_taken_sent_at_once(monkeypatch) -> None:
    monkeypatch.setattr(votes, "VOTES_AN_HOUR", 2)
    reader = curator("reader", [])
    pairs = [(researcher().pk, researcher().pk) for _ in range(6)]
    works = [
        lambda pair=pair: votes.cast_vote(voter=reader, one=pair[0], other=pair[1], verdict="same") for pair in pairs
    ]
    results = at_once(*works)
    assert [type(result) for result in results if isinstance(result, Exception)] == [TooMany] * 4
    assert SamePersonVote.objects.count() == 2
