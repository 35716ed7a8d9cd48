"""The queue of candidates, with researchers in it."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from researchers.merging import ADAPTER
from researchers.models import (
    Candidate,
    ResearcherIdentifier,
)
from tests.researchers.people import (
    curator,
    different,
    merge,
    orcid,
    researcher,
    undo,
)
from wovepaper.curation import queue
from wovepaper.curation.services import (
    CandidateDraft,
    LeaseLost,
    NotPermitted,
    file_candidates,
    lease,
    lease_next,
    release,
    snooze,
)

pytestmark = pytest.mark.django_db


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
