"""Rules that no evidence overrules: people's decisions, one person once per paper, ORCIDs, full given names."""

from __future__ import annotations

import pytest

from researchers.matching.evidence import Decisions
from researchers.matching.outcomes import Attribution, Conflict, ConflictKind, DecidedBy, Person
from tests.researchers.matching.building import Catalogue, decide, groups, person_of, population, researcher
from wovepaper.lib import orcid

ADA = "0000-0002-1825-0097"
EVE = "0000-0001-5109-3700"


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue()


def test_an_orcid_does_not_join_names_without_a_common_word(catalogue: Catalogue) -> None:
    (old,) = catalogue.paper("Tilda Quarnsworth", orcids=(ADA,))
    (wrong,) = catalogue.paper("Bodo Yzermann", orcids=(ADA,))
    (right,) = catalogue.paper("T. Quarnsworth", orcids=(ADA,))
    found = decide([wrong, right], [researcher(7, old, orcids=(ADA,))], counts=population(catalogue=catalogue))
    assert found.attributions == (
        Attribution(wrong.id, Person(newcomer=0), DecidedBy.NEW),
        Attribution(right.id, Person(known=7), DecidedBy.ORCID),
    )
    assert found.conflicts == (Conflict(ConflictKind.OTHER_NAME, wrong.id, ADA, Person(known=7)),)
    assert found.trusted_orcids == {right.id: ADA}
    assert found.candidates == ()


def test_an_orcid_nobody_holds_goes_to_the_name_most_papers_print(catalogue: Catalogue) -> None:
    (odd,) = catalogue.paper("Bodo Yzermann", orcids=(ADA,))
    (one,) = catalogue.paper("Tilda Quarnsworth", orcids=(ADA,))
    (two,) = catalogue.paper("Tilda Marie Quarnsworth", orcids=(ADA,))
    found = decide([odd, one, two], counts=population(catalogue=catalogue))
    assert groups(found) == [(odd.id,), (one.id, two.id)]
    assert found.conflicts == (Conflict(ConflictKind.OTHER_NAME, odd.id, ADA, person_of(found, one)),)


@pytest.mark.parametrize("text", ["0000-0000-0000-0000", "0000-0002-1825-0098", "0000-0002-1825"])
def test_orcids_of_zeros_or_with_a_wrong_check_digit_are_none(text: str) -> None:
    assert orcid.normalise(text) is None


def test_orcids_are_compared_normalised() -> None:
    assert orcid.normalise("https://orcid.org/0000-0002-1694-233x") == "0000-0002-1694-233X"


def test_an_orcid_on_two_authors_of_a_paper_counts_for_neither(catalogue: Catalogue) -> None:
    (old,) = catalogue.paper("Tilda Quarnsworth", orcids=(ADA,))
    first, second = catalogue.paper("Tilda Quarnsworth", "Bodo Quarnsworth", orcids=(ADA, ADA))
    found = decide([first, second], [researcher(7, old, orcids=(ADA,))], counts=population(catalogue=catalogue))
    assert found.trusted_orcids == {}
    assert found.conflicts == (
        Conflict(ConflictKind.REPEATED, first.id, ADA),
        Conflict(ConflictKind.REPEATED, second.id, ADA),
    )
    assert person_of(found, second) == Person(newcomer=0)
    assert [one.decided_by for one in found.attributions] == [DecidedBy.MODEL, DecidedBy.NEW]


def test_a_changed_given_name_follows_the_orcid(catalogue: Catalogue) -> None:
    (old,) = catalogue.paper("Karl Quarnsworth", orcids=(ADA,))
    (new,) = catalogue.paper("Tilda Quarnsworth", orcids=(ADA,))
    found = decide([new], [researcher(7, old, orcids=(ADA,))], counts=population(catalogue=catalogue))
    assert found.attributions == (Attribution(new.id, Person(known=7), DecidedBy.ORCID),)


def test_a_hidden_former_name_still_matches(catalogue: Catalogue) -> None:
    (old,) = catalogue.paper("Tilda Quarnsworth")
    (new,) = catalogue.paper("Karl Quarnsworth")
    known = [researcher(7, old, names=("Karl Quarnsworth",))]
    assert person_of(decide([new], known, counts=population(catalogue=catalogue)), new) == Person(known=7)
    known = [researcher(7, old)]
    assert person_of(decide([new], known, counts=population(catalogue=catalogue)), new) == Person(newcomer=0)


def test_father_and_son_with_their_own_orcids_are_two(catalogue: Catalogue) -> None:
    (father,) = catalogue.paper("Hal Quarnsworth Jr.", orcids=(ADA,))
    (son,) = catalogue.paper("Hal Quarnsworth III", orcids=(EVE,))
    assert groups(decide([father, son], counts=population(catalogue=catalogue))) == [(father.id,), (son.id,)]


def test_different_orcids_keep_one_name_apart_and_list_it(catalogue: Catalogue) -> None:
    one, _ = catalogue.paper("Tilda Quarnsworth", "Bodo Yzermann", orcids=(ADA,), title="Lichen on quarry walls")
    two, _ = catalogue.paper("Tilda Quarnsworth", "Bodo Yzermann", orcids=(EVE,), title="Lichen on quarry walls again")
    found = decide([one, two], counts=population(catalogue=catalogue))
    assert groups(found) == [(one.id,), (two.id,)]
    (candidate,) = found.candidates
    assert (candidate.first, candidate.second) == (Person(newcomer=0), Person(newcomer=1))
    assert candidate.different_orcids


def test_a_suffix_that_only_one_prints_is_no_difference(catalogue: Catalogue) -> None:
    (one,) = catalogue.paper("Hal Quarnswörth III")
    (two,) = catalogue.paper("Hal Quarnsworth")
    assert groups(decide([one, two], counts=population(catalogue=catalogue))) == [(one.id, two.id)]


def test_two_suffixes_are_two_people(catalogue: Catalogue) -> None:
    (one,) = catalogue.paper("Hal Quarnsworth III")
    (two,) = catalogue.paper("Hal Quarnsworth Jr.")
    assert groups(decide([one, two], counts=population(catalogue=catalogue))) == [(one.id,), (two.id,)]


def test_nobody_is_twice_on_a_paper(catalogue: Catalogue) -> None:
    first, second = catalogue.paper("Bing Quarnsworth", "Bing Quarnsworth")
    (later,) = catalogue.paper("Bing Quarnsworth")
    found = decide([first, second, later], counts=population(catalogue=catalogue))
    assert person_of(found, first) != person_of(found, second)
    assert all({first.id, second.id} != {*group} for group in groups(found))
    known = [researcher(1, first), researcher(2, second)]
    again = decide([later], known, counts=population(catalogue=catalogue))
    assert len(again.attributions) == 1
    assert again.candidates == ()


def test_what_a_person_decided_stands(catalogue: Catalogue) -> None:
    (old,) = catalogue.paper("Tilda Quarnsworth", orcids=(ADA,))
    (hers,) = catalogue.paper("Bodo Yzermann")
    (not_hers,) = catalogue.paper("Tilda Quarnsworth", orcids=(ADA,))
    (by_name,) = catalogue.paper("Tilda Quarnsworth")
    decisions = Decisions(is_of={hers.id: 7}, is_not=frozenset([(not_hers.id, 7), (by_name.id, 7)]))
    known = [researcher(7, old, orcids=(ADA,))]
    found = decide([hers, not_hers, by_name], known, counts=population(catalogue=catalogue), decisions=decisions)
    assert person_of(found, hers) == Person(known=7)
    assert person_of(found, not_hers) == Person(newcomer=0)
    assert person_of(found, by_name) == Person(newcomer=0)
    assert found.conflicts == (Conflict(ConflictKind.HELD_APART, not_hers.id, ADA, Person(known=7)),)


def test_a_decision_for_somebody_who_was_not_loaded_stands(catalogue: Catalogue) -> None:
    (hers,) = catalogue.paper("Bodo Yzermann")
    found = decide([hers], counts=population(catalogue=catalogue), decisions=Decisions(is_of={hers.id: 9}))
    assert found.attributions == (Attribution(hers.id, Person(known=9), DecidedBy.HUMAN),)
    assert found.newcomers == ()


def test_two_researchers_are_never_joined_but_listed(catalogue: Catalogue) -> None:
    one, _ = catalogue.paper("Tilda Quarnsworth", "Bodo Yzermann")
    two, _ = catalogue.paper("Tilda Quarnsworth", "Bodo Yzermann")
    new, _ = catalogue.paper("Tilda Quarnsworth", "Bodo Yzermann")
    known = [researcher(1, one), researcher(2, two)]
    counts = population(catalogue=catalogue)
    found = decide([new], known, counts=counts)
    assert person_of(found, new) == Person(known=1)
    assert [(one.first, one.second) for one in found.candidates] == [(Person(known=1), Person(known=2))]
    apart = decide([new], known, counts=counts, decisions=Decisions(different=frozenset([(1, 2)])))
    assert apart.candidates == ()


def test_another_full_given_name_is_another_person_whatever_agrees(catalogue: Catalogue) -> None:
    one, *_ = catalogue.paper("Jia Quarnsworth", "Bodo Yzermann", "Ugo Vexley", affiliation="Snow Institute, Ulm")
    two, *_ = catalogue.paper("Jun Quarnsworth", "Bodo Yzermann", "Ugo Vexley", affiliation="Snow Institute, Ulm")
    found = decide([one, two], counts=population(catalogue=catalogue))
    assert groups(found) == [(one.id,), (two.id,)]
    assert found.candidates == ()


def test_an_initial_never_bridges_two_given_names(catalogue: Catalogue) -> None:
    jia, *_ = catalogue.paper("Jia Quarnsworth", "Bodo Yzermann", affiliation="Snow Institute, Ulm")
    jun, *_ = catalogue.paper("Jun Quarnsworth", "Bodo Yzermann", affiliation="Snow Institute, Ulm")
    initial, *_ = catalogue.paper("J. Quarnsworth", "Bodo Yzermann", affiliation="Snow Institute, Ulm")
    found = decide([jia, jun, initial], counts=population(catalogue=catalogue))
    assert person_of(found, jia) != person_of(found, jun)
    known = [researcher(1, jia, initial)]
    assert person_of(decide([jun], known, counts=population(catalogue=catalogue)), jun) == Person(newcomer=0)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Li Qing", "Qing Li"),
        ("Jörg Quarnsworth", "Joerg Quarnsworth"),
        ("Laura Quarnsworth", "Laura Quarnsworth Yzermann"),
        ("Omar Al Khatibi", "Omar Khatibi"),
        ("Quarnsworthi", "Agus Quarnsworthi"),
        ("李明", "Ming Li"),
        ("Shuai Quarnsworth", "Shuaihong Quarnsworth"),
    ],
)
def test_far_variants_are_never_joined(catalogue: Catalogue, one: str, two: str) -> None:
    shared = {"title": "Lichen of Baltic quarry walls", "affiliation": "Snow Institute, Ulm", "venue": "Walls"}
    first = [catalogue.paper(one, "Bodo Yzermann", "Ugo Vexley", **shared)[0] for _ in range(3)]
    second = [catalogue.paper(two, "Bodo Yzermann", "Ugo Vexley", **shared)[0] for _ in range(3)]
    found = decide(first + second, counts=population(catalogue=catalogue))
    assert groups(found) == [tuple(x.id for x in first), tuple(x.id for x in second)]


def test_names_without_letters_are_nobody_else_s(catalogue: Catalogue) -> None:
    (one,) = catalogue.paper("…")
    (two,) = catalogue.paper("…")
    assert groups(decide([one, two], counts=population(catalogue=catalogue))) == [(one.id,), (two.id,)]
