"""Readers' votes: one for each pair, changeable, counted by roots, and raised in the queue without merging."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from researchers.merging import ADAPTER
from researchers.models import Candidate, MergeEvent, Researcher, SamePersonVote
from researchers.services import votes
from researchers.services.errors import TooMany, VoteRefused
from researchers.services.votes import Tally, cast_vote, tallies, votes_of
from tests.researchers.people import arrive, curator, different, merge, researcher, undo
from tests.researchers.test_concurrency import at_once
from wovepaper.curation.services import CandidateDraft, file_candidates, waiting
from wovepaper.pipeline.models import WorkItem


def reader(name: str = "reader"):
    return curator(name, [])


def pair() -> tuple[Researcher, Researcher]:
    a, b = researcher(), researcher()
    arrive(a), arrive(b), arrive(b)
    return a, b


def queue() -> list[tuple[list[int], float, list[object], str]]:
    return [(row.members, row.score, row.reasons, row.state) for row in Candidate.objects.order_by("pk")]


@pytest.mark.django_db
class TestCasting:
    def test_a_vote_is_kept_and_files_the_pair(self) -> None:
        a, b = pair()
        assert cast_vote(voter=reader(), one=b.pk, other=a.pk, verdict="same") == Tally(same=1)
        vote = SamePersonVote.objects.get()
        assert (vote.a_id, vote.b_id, vote.verdict) == (a.pk, b.pk, "same")
        said = {"text": "1 reader says that they are the same person", "kept": True, "score": 0.55}
        assert queue() == [([a.pk, b.pk], 0.55, [said], "open")]
        assert Candidate.objects.get().rows_affected == 1
        assert MergeEvent.objects.count() == 0
        assert Researcher.objects.filter(merged_into=None).count() == 2

    def test_it_can_be_changed_and_never_doubled(self) -> None:
        a, b = pair()
        one = reader()
        cast_vote(voter=one, one=a.pk, other=b.pk, verdict="same")
        assert cast_vote(voter=one, one=b.pk, other=a.pk, verdict="different") == Tally(different=1)
        assert [vote.verdict for vote in SamePersonVote.objects.all()] == ["different"]
        assert Candidate.objects.get().reasons[0]["text"] == "1 reader says different people"

    def test_votes_of_several_readers_add_up_and_rise_no_higher_than_the_limit(self) -> None:
        a, b = pair()
        for number in range(8):
            cast_vote(voter=reader(f"r{number}"), one=a.pk, other=b.pk, verdict="same")
        found = cast_vote(voter=reader("other"), one=a.pk, other=b.pk, verdict="different")
        assert found == Tally(8, 1)
        ((_, score, reasons, _),) = queue()
        assert score == votes.MOST_RAISED
        assert reasons[0]["text"] == "8 readers say that they are the same person, 1 reader says different people"

    def test_what_the_model_found_stays_and_is_raised(self) -> None:
        a, b = pair()
        draft = CandidateDraft(members=(a.pk, b.pk), score=0.42, reasons=["a venue in common"], rows_affected=7)
        file_candidates(ADAPTER, [draft])
        cast_vote(voter=reader(), one=a.pk, other=b.pk, verdict="same")
        ((_, score, reasons, _),) = queue()
        assert (score, reasons[0], reasons[1]["text"]) == (
            0.55, "a venue in common", "1 reader says that they are the same person",
        )  # fmt: skip
        assert Candidate.objects.get().rows_affected == 7

    def test_votes_outlive_what_is_filed_anew(self) -> None:
        a, b = pair()
        cast_vote(voter=reader(), one=a.pk, other=b.pk, verdict="same")
        file_candidates(ADAPTER, [CandidateDraft(members=(a.pk, b.pk), score=0.41, reasons=["a new reason"])])
        ((_, score, reasons, _),) = queue()
        assert (score, reasons[0], reasons[1]["text"]) == (
            0.55, "a new reason", "1 reader says that they are the same person",
        )  # fmt: skip
        file_candidates(ADAPTER, [CandidateDraft(members=(a.pk, b.pk), score=0.93, reasons=[])])
        assert Candidate.objects.get().score == 0.93

    def test_different_people_lower_nothing_that_was_found_otherwise(self) -> None:
        a, b = pair()
        file_candidates(ADAPTER, [CandidateDraft(members=(a.pk, b.pk), score=0.8)])
        cast_vote(voter=reader(), one=a.pk, other=b.pk, verdict="different")
        assert Candidate.objects.get().score == 0.8

    def test_what_curators_told_apart_stays_out_of_the_queue(self) -> None:
        a, b = pair()
        different(a, b, curator())
        assert cast_vote(voter=reader(), one=a.pk, other=b.pk, verdict="same") == Tally(same=1)
        assert list(waiting(ADAPTER)) == []

    def test_merged_numbers_stand_for_their_survivors(self) -> None:
        a, b = pair()
        c = researcher()
        arrive(c)
        event = merge(c, a, curator()).event
        one = reader()
        assert cast_vote(voter=one, one=c.pk, other=b.pk, verdict="same") == Tally(same=1)
        assert SamePersonVote.objects.get().a_id == a.pk
        undo(event, curator())
        assert tallies([(a.pk, b.pk), (b.pk, c.pk)]) == {(a.pk, b.pk): Tally(same=1)}

    def test_votes_on_members_are_counted_by_roots_and_a_reader_once(self) -> None:
        a, b = pair()
        c = researcher()
        arrive(c)
        one = reader()
        cast_vote(voter=one, one=a.pk, other=c.pk, verdict="same")
        cast_vote(voter=one, one=b.pk, other=c.pk, verdict="different")
        merge(b, a, curator())
        assert tallies([(c.pk, a.pk)]) == {(a.pk, c.pk): Tally(different=1)}
        assert votes_of(voter=one.pk, pairs=[(c.pk, a.pk)]) == {(a.pk, c.pk): "different"}

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"other": 987_654}, "There is no such researcher."),
            ({"verdict": "perhaps"}, "A vote says “same” or “different”."),
            ({"verdict": ""}, "A vote says “same” or “different”."),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, change: dict[str, object], sentence: str) -> None:
        a, b = pair()
        with pytest.raises(VoteRefused, match=sentence):
            cast_vote(**{"voter": reader(), "one": a.pk, "other": b.pk, "verdict": "same"} | change)
        assert (SamePersonVote.objects.count(), Candidate.objects.count()) == (0, 0)

    def test_one_person_and_the_erased_are_no_pair(self) -> None:
        a, b = pair()
        with pytest.raises(VoteRefused, match="one person already"):
            cast_vote(voter=reader(), one=a.pk, other=a.pk, verdict="same")
        Researcher.objects.filter(pk=b.pk).update(erased_at=timezone.now())
        with pytest.raises(VoteRefused, match="no such researcher"):
            cast_vote(voter=reader(), one=a.pk, other=b.pk, verdict="same")
        Researcher.objects.filter(pk=b.pk).update(erased_at=None)
        merge(b, a, curator())
        with pytest.raises(VoteRefused, match="one person already"):
            cast_vote(voter=reader(), one=a.pk, other=b.pk, verdict="same")

    def test_a_reader_has_a_limit_of_their_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(votes, "VOTES_AN_HOUR", 2)
        monkeypatch.setattr(votes, "VOTES_A_DAY", 3)
        a = researcher()
        others = [researcher() for _ in range(4)]
        one = reader()

        def vote(other: Researcher, voter: object = one) -> Tally:
            return cast_vote(voter=voter, one=a.pk, other=other.pk, verdict="same")

        vote(others[0]), vote(others[1])
        with pytest.raises(TooMany, match="At most 2 votes an hour"):
            vote(others[2])
        assert vote(others[2], reader("another")) == Tally(same=1)
        SamePersonVote.objects.filter(user=one).update(cast_at=timezone.now() - dt.timedelta(hours=2))
        vote(others[2])
        with pytest.raises(TooMany, match="At most 3 votes a day"):
            vote(others[3])

    def test_an_account_takes_its_votes_along(self) -> None:
        a, b = pair()
        one = reader()
        cast_vote(voter=one, one=a.pk, other=b.pk, verdict="same")
        one.delete()
        assert SamePersonVote.objects.count() == 0


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    @pytest.fixture(autouse=True)
    def _no_work_left(self):
        yield
        WorkItem.objects.all().delete()

    @pytest.mark.parametrize("verdicts", [("same", "same"), ("same", "different")])
    def test_two_of_one_reader_are_one_row(self, verdicts: tuple[str, str]) -> None:
        a, b = pair()
        one = reader()
        works = [
            lambda verdict=verdict: cast_vote(voter=one, one=a.pk, other=b.pk, verdict=verdict) for verdict in verdicts
        ]
        assert [type(result) for result in at_once(*works)] == [Tally, Tally]
        assert SamePersonVote.objects.count() == 1
        assert Candidate.objects.get().reasons[0]["text"].startswith("1 reader says")

    def test_those_of_many_readers_are_all_counted_in_one_item(self) -> None:
        a, b = pair()
        readers = [reader(f"r{number}") for number in range(6)]
        results = at_once(
            *(lambda one=one: cast_vote(voter=one, one=a.pk, other=b.pk, verdict="same") for one in readers)
        )
        assert sorted(result.same for result in results) == [1, 2, 3, 4, 5, 6]
        assert Candidate.objects.get().reasons[0]["text"] == "6 readers say that they are the same person"

    def test_a_vote_and_the_merge_of_its_pair(self) -> None:
        a, b = pair()
        someone, one = curator(), reader()
        vote, merged = at_once(
            lambda: cast_vote(voter=one, one=a.pk, other=b.pk, verdict="same"), lambda: merge(b, a, someone)
        )
        assert type(merged).__name__ == "MergeOutcome"
        assert type(vote) in (Tally, VoteRefused)
        assert list(waiting(ADAPTER)) == []
