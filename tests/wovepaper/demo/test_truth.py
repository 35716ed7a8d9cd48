"""Who truly wrote what: told without a database, and agreeing with the documents."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from functools import cache

import pytest

from wovepaper.demo.cast import CHANGE, CYCLE, EVERY, PAPERS, Plot, scene
from wovepaper.demo.papers import DemoPaper, generate
from wovepaper.demo.publications import PAPERS_FOR_AN_ARTICLE, DemoWork, articles, publication_of
from wovepaper.demo.recipe import Recipe
from wovepaper.demo.registry import BLOCK, invented_orcid, misprinted
from wovepaper.demo.truth import TrueAuthorship, scene_authorships, true_authorships, true_people
from wovepaper.lib.orcid import normalise

UNTIL = dt.date(2026, 3, 16)
SIZE = EVERY * CYCLE  # one cycle: every scene once
RECIPE = Recipe(SIZE, 1, UNTIL)


@cache
def rows() -> tuple[TrueAuthorship, ...]:
    return tuple(true_authorships(RECIPE))


@cache
def papers() -> dict[str, DemoPaper]:
    return {paper.arxiv_id: paper for paper in generate(SIZE, seed=1, until=UNTIL)}


@cache
def works() -> dict[str, DemoWork]:
    found = (publication_of(paper, seed=1, until=UNTIL) for paper in papers().values())
    return {work.doi: work for work in found if work}


def of(plot: Plot) -> list[TrueAuthorship]:
    found = [row for row in rows() if row.plot == plot.name.lower()]
    # One paper of a scene can fall on a place where a paper repeats an earlier one.
    assert PAPERS - 1 <= len({row.paper for row in found}) <= PAPERS
    return found


def printed_orcids(row: TrueAuthorship) -> list[str]:
    """The ORCIDs that the publisher prints beside this name."""
    return [each.orcid for each in works()[row.doi].authors if each.author.printed.text == row.printed]


def test_every_place_of_every_list_has_one_person_and_a_collaboration_has_none() -> None:
    places = Counter((row.paper, row.position) for row in rows())
    assert set(places.values()) == {1}
    for arxiv_id, paper in papers().items():
        first = 2 if paper.collaboration else 1
        expected = [(place, author.printed.text) for place, author in enumerate(paper.authors, start=first)]
        assert [(row.position, row.printed) for row in rows() if row.arxiv_id == arxiv_id] == expected
    assert any(paper.collaboration for paper in papers().values())
    assert len(_alone()) == SIZE // PAPERS_FOR_AN_ARTICLE
    assert {row.doi for row in rows() if not row.arxiv_id} == _alone().keys()


def test_the_truth_of_a_larger_catalogue_agrees_with_that_of_the_smaller() -> None:
    small, large = true_people(Recipe(100, 1, UNTIL)), true_people(RECIPE)
    same = {place: large[place] for place in small if place[0] in papers()}
    assert same == {place: person for place, person in small.items() if place in same}
    assert large == {(row.paper, row.position): row.person for row in rows()}


def test_people_are_numbered_and_never_twice_on_a_paper() -> None:
    numbers = {row.person for row in rows()}
    assert numbers == set(range(1, len(numbers) + 1))
    assert max(Counter((row.paper, row.person) for row in rows()).values()) == 1


def test_a_tier_for_those_with_their_own_orcid_and_one_for_names_that_several_bear() -> None:
    assert all(row.tiers[0] == "human" for row in rows())
    with_orcid = [row for row in rows() if "orcid" in row.tiers]
    assert len(with_orcid) > 50
    for row in with_orcid:
        work = works().get(row.doi) or _alone()[row.doi]
        assert any(each.orcid and each.orcid == each.author.person.orcid for each in work.authors)
    bearers: dict[str, set[int]] = defaultdict(set)
    for row in rows():
        bearers[row.printed].add(row.person)
    for row in rows():
        if len(bearers[row.printed]) > 1:
            assert "hard" in row.tiers
    assert any("hard" not in row.tiers for row in rows())


@cache
def _alone() -> dict[str, DemoWork]:
    return {work.doi: work for work in articles(SIZE, seed=1, until=UNTIL)}


def test_every_scene_is_played_in_every_cycle() -> None:
    played = Counter(found.plot for number in range(SIZE) if (found := scene(number, 1)))
    assert played == dict.fromkeys(Plot, PAPERS)
    leads = [(row.paper, row.position, row.person) for row in rows() if row.plot]
    assert [(row.paper, row.position, row.person) for row in scene_authorships(RECIPE)] == leads


@pytest.mark.parametrize(
    ("plot", "people"),
    [
        (Plot.CHANGED_FAMILY_NAME, 1),
        (Plot.CHANGED_GIVEN_NAME, 1),
        (Plot.HYPHENS_AND_CAPITALS, 1),
        (Plot.UMLAUTS, 1),
        (Plot.FATHER_AND_SON, 2),
        (Plot.FAMILY_NAME_FIRST, 1),
        (Plot.MONONYM, 1),
        (Plot.WRONG_CHECKSUM, 2),
        (Plot.ORCID_OF_A_COAUTHOR, 2),
        (Plot.ORCID_ON_TWO_AUTHORS, 2),
        (Plot.TWO_ORCIDS, 1),
        (Plot.NAMESAKES_WITH_ORCIDS, 2),
        (Plot.NAMESAKES_OF_TWO_FIELDS, 2),
        (Plot.NAMESAKES_OF_ONE_FIELD, 2),
        (Plot.MOVES, 1),
        (Plot.INITIALS_BETWEEN_TWO, 2),
        (Plot.LONGER_FAMILY_NAME, 1),
        (Plot.SAME_NAME_ON_ONE_PAPER, 2),
        (Plot.RARE_NAMESAKES, 2),
        (Plot.ORCID_OF_A_RELATIVE, 2),
    ],
)
def test_how_many_people_a_scene_is_about(plot: Plot, people: int) -> None:
    assert len({row.person for row in of(plot)}) == people


def test_a_name_changes_in_its_year_and_the_orcid_stays() -> None:
    for plot in (Plot.CHANGED_FAMILY_NAME, Plot.CHANGED_GIVEN_NAME):
        by_time: dict[bool, set[str]] = defaultdict(set)
        for row in of(plot):
            by_time[papers()[row.arxiv_id].versions[0].submitted_at.year >= CHANGE].add(row.printed)
            assert "orcid" in row.tiers
        assert all(len(names) == 1 for names in by_time.values())
        assert len(set.union(*by_time.values())) == len(by_time)


def test_spellings_of_one_name() -> None:
    forms = {row.printed for row in of(Plot.HYPHENS_AND_CAPITALS)}
    assert len(forms) == 4
    assert any(form.isupper() for form in forms)
    assert len({form.replace("-", "").casefold() for form in forms}) == 1
    assert len({row.printed for row in of(Plot.UMLAUTS)}) == 3
    assert len({frozenset(row.printed.split()) for row in of(Plot.FAMILY_NAME_FIRST)}) == 1
    assert {len(row.printed.split()) for row in of(Plot.MONONYM)} == {1, 2}
    assert {row.printed.split()[-1] for row in of(Plot.FATHER_AND_SON)} == {"Jr.", "III"}
    assert any(row.printed[1] == "." for row in of(Plot.INITIALS_BETWEEN_TWO))


def test_namesakes_bear_one_name() -> None:
    for plot in (Plot.NAMESAKES_WITH_ORCIDS, Plot.NAMESAKES_OF_TWO_FIELDS, Plot.NAMESAKES_OF_ONE_FIELD,
                 Plot.RARE_NAMESAKES, Plot.SAME_NAME_ON_ONE_PAPER, Plot.WRONG_CHECKSUM):  # fmt: skip
        assert len({row.printed for row in of(plot)}) == 1
    fields = {row.person: papers()[row.arxiv_id].field.code for row in of(Plot.NAMESAKES_OF_TWO_FIELDS)}
    assert len(set(fields.values())) == 2
    twice = Counter(row.paper for row in of(Plot.SAME_NAME_ON_ONE_PAPER))
    assert 2 in twice.values()
    assert all("orcid" in row.tiers for row in of(Plot.NAMESAKES_WITH_ORCIDS))


def test_orcids_are_printed_wrongly_in_every_way() -> None:
    misprints = [orcid for row in of(Plot.WRONG_CHECKSUM) for orcid in printed_orcids(row)]
    assert misprints
    assert all(orcid and normalise(orcid) is None for orcid in misprints)

    strays = [row for row in of(Plot.ORCID_OF_A_COAUTHOR) if printed_orcids(row) != [""] and "orcid" not in row.tiers]
    (stray,) = strays
    assert printed_orcids(stray)[0] in {
        orcid for row in of(Plot.ORCID_OF_A_COAUTHOR) if "orcid" in row.tiers for orcid in printed_orcids(row)
    }

    repeated = Counter(
        (row.paper, orcid) for row in of(Plot.ORCID_ON_TWO_AUTHORS) for orcid in printed_orcids(row) if orcid
    )
    assert sorted(repeated.values())[-1] == 2

    assert len({orcid for row in of(Plot.TWO_ORCIDS) for orcid in printed_orcids(row)}) == 2


def test_somebody_moves_from_place_to_place() -> None:
    seen: dict[str, set[str]] = defaultdict(set)
    for work in works().values():
        for each in work.authors:
            seen[each.author.person.key].update(each.affiliations)
    assert max(map(len, seen.values())) >= 2


def test_an_invented_orcid_is_well_formed_and_nobodys() -> None:
    for number in range(500):
        orcid = invented_orcid(1, f"x/{number}/1")
        assert normalise(orcid) == orcid
        assert orcid.startswith(BLOCK)
        assert normalise(misprinted(orcid)) is None
    assert invented_orcid(1, "a") != invented_orcid(2, "a")


def test_publications_keep_within_the_catalogues_time() -> None:
    precisions = Counter()
    for work in (*works().values(), *articles(SIZE, seed=1, until=UNTIL)):
        precisions[len(work.published)] += 1
        assert dt.date(*(*work.published, 1, 1)[:3]) <= UNTIL
        assert work.indexed <= UNTIL
        assert work.doi.startswith("10.5555/demo.")
    assert set(precisions) == {1, 2, 3}
    assert any(work.arxiv_id for work in works().values())
    assert any(work.venue.is_conference for work in works().values())
