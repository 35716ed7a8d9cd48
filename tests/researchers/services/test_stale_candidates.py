"""Items that looking anew does not find: which of them stay in the curators' queue."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from accounts.models import User
from researchers.models import AttributedPaper, Attribution, Candidate, Researcher, ResearcherIdentifier
from researchers.services.attribution import find_duplicates
from researchers.services.decisions import decide_is_not
from tests.researchers.people import arrive, curator, merge, paper, place, researcher
from wovepaper.curation.services import CandidateDraft

pytestmark = pytest.mark.django_db

EARLIER = dt.timedelta(hours=1)


def two() -> tuple[Researcher, Researcher]:
    """Two with a paper each, whose names have nothing in common."""
    one, other = researcher("Ada Weaver"), researcher("Bo Spindle")
    arrive(one), arrive(other, place(paper("Bo Spindle")))
    return one, other


def item(*people: Researcher, kind: str = "pair", key: str = "", **fields: object) -> Candidate:
    """One that nothing speaks for, filed now."""
    draft = CandidateDraft(members=tuple(sorted(person.pk for person in people)), kind=kind, key=key)
    return Candidate.objects.create(
        kind=kind, key=draft.identity, members=list(draft.members), **{"rows_affected": 1, **fields}
    )


def file_earlier(row: Candidate) -> None:
    """As if what the members have had come since."""
    Candidate.objects.filter(pk=row.pk).update(filed_at=timezone.now() - EARLIER)


def survives(row: Candidate) -> bool:
    removed = find_duplicates().removed
    there = Candidate.objects.filter(pk=row.pk).exists()
    assert removed == (not there)
    return there


@pytest.mark.parametrize("kind", ["pair", "group", "split"])
def test_nothing_happened_since_it_was_filed(kind: str) -> None:
    one, other = two()
    assert survives(item(one, other, kind=kind, key="" if kind == "pair" else f"{kind}:x"))


@pytest.mark.parametrize("kind", ["pair", "group", "split"])
def test_a_paper_came_since(kind: str) -> None:
    one, other = two()
    row = item(one, other, kind=kind, key="" if kind == "pair" else f"{kind}:x")
    file_earlier(row)
    assert not survives(row)


def test_a_paper_was_looked_at_again_since() -> None:
    one, other = two()
    row = item(one, other)
    Attribution.objects.update(decided_at=timezone.now() - 2 * EARLIER)
    seen = AttributedPaper.objects.create(
        paper_id=Attribution.objects.get(root=one).paper_id, evidence_hash=1, attributed_at=timezone.now() - EARLIER
    )
    assert survives(row)
    AttributedPaper.objects.filter(pk=seen.pk).update(attributed_at=timezone.now())
    assert not survives(row)


def test_papers_left_since() -> None:
    one, other = two()
    assert not survives(item(one, other, rows_affected=2))


def test_a_curator_said_something_since(someone: User) -> None:
    one, other = two()
    at = arrive(one)
    row = item(one, other)
    Attribution.objects.update(decided_at=timezone.now() - EARLIER)
    assert survives(row)
    decide_is_not(authorship=at.pk, researcher=one.pk, actor=someone, reason="no")
    assert not survives(row)


def test_a_member_was_merged_since(someone: User) -> None:
    one, other = two()
    third = researcher("Cy Shuttle")
    arrive(third, place(paper("Cy Shuttle")))
    row = item(one, other, third, kind="group", key="group:x")
    assert survives(row)
    merge(third, one, someone)
    Candidate.objects.filter(pk=row.pk).update(state="open", members=[one.pk, other.pk])
    assert not survives(row)


@pytest.mark.parametrize("which", ["doubt", "kept", "leased", "conflict"])
def test_what_stays_whatever_happened(which: str) -> None:
    one, other = two()
    row = {
        "doubt": lambda: item(one, kind="split", key=f"doubt:{one.pk}"),
        "kept": lambda: item(one, other, reasons=[{"text": "1 reader says so", "kept": True, "score": 0.5}]),
        "leased": lambda: item(one, other, leased_to=curator(), leased_until=timezone.now() + EARLIER),
        "conflict": lambda: item(one, kind="conflict", key="conflict:x"),
    }[which]()
    file_earlier(row)
    assert survives(row)


def test_two_with_one_id_of_a_source_stay_as_long_as_they_share_it() -> None:
    one, other = two()
    row = item(one, other)
    file_earlier(row)
    for person in (one, other):
        ResearcherIdentifier.objects.create(researcher=person, scheme="openalex", value="A5000000001", state="claimed")
    assert survives(row)
    ResearcherIdentifier.objects.filter(researcher=other).update(state="deprecated")
    assert not survives(row)
