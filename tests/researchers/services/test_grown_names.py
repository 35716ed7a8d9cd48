"""Names that have grown: their bearers are told apart anew, by the night or with a large batch."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from papers.models import Paper
from researchers.models import Attribution, NameBlock, Researcher
from researchers.services.attribution import attribute_all_grown, attribute_everything, batch, count_grown, growth
from researchers.services.attribution.outcome import Outcome
from researchers.services.decisions import decide_is, decide_is_not
from researchers.tasks import attribute_grown
from tests.researchers.harvested import (
    harvest,
    listed,
    many_people,
    names_of,
    pair,
    place,
    researcher,
    shown,
    sources,
    who,
    work,
)
from tests.researchers.matching.building import COMMON
from tests.researchers.people import curator, different, faults, merge, undo
from wovepaper.pipeline.models import WorkItem

pytestmark = pytest.mark.django_db
WORDS = ["".join(pair).capitalize() for pair in itertools.product("bdfghklmnprst", repeat=2)]
TEAM = ("Quade Zwirn", "Quiller Zettel", "Quentin Zobel", "Quirin Zacke")


@pytest.fixture(autouse=True)
def _with_sources(db: None) -> Iterator[None]:
    many_people(*COMMON)
    with sources():
        yield
    assert faults() == []


@pytest.fixture
def someone(db: None) -> User:
    return curator()


def apart_and_then_alike(number: int = 2) -> list[Paper]:
    """Papers of one common name that came in with nothing in common, and have a team in common since."""
    papers = [harvest(work("Yang Liu", doi=f"10.5555/grown.{one}"))[0] for one in range(number)]
    assert len({who(paper) for paper in papers}) == number
    for one in range(number):
        harvest(work("Yang Liu", *TEAM, doi=f"10.5555/grown.{one}", title="woven lattices", stamp="2021-01-01"))
    assert len({who(paper) for paper in papers}) == number
    return papers


def blocks() -> dict[str, tuple[int, int]]:
    return {row.key: (row.together, row.since) for row in NameBlock.objects.all()}


def here_for(days: int, *numbers: int | None) -> None:
    Researcher.objects.filter(pk__in=numbers).update(created_at=timezone.now() - dt.timedelta(days=days))


def test_growth_is_counted_by_family_name_and_initial() -> None:
    harvest(work("Ada Weaver", "A. Weaver"), work("Ada Weaver", "李明"))
    assert blocks() == {"weaver a": (3, 0), "=李明": (1, 0)}
    harvest(work("Anna Weaver", doi="10.5555/grown.1"))
    assert blocks()["weaver a"] == (3, 1)
    # What is harvested again has not grown.
    harvest(work("Anna Weaver", doi="10.5555/grown.1", title="another", stamp="2021-01-01"))
    assert blocks()["weaver a"] == (3, 1)
    assert count_grown() == 4
    attribute_everything()
    assert blocks() == {"weaver a": (4, 0), "=李明": (1, 0)}
    assert count_grown() == 0


def test_those_who_came_too_early_to_be_joined_are_joined_by_night() -> None:
    papers = apart_and_then_alike()
    first, second = (who(paper) for paper in papers)
    others = [who(paper, position) for paper in papers for position in range(2, 6)]
    WorkItem.objects.all().delete()
    assert blocks()["liu y"] == (1, 1)
    assert attribute_grown() == 10
    assert {who(paper) for paper in papers} == {first}
    assert [who(paper, position) for paper in papers for position in range(2, 6)] == others
    assert second not in shown()
    assert researcher(second).paper_count == 0
    # Whoever is shown otherwise is found otherwise.
    assert set(WorkItem.objects.filter(kind="paper", stage="index").values_list("object_id", flat=True)) == {
        papers[1].pk
    }
    assert {first, second} <= set(WorkItem.objects.filter(kind="researcher").values_list("object_id", flat=True))
    assert blocks()["liu y"] == (2, 0)
    assert attribute_grown() == 0


def test_those_who_were_put_together_too_early_are_parted() -> None:
    """A name that seemed rare turns out to be common."""
    NameBlock.objects.all().delete()
    papers = harvest(work("Quitterie Zundel"), work("Quitterie Zundel"))
    (one,) = {who(paper) for paper in papers}
    harvest(work("Quitta Zundel"))
    many_people(*(f"{word}a Zundel" for word in WORDS), *(f"Quitterie {word}er" for word in WORDS))
    assert attribute_grown() == 3
    assert len({who(paper) for paper in papers}) == 2
    assert one in {who(paper) for paper in papers}


def test_nobody_known_for_long_is_left_without_a_paper() -> None:
    papers = apart_and_then_alike()
    before = [who(paper) for paper in papers]
    here_for(31, *before)
    attribute_grown()
    assert [who(paper) for paper in papers] == before
    assert pair(*before) <= listed()


def test_of_somebody_known_and_somebody_new_the_known_one_stays() -> None:
    papers = apart_and_then_alike(3)
    first, second, third = (who(paper) for paper in papers)
    here_for(31, third)
    here_for(29, first, second)
    attribute_grown()
    assert {who(paper) for paper in papers} == {third}


def test_what_people_decided_stays(someone: User) -> None:
    papers = apart_and_then_alike(5)
    people = [who(paper) for paper in papers]
    different(researcher(people[0]), researcher(people[1]), someone)
    decide_is_not(authorship=place(papers[2]).pk, researcher=people[0] or 0, actor=someone, reason="no")
    decide_is(authorship=place(papers[3]).pk, researcher=people[3] or 0, actor=someone, reason="his own page")
    event = merge(researcher(people[4]), researcher(people[3]), someone).event
    NameBlock.objects.filter(key="liu y").update(since=5)
    attribute_grown()
    assert who(papers[0]) != who(papers[1])
    assert who(papers[2]) != people[0]
    assert Attribution.objects.get(authorship=place(papers[3])).base_id == people[3]
    assert who(papers[4]) == people[3]
    undo(event, someone)
    assert who(papers[4]) == people[4]


def test_a_large_batch_does_not_wait_for_the_night(monkeypatch: pytest.MonkeyPatch) -> None:
    papers = apart_and_then_alike()
    first, _ = (who(paper) for paper in papers)
    monkeypatch.setattr(batch, "LARGE", 2)
    WorkItem.objects.all().delete()
    harvest(work("Yang Liu", *TEAM, title="woven lattices"), work("Bo Spindle"))
    assert {who(paper) for paper in papers} == {first}
    assert blocks()["liu y"] == (3, 0)
    # The batch itself goes on through the pipeline; the other paper is let in again.
    assert set(WorkItem.objects.filter(kind="paper", reason="attribute").values_list("object_id", flat=True)) == {
        papers[1].pk
    }


def test_a_small_batch_waits_for_the_night() -> None:
    papers = apart_and_then_alike()
    before = [who(paper) for paper in papers]
    harvest(work("Yang Liu", *TEAM, title="woven lattices"))
    assert [who(paper) for paper in papers] == before


def test_many_names_are_done_one_transaction_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    papers = apart_and_then_alike()
    harvest(work("Ada Weaver"))
    harvest(work("Ada Weaver"))
    monkeypatch.setattr(growth, "MOST_AT_ONCE", 1)
    done: list[int] = []
    assert count_grown() == 12
    report = attribute_all_grown(advance=done.append)
    assert (report.regrouped, sum(done)) == (12, 12)
    assert len({who(paper) for paper in papers}) == 1
    assert count_grown() == 0


def test_what_fails_is_done_the_next_night(monkeypatch: pytest.MonkeyPatch) -> None:
    papers = apart_and_then_alike()
    with monkeypatch.context() as patched:
        patched.setattr(Outcome, "write", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            attribute_all_grown()
    assert blocks()["liu y"] == (1, 1)
    attribute_all_grown()
    assert len({who(paper) for paper in papers}) == 1


def test_the_command_says_what_came_of_it() -> None:
    apart_and_then_alike()
    out = StringIO()
    call_command("attribute", "--grown", stdout=out, stderr=StringIO())
    assert out.getvalue().startswith("10 authors of names that have grown decided anew: ")
    out = StringIO()
    call_command("attribute", "--grown", stdout=out, stderr=StringIO())
    assert out.getvalue().startswith("0 authors of names that have grown decided anew: 0 changed, 0 new researchers")


def test_names_stay_those_of_who_keeps_the_number() -> None:
    papers = apart_and_then_alike()
    first, second = (who(paper) for paper in papers)
    attribute_grown()
    assert names_of(first) == ["Yang Liu"]
    assert names_of(second) == ["Yang Liu"]  # it leads to nobody, and is theirs should the papers go back
