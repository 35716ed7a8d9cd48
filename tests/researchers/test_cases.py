"""The cases of identity that are about merging, each with its exact outcome."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry

from accounts.models import User
from papers.models import Authorship
from researchers.merging import ADAPTER
from researchers.models import Attribution, Decision, MergeEvent, Researcher, ResearcherName
from researchers.services.decisions import adopt_returned_authorships, decide_is_not
from researchers.services.names import hide_former_name, presentable
from tests.researchers.people import (
    arrive,
    different,
    faults,
    give,
    merge,
    paper,
    place,
    researcher,
    shown,
    undo,
)
from wovepaper.curation.services import Blocked, Conflict, resolve

pytestmark = pytest.mark.django_db


def leads_to(person: Researcher) -> int:
    found = resolve(ADAPTER, person.pk)
    assert found is not None
    return found.shown


def test_17_a_chain_whose_first_link_is_undone(someone: User) -> None:
    a, b, c = (researcher(name) for name in ("Ada Weaver", "A. Weaver", "Ada M. Weaver"))
    of_a, of_b, of_c = arrive(a), arrive(b), arrive(c)
    first = merge(a, b, someone).event
    merge(b, c, someone)
    assert [leads_to(one) for one in (a, b, c)] == [c.pk] * 3
    assert [shown(at) for at in (of_a, of_b, of_c)] == [c.pk] * 3
    undo(first, someone)
    assert [leads_to(one) for one in (a, b, c)] == [a.pk, c.pk, c.pk]
    assert [shown(at) for at in (of_a, of_b, of_c)] == [a.pk, c.pk, c.pk]
    assert Researcher.objects.get(pk=b.pk).status == "merged"
    assert Researcher.objects.get(pk=a.pk).status == "active"
    assert faults() == []


def test_18_merged_anew_elsewhere_before_the_other_link_is_undone(someone: User) -> None:
    a, b, c = researcher(), researcher(), researcher()
    of_a, of_b = arrive(a), arrive(b)
    first = merge(a, b, someone).event
    second = merge(b, c, someone).event
    undo(first, someone)
    merge(a, c, someone)
    undo(second, someone)
    assert [leads_to(one) for one in (a, b, c)] == [c.pk, b.pk, c.pk]
    assert [shown(of_a), shown(of_b)] == [c.pk, b.pk]
    assert faults() == []


def test_19_the_opposite_merge_gets_what_changed(someone: User, another: User) -> None:
    """With real parallel transactions: test_concurrency.py."""
    a, b = researcher(), researcher()
    stale = {a.pk: 1, b.pk: 1}
    event = merge(a, b, someone, versions=stale).event
    with pytest.raises(Conflict) as caught:
        merge(b, a, another, versions=stale)
    assert [(change.subject, change.seen, change.now) for change in caught.value.changes] == [
        (a.pk, 1, 2),
        (b.pk, 1, 2),
    ]
    assert [[entry.change_message for entry in change.entries] for change in caught.value.changes] == [
        [f"Merged into researcher {b.pk} (event {event.pk}): the same face"],
        [f"Took in researcher {a.pk} (event {event.pk}): the same face"],
    ]
    assert {entry.user for change in caught.value.changes for entry in change.entries} == {someone}
    assert MergeEvent.objects.count() == 1


def test_20_what_arrives_during_a_merge_goes_back_with_its_base(someone: User) -> None:
    a, b = researcher(), researcher()
    event = merge(a, b, someone).event
    before = arrive(b)
    late = arrive(a)
    assert [shown(late), shown(before)] == [b.pk, b.pk]
    outcome = undo(event, someone)
    assert [shown(late), shown(before)] == [a.pk, b.pk]
    # Both came while the two were one: they are listed, to be looked at again.
    expected = Attribution.objects.filter(authorship__in=[late, before]).order_by("pk")
    assert outcome.arrived == tuple(expected.values_list("pk", flat=True))
    assert outcome.event.evidence["arrived"] == list(outcome.arrived)
    assert faults() == []


def test_21_not_hers_stays_not_hers_when_the_authors_are_reordered_and_spelt_out(someone: User) -> None:
    hers = researcher("Ada Weaver")
    at = arrive(hers, place(paper("A. Weaver", "B. Spindle")))
    decide_is_not(authorship=at.pk, researcher=hers.pk, actor=someone, reason="she never was in Rome")
    assert shown(at) is None
    # The harvest keeps the row of an author and changes its place and spelling.
    Authorship.objects.filter(pk=at.pk).update(position=7, name="Ada Weaver")
    assert give(at, hers).refused == {at.pk: f"decided not to be researcher {hers.pk}"}
    assert give(at, hers, "orcid").refused == {at.pk: f"decided not to be researcher {hers.pk}"}
    assert shown(at) is None
    # Nor by way of somebody who is merged into her.
    other = researcher("Ada Weaver")
    arrive(other, at)
    with pytest.raises(Blocked, match="she never was in Rome"):
        merge(other, hers, someone)
    assert faults() == []


def test_21_not_hers_outlives_an_author_who_leaves_and_returns(someone: User) -> None:
    hers = researcher("Ada Weaver")
    work = paper("Ada Weaver", "Bo Spindle")
    at = arrive(hers, place(work))
    decide_is_not(authorship=at.pk, researcher=hers.pk, actor=someone, reason="no")
    Authorship.objects.filter(pk=at.pk).delete()
    assert Decision.objects.filter(authorship=None, paper=work).count() == 1
    returned = Authorship.objects.create(paper=work, position=1, name="Ada Weaver")
    assert adopt_returned_authorships(papers=[work.pk]) == 1
    assert give(returned, hers).refused == {returned.pk: f"decided not to be researcher {hers.pk}"}


def test_22_a_difference_holds_across_whatever_is_merged(someone: User) -> None:
    a, b, c = researcher(), researcher(), researcher()
    assertion = different(a, b, someone)
    merge(a, c, someone)
    for loser, survivor in ((c, b), (b, c)):
        with pytest.raises(Blocked) as caught:
            merge(loser, survivor, someone)
        (obstacle,) = caught.value.obstacles
        assert (obstacle.code, obstacle.references, obstacle.overridable) == ("different", (assertion.pk,), True)
        assert f"(assertion {assertion.pk}): two faces" in str(caught.value)
    assert MergeEvent.objects.count() == 1
    assert faults() == []


def test_23_unfollowing_the_one_shown_unfollows_all_that_are_one(someone: User) -> None:
    """Follows hang on bases; ``together_with`` says which bases the one who is shown stands for."""
    a, b = researcher(), researcher()
    follows = {a.pk, b.pk}
    event = merge(a, b, someone).event
    one = set(Researcher.objects.together_with(b.pk).values_list("pk", flat=True))
    assert one == set(Researcher.objects.together_with(a.pk).values_list("pk", flat=True)) == {a.pk, b.pk}
    assert set(Researcher.objects.filter(pk__in=follows).values_list("root_id", flat=True)) == {b.pk}
    follows -= one
    undo(event, someone)
    assert set(Researcher.objects.together_with(a.pk).values_list("pk", flat=True)) == {a.pk}
    assert follows == set()


class Test6:
    """A former name that is hidden."""

    def test_it_shows_nowhere_and_its_address_leads_on(self, someone: User) -> None:
        person = researcher("Adam Weaver")
        ResearcherName.objects.create(researcher=person, value="Ada Weaver")
        old_address = person.get_absolute_url()
        hide_former_name(researcher=person.pk, name="Adam Weaver", actor=someone, reason="asked by mail")
        person.refresh_from_db()
        assert (person.display_name, person.slug) == ("Ada Weaver", "ada-weaver")
        assert old_address == f"/researchers/{person.pk}-adam-weaver"
        assert leads_to(person) == person.pk
        assert person.get_absolute_url() == f"/researchers/{person.pk}-ada-weaver"
        assert list(person.old_slugs.values_list("slug", flat=True)) == ["adam-weaver"]
        # It still finds them when a source prints it.
        assert ResearcherName.objects.get(value="Adam Weaver").visibility == "hidden"
        assert str(ResearcherName.objects.get(value="Adam Weaver")) == "a hidden name"
        log = LogEntry.objects.get()
        assert "Adam" not in f"{log.object_repr} {log.change_message}"

    def test_no_undo_brings_it_back(self, someone: User) -> None:
        a, b = researcher("Ada Weaver"), researcher("Adam Weaver")
        event = merge(a, b, someone, display_name="Ada Weaver").event
        assert event.field_changes == {"display_name": {"before": "Adam Weaver", "after": "Ada Weaver"}}
        hide_former_name(researcher=b.pk, name="Adam Weaver", actor=someone, reason="asked by mail")
        outcome = undo(event, someone)
        assert outcome.fields.kept == ("display_name",)
        assert Researcher.objects.get(pk=b.pk).display_name == "Ada Weaver"
        assert presentable(researcher=b.pk, name="Adam Weaver") == "(former name)"
        assert presentable(researcher=b.pk, name="Ada Weaver") == "Ada Weaver"
