"""Objections to attributions: kept for curators, bounded, and without effect of their own."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from papers.models import Authorship
from researchers.models import Attribution, Contest
from researchers.services import contests
from researchers.services.contests import open_contest
from researchers.services.errors import ContestRefused, ContestStale, TooMany
from tests.researchers.people import arrive, curator, merge, paper, place, researcher, shown
from tests.researchers.test_concurrency import at_once
from wovepaper.pipeline.models import WorkItem

WHY = "She never worked on looms."


def reader(name: str = "reader"):
    return curator(name, [])


@pytest.mark.django_db
class TestOpening:
    def test_this_is_not_them(self) -> None:
        a, one = researcher(), reader()
        at = arrive(a)
        kept = open_contest(reader=one, authorship=at.pk, seen=a.pk, reason=f"  {WHY}\n ")
        assert Contest.objects.get() == kept
        assert (kept.user_id, kept.authorship_id, kept.paper_id, kept.printed_name) == (
            one.pk, at.pk, at.paper_id, "A. Weaver",
        )  # fmt: skip
        assert (kept.attributed_id, kept.claimed, kept.reason, kept.state) == (a.pk, None, WHY, "open")
        assert shown(at) == a.pk

    def test_this_is_somebody_else(self) -> None:
        a, b = researcher(), researcher()
        at = arrive(a)
        assert open_contest(reader=reader(), authorship=at.pk, seen=a.pk, reason=WHY, claimed=b).claimed == b
        assert shown(at) == a.pk

    def test_somebody_where_nobody_was(self) -> None:
        b, at = researcher(), place(paper("A. Weaver"))
        kept = open_contest(reader=reader(), authorship=at.pk, seen=None, reason=WHY, claimed=b)
        assert (kept.attributed, kept.claimed) == (None, b)
        assert Attribution.objects.count() == 0

    def test_the_base_is_kept_that_was_shown_as_its_root(self) -> None:
        a, b = researcher(), researcher()
        at = arrive(a)
        merge(a, b, curator())
        assert open_contest(reader=reader(), authorship=at.pk, seen=b.pk, reason=WHY).attributed_id == a.pk

    def test_said_again_it_is_replaced(self) -> None:
        a, b, one = researcher(), researcher(), reader()
        at = arrive(a)
        open_contest(reader=one, authorship=at.pk, seen=a.pk, reason=WHY)
        open_contest(reader=one, authorship=at.pk, seen=a.pk, reason="It is the other Ada.", claimed=b)
        open_contest(reader=reader("other"), authorship=at.pk, seen=a.pk, reason=WHY)
        assert list(Contest.objects.order_by("pk").values_list("reason", "claimed")) == [
            ("It is the other Ada.", b.pk), (WHY, None),
        ]  # fmt: skip

    def test_after_an_answer_it_may_be_said_anew(self) -> None:
        a, one = researcher(), reader()
        at = arrive(a)
        first = open_contest(reader=one, authorship=at.pk, seen=a.pk, reason=WHY)
        Contest.objects.update(state="declined", handled_at=timezone.now())
        assert open_contest(reader=one, authorship=at.pk, seen=a.pk, reason=WHY).pk != first.pk

    @pytest.mark.parametrize("reason", ["", "   ", "Too short", "x" * 2_001])
    def test_a_reason_is_neither_missing_nor_a_book(self, reason: str) -> None:
        a = researcher()
        at = arrive(a)
        with pytest.raises(ContestRefused, match="Say why, in 10 to 2,000 characters"):
            open_contest(reader=reader(), authorship=at.pk, seen=a.pk, reason=reason)
        assert Contest.objects.count() == 0

    def test_what_makes_no_sense(self) -> None:
        a = researcher()
        at, free = arrive(a), place(paper("A. Weaver"))
        for sentence, values in {
            "attributed to nobody, so there is nobody": {"authorship": free.pk, "seen": None},
            "attributed to that researcher already": {"authorship": at.pk, "seen": a.pk, "claimed": a},
            "no such author any more": {"authorship": 987_654, "seen": None},
        }.items():
            with pytest.raises(ContestRefused, match=sentence):
                open_contest(**{"reader": reader(), "reason": WHY} | values)
        Authorship.objects.filter(pk=free.pk).update(is_collaboration=True)
        with pytest.raises(ContestRefused, match="A collaboration is attributed to nobody"):
            open_contest(reader=reader(), authorship=free.pk, seen=None, reason=WHY, claimed=a)
        assert Contest.objects.count() == 0

    def test_what_has_changed_since_is_looked_at_again(self) -> None:
        a, b = researcher(), researcher()
        at = arrive(a)
        with pytest.raises(ContestStale):
            open_contest(reader=reader(), authorship=at.pk, seen=b.pk, reason=WHY)
        with pytest.raises(ContestStale):
            open_contest(reader=reader(), authorship=at.pk, seen=None, reason=WHY, claimed=b)

    def test_a_reader_has_limits_of_their_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(contests, "A_DAY", 2)
        monkeypatch.setattr(contests, "OPEN_AT_ONCE", 3)
        a, one = researcher(), reader()
        places = [arrive(a) for _ in range(4)]

        def contest(number: int, by: object = one) -> Contest:
            return open_contest(reader=by, authorship=places[number].pk, seen=a.pk, reason=WHY)

        contest(0), contest(1)
        with pytest.raises(TooMany, match="At most 2 objections a day"):
            contest(2)
        contest(1)  # an open one may be changed
        contest(2, reader("other"))
        Contest.objects.filter(user=one).update(created_at=timezone.now() - dt.timedelta(days=2))
        contest(2)
        with pytest.raises(TooMany, match="3 of your objections wait for an answer"):
            contest(3)

    def test_it_outlives_the_author_whom_a_source_drops(self) -> None:
        a = researcher()
        at = arrive(a)
        kept = open_contest(reader=reader(), authorship=at.pk, seen=a.pk, reason=WHY)
        Authorship.objects.filter(pk=at.pk).delete()
        kept.refresh_from_db()
        assert (kept.authorship, kept.printed_name) == (None, "A. Weaver")


@pytest.mark.django_db(transaction=True)
def test_two_at_once_are_one_open_objection() -> None:
    a, one = researcher(), reader()
    at = arrive(a)
    results = at_once(*(lambda: open_contest(reader=one, authorship=at.pk, seen=a.pk, reason=WHY) for _ in range(3)))
    assert [type(result) for result in results] == [Contest] * 3
    assert Contest.objects.count() == 1
    WorkItem.objects.all().delete()
