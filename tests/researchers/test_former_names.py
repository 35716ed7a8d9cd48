"""What author lists show where a name is hidden, and what becomes of it when attributions move."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from papers.models import Authorship
from papers.services.shown_names import ShownName, show_names
from researchers.former_names import misshown, name_key, show_on_papers
from researchers.models import Attribution, Decision, Researcher, ResearcherName
from researchers.services.attribution import attribute_everything
from researchers.services.decisions import decide_is, decide_is_not
from researchers.services.errors import NameRefused
from researchers.services.names import hide_former_name, show_name_again
from tests.researchers.conftest import Waiting
from tests.researchers.harvested import harvest, many_people, sources, who, work
from tests.researchers.people import arrive, curator, faults, merge, paper, place, researcher, split, undo
from wovepaper.curation.services import NotPermitted

pytestmark = pytest.mark.django_db

FORMER, NOW = "Adam Weaver", "Ada Weaver"


def printed(person: Researcher, name: str = FORMER) -> Authorship:
    """A paper of this researcher that prints a name."""
    at = place(paper(name, "B. Spindle"))
    return arrive(person, at)


def named(name: str = FORMER) -> Researcher:
    person = researcher(NOW)
    ResearcherName.objects.create(researcher=person, value=name)
    return person


def hide(person: Researcher, actor: User, name: str = FORMER, **options: object) -> None:
    hide_former_name(researcher=person.pk, name=name, actor=actor, reason="asked", **options)


def names(at: Authorship) -> tuple[str, str | None]:
    """What is shown, and what it replaces."""
    return Authorship.objects.values_list("name", "replaced_name").get(pk=at.pk)


REPLACED, AS_PRINTED = (NOW, FORMER), (FORMER, None)


class TestHiding:
    def test_replaces_it_on_all_their_papers_and_nobody_elses(self, someone: User, waiting: Waiting) -> None:
        person, namesake = named(), researcher(FORMER)
        first, second, other = printed(person), printed(person, "A. Weaver"), printed(namesake)
        waiting.clear()
        hide(person, someone)
        assert (names(first), names(second), names(other)) == (REPLACED, ("A. Weaver", None), AS_PRINTED)
        assert waiting.at("index", "paper") == {first.paper_id, second.paper_id}
        assert Authorship.objects.get(pk=first.pk).printed_name == FORMER
        assert faults() == []

    @pytest.mark.parametrize("name", ["ADAM WEAVER", "Ádam Weaver", "Weaver, Adam", "adam  weaver"])
    def test_however_it_is_printed(self, someone: User, name: str) -> None:
        person = named()
        at = printed(person, name)
        hide(person, someone)
        assert names(at) == (NOW, name)

    @pytest.mark.parametrize("name", ["A. Weaver", "Adam B. Weaver", "Adam Weaverly"])
    def test_other_names_stay(self, someone: User, name: str) -> None:
        person = named()
        at = printed(person, name)
        hide(person, someone)
        assert names(at) == (name, None)

    def test_all_spellings_of_it_are_hidden(self, someone: User) -> None:
        person = named()
        ResearcherName.objects.create(researcher=person, value="ADAM WEAVER")
        hide(person, someone)
        hidden = person.names.filter(visibility="hidden").values_list("value", flat=True)
        assert sorted(hidden) == ["ADAM WEAVER", FORMER]

    def test_a_spelling_that_is_no_row_of_theirs_is_kept_as_hidden(self, someone: User) -> None:
        person = researcher(NOW)
        at = printed(person, "ada weaver")
        hide(person, someone, "ADA WEAVER")
        assert list(person.names.filter(visibility="hidden").values_list("value", flat=True)) == ["ADA WEAVER"]
        assert (Researcher.objects.get(pk=person.pk).display_name, names(at)) == (NOW, (NOW, "ada weaver"))

    def test_who_wants_another_spelling_keeps_that(self, someone: User) -> None:
        person = researcher("Andrea Weaver")
        at, already = printed(person, "Andrea Weaver"), printed(person, "Andréa Weaver")
        hide(person, someone, "Andrea Weaver", show_instead="Andréa Weaver")
        assert Researcher.objects.get().display_name == "Andréa Weaver"
        assert (names(at), names(already)) == (("Andréa Weaver", "Andrea Weaver"), ("Andréa Weaver", None))

    def test_the_reason_may_not_hold_any_spelling_of_it(self, someone: User) -> None:
        person = named()
        with pytest.raises(NameRefused, match="out of the reason"):
            hide_former_name(researcher=person.pk, name=FORMER, actor=someone, reason="no longer ADAM WEAVER")

    def test_the_name_shown_instead_follows_the_name_shown(self, someone: User) -> None:
        person = named()
        at = printed(person)
        hide(person, someone)
        hide(person, someone, NOW, show_instead="Eve Weaver")
        assert names(at) == ("Eve Weaver", FORMER)
        assert faults() == []


class TestShowingAgain:
    def test_brings_it_back_everywhere(self, someone: User, waiting: Waiting) -> None:
        person = named()
        at = printed(person)
        hide(person, someone)
        waiting.clear()
        show_name_again(researcher=person.pk, name="ADAM WEAVER", actor=someone, reason="asked")
        assert names(at) == AS_PRINTED
        assert not person.names.filter(visibility="hidden").exists()
        assert waiting.at("index", "paper") == {at.paper_id}
        assert waiting.at("index", "researcher") == {person.pk}
        assert faults() == []

    def test_is_refused(self, someone: User) -> None:
        person = named()
        with pytest.raises(NameRefused, match="no hidden name"):
            show_name_again(researcher=person.pk, name=FORMER, actor=someone, reason="asked")
        hide(person, someone)
        with pytest.raises(NotPermitted):
            show_name_again(researcher=person.pk, name=FORMER, actor=curator("reader", []), reason="asked")
        show_name_again(
            researcher=person.pk, name=FORMER, actor=curator("reader", []), reason="asked", on_own_demand=True
        )


class TestMoving:
    def test_a_merge_hides_it_on_the_others_papers_and_the_undo_gives_it_back(self, someone: User) -> None:
        person, other = named(), researcher(FORMER)
        at = printed(other)
        hide(person, someone)
        event = merge(other, person, someone).event
        assert names(at) == REPLACED
        assert faults() == []
        undo(event, someone)
        assert names(at) == AS_PRINTED
        assert faults() == []

    def test_merged_away_who_hid_it_still_hides_it(self, someone: User) -> None:
        person, other = named(), researcher("A. Weaver")
        at = printed(person)
        hide(person, someone)
        event = merge(person, other, someone).event
        assert names(at) == ("A. Weaver", FORMER)
        undo(event, someone)
        assert names(at) == REPLACED
        assert faults() == []

    def test_a_survivor_of_that_name_is_shown_under_the_other_until_the_undo(self, someone: User) -> None:
        person, other = named(), researcher(FORMER)
        mine, at = printed(person), printed(other)
        hide(person, someone)
        event = merge(person, other, someone).event
        assert Researcher.objects.get(pk=other.pk).display_name == NOW
        assert (names(mine), names(at)) == (REPLACED, REPLACED)
        undo(event, someone)
        assert Researcher.objects.get(pk=other.pk).display_name == FORMER
        assert (names(mine), names(at)) == (REPLACED, AS_PRINTED)
        assert faults() == []

    def test_a_split_takes_the_hidden_name_along(self, someone: User) -> None:
        person = named()
        at, _ = printed(person), printed(person)
        hide(person, someone)
        event = split(person, [at], someone)
        assert names(at) == REPLACED
        assert Decision.objects.filter(event=event).values_list("printed_name", flat=True).distinct().get() == FORMER
        undo(event, someone)
        assert names(at) == REPLACED
        assert faults() == []

    def test_a_split_to_somebody_else_gives_it_back(self, someone: User) -> None:
        person, other = named(), researcher("A. Weaver")
        at, _ = printed(person), printed(person)
        hide(person, someone)
        event = split(person, [at], someone, target=other)
        assert names(at) == AS_PRINTED
        undo(event, someone)
        assert names(at) == REPLACED
        assert faults() == []

    def test_is_not_gives_it_back_and_is_takes_it_away(self, someone: User) -> None:
        person = named()
        at = printed(person)
        hide(person, someone)
        decide_is_not(authorship=at.pk, researcher=person.pk, actor=someone, reason="no")
        assert names(at) == AS_PRINTED
        other = printed(researcher("A. Weaver"))
        decide_is(authorship=other.pk, researcher=person.pk, actor=someone, reason="hers")
        assert names(other) == REPLACED
        assert Decision.objects.get(verdict="is_not").printed_name == FORMER
        assert faults() == []


class TestTheCheck:
    def test_finds_what_shows_and_what_is_replaced_without_cause(self, someone: User) -> None:
        person = named()
        at, other = printed(person), printed(researcher("Somebody Else"))
        hide(person, someone)
        assert misshown() == []
        show_names([ShownName(at.pk, FORMER, None), ShownName(other.pk, FORMER, "X")])
        assert sorted(misshown()) == [at.pk, other.pk]
        assert show_on_papers(papers=[at.paper_id, other.paper_id]) == {at.paper_id, other.paper_id}
        assert (names(at), names(other), misshown()) == (REPLACED, AS_PRINTED, [])


def test_key() -> None:
    same = ["Adam Weaver", "ADAM WEAVER", "Weaver, Adam", "Ádám Weaver"]
    assert len({name_key(name) for name in same}) == 1
    assert name_key("李明") != name_key("王芳")
    assert name_key("?!") == "?!"


class TestHarvests:
    @pytest.fixture(autouse=True)
    def rare(self, db: None) -> Iterator[None]:
        many_people()
        with sources():
            yield

    def hers(self, actor: User, **values: object) -> Authorship:
        (made,) = harvest(work(FORMER, "Mo Bobbin", doi="10.5555/x", title="On looms", **values))
        hide_former_name(researcher=who(made) or 0, name=FORMER, actor=actor, reason="asked", show_instead=NOW)
        return place(made)

    def test_printed_otherwise_by_now_it_is_shown_as_printed(self, someone: User) -> None:
        at = self.hers(someone)
        harvest(work("A. Weaver", "Mo Bobbin", doi="10.5555/x", title="On looms", stamp="2021-01-01"))
        assert names(at) == ("A. Weaver", None)
        harvest(work("WEAVER, Adam", "Mo Bobbin", doi="10.5555/x", title="On looms", stamp="2021-01-02"))
        assert names(at) == (NOW, "WEAVER, Adam")
        assert faults() == []

    def test_who_left_and_returns_is_decided_upon_by_the_printed_name(self, someone: User) -> None:
        at = self.hers(someone)
        person = Attribution.objects.get(authorship=at).root_id
        decide_is(authorship=at.pk, researcher=person, actor=someone, reason="hers")
        harvest(work("Mo Bobbin", doi="10.5555/x", title="On looms", stamp="2021-01-01"))
        assert not Authorship.objects.filter(pk=at.pk).exists()
        (made,) = harvest(work("Mo Bobbin", FORMER, doi="10.5555/x", title="On looms", stamp="2021-01-02"))
        assert names(place(made, 2)) == REPLACED
        assert Attribution.objects.get(authorship=place(made, 2)).decided_by == "human"
        assert faults() == []

    def test_everything_anew_keeps_it_hidden(self, someone: User) -> None:
        at = self.hers(someone)
        (later,) = harvest(work(FORMER, "Mo Bobbin"))
        assert names(place(later)) == REPLACED
        attribute_everything()
        assert (names(at), names(place(later))) == (REPLACED, REPLACED)
        assert faults() == []

    def test_without_a_hidden_name_two_statements_less(self, someone: User) -> None:
        (made,) = harvest(work(FORMER, "Mo Bobbin"))
        with CaptureQueriesContext(connection) as queries:
            assert show_on_papers(papers=[made.pk]) == set()
        assert len(queries) == 1
