"""What the model decides among people of one name, and what it only lists."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies

from researchers.matching.evidence import AuthorshipEvidence, KnownResearcher
from researchers.matching.outcomes import Crowd, DecidedBy, Person
from researchers.matching.population import Population
from tests.researchers.matching.building import (
    COMMON,
    Catalogue,
    decide,
    form,
    groups,
    person_of,
    population,
    researcher,
)

_FIELDS = [
    ("Lichen of Baltic quarry walls", "Snow Institute, Ulm"),
    ("Tariff games of medieval harbours", "Harbour College, Bergen"),
    ("Enzyme folding under laser tweezers", "Laser Laboratory, Porto"),
    ("Violin varnish spectroscopy", "Conservatory of Cremona"),
]


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue()


def _crowd(catalogue: Catalogue, number: int) -> list[KnownResearcher]:
    rows = [
        catalogue.paper("Yang Liu", f"Ugo Vexley{'abcdefghijklmnopqrstuvwxyz'[at]}o", affiliation=f"College number{at}")
        for at in range(number)
    ]
    return [researcher(at, row[0]) for at, row in enumerate(rows, 1)]


def test_a_rare_name_is_one_person(catalogue: Catalogue) -> None:
    rows = [catalogue.paper("Tilda Quarnsworth", title=title)[0] for title, _ in _FIELDS]
    found = decide(rows, counts=population(catalogue=catalogue))
    assert groups(found) == [tuple(row.id for row in rows)]
    assert [one.decided_by for one in found.attributions] == [DecidedBy.NEW] + [DecidedBy.MODEL] * 3
    assert {one.reasons[0].evidence for one in found.attributions} == {"rare_name"}


def test_a_common_name_without_evidence_is_a_new_person_in_one_listed_crowd(catalogue: Catalogue) -> None:
    known = _crowd(catalogue, 24)
    (new,) = catalogue.paper("Yang Liu", title="Comet")
    found = decide([new], known, counts=population(*COMMON, catalogue=catalogue))
    (only,) = found.attributions
    assert (only.person, only.decided_by, only.score) == (Person(newcomer=0), DecidedBy.NEW, None)
    everybody = (*(Person(known=number) for number in range(1, 25)), Person(newcomer=0))
    assert found.crowds == (Crowd(form("Yang Liu"), everybody, (0,)),)
    assert found.candidates == ()


def test_a_common_name_is_told_apart_by_co_authors_and_affiliation(catalogue: Catalogue) -> None:
    papers = [
        catalogue.paper("Yang Liu", f"Ugo Vexley{'abcd'[at]}o", title=f"{title} {year}", affiliation=place, year=year)[
            0
        ]
        for year in (2019, 2020, 2021)
        for at, (title, place) in enumerate(_FIELDS)
    ]
    found = decide(papers, counts=population(*COMMON, catalogue=catalogue))
    assert groups(found) == [tuple(papers[at + 4 * year].id for year in range(3)) for at in range(4)]


def test_a_new_paper_goes_to_the_known_person_it_fits(catalogue: Catalogue) -> None:
    known = _crowd(catalogue, 6)
    new, _ = catalogue.paper("Yang Liu", "Ugo Vexleyco", affiliation="College number2", title="Violin comet")
    found = decide([new], known, counts=population(*COMMON, catalogue=catalogue))
    assert person_of(found, new) == Person(known=3)
    (only,) = found.attributions
    assert only.probability is not None
    assert only.probability > 0.6
    assert {reason.evidence for reason in only.reasons} >= {"co_author", "affiliation", "namesakes"}


def test_forms_of_one_name_are_one(catalogue: Catalogue) -> None:
    rows = [catalogue.paper(name)[0] for name in ("MING-WEI QUARN", "Ming-Wei Quarn", "Mingwei Quarn")]
    assert groups(decide(rows, counts=population(catalogue=catalogue))) == [tuple(row.id for row in rows)]


def test_an_umlaut_is_no_difference(catalogue: Catalogue) -> None:
    rows = [catalogue.paper(name)[0] for name in ("Jörg Quärn", "Jorg Quarn")]
    assert groups(decide(rows, counts=population(catalogue=catalogue))) == [tuple(row.id for row in rows)]


def test_an_initial_joins_the_only_name_it_fits(catalogue: Catalogue) -> None:
    team = ("Bodo Yzermann", "Ugo Vexley")
    rows = [catalogue.paper("Tilda Quarnsworth", *team, title="Lichen walls")[0] for _ in range(3)]
    (initial, *_) = catalogue.paper("T. Quarnsworth", *team, title="Lichen walls")
    found = decide([*rows, initial], counts=population(catalogue=catalogue))
    assert groups(found) == [tuple(row.id for row in (*rows, initial))]
    reasons = {reason.evidence for reason in found.attributions[-1].reasons}
    assert {"relation: initial", "co_author"} <= reasons


def test_words_of_a_mononym_are_listed_only(catalogue: Catalogue) -> None:
    shared = {"title": "Lichen of Baltic quarry walls", "affiliation": "Snow Institute, Ulm", "venue": "Walls"}
    one = [catalogue.paper("Agus Quarnsworthi", "Bodo Yzermann", **shared)[0] for _ in range(3)]
    two = [catalogue.paper("Quarnsworthi", "Bodo Yzermann", **shared)[0] for _ in range(3)]
    found = decide(one + two, counts=population(catalogue=catalogue))
    assert [str(one.relation) for one in found.candidates] == ["a single name"]


def test_a_shared_author_id_of_a_source_is_evidence_and_no_key(catalogue: Catalogue) -> None:
    def row(number: int, name: str, ids: frozenset[str]) -> AuthorshipEvidence:
        (one,) = catalogue.paper(name, title=f"Title{number}")
        return AuthorshipEvidence(one.id, one.paper, one.name, one.affiliation, "", ids)

    same, other = frozenset(["openalex:A1"]), frozenset(["openalex:A2"])
    counts = population(*COMMON)
    agree = decide([row(1, "Jun Liu", same), row(2, "Jun Liu", same)], counts=counts)
    assert len(agree.newcomers) == 2  # alone it is not enough for a common name
    names = decide([row(3, "Jun Liu", same), row(4, "Jia Lee", same)], counts=counts)
    assert (len(names.newcomers), names.candidates) == (2, ())
    rare = decide([row(5, "Tilda Quarnsworth", same), row(6, "Tilda Quarnsworth", other)], counts=population())
    assert len(rare.newcomers) == 1  # renumbered ids do not split a researcher


_PEOPLE = ("Yang Liu", "Y. Liu", "Jia Liu", "Tilda Quarnsworth", "T. Quarnsworth", "Tilda M. Quarnsworth")


@settings(max_examples=40)
@given(
    strategies.lists(
        strategies.tuples(
            strategies.lists(strategies.sampled_from((*_PEOPLE, "Bodo Yzermann")), min_size=1, max_size=3),
            strategies.sampled_from(_FIELDS),
            strategies.sampled_from((2001, 2019, 2020)),
            strategies.sampled_from(("", "0000-0002-1825-0097", "0000-0001-5109-3700")),
        ),
        min_size=1,
        max_size=10,
    ),
    strategies.integers(0, 6),
    strategies.randoms(use_true_random=False),
)
def test_the_outcome_does_not_depend_on_the_order_of_input(
    papers: list[tuple[list[str], tuple[str, str], int, str]], known_papers: int, shuffler: random.Random
) -> None:
    catalogue = Catalogue()
    rows = [
        catalogue.paper(*names, title=field[0], affiliation=field[1], year=year, orcids=(orcid,))
        for names, field, year, orcid in papers
    ]
    counts = _counts()
    before = [one for row in rows[:known_papers] for one in row]
    first = decide(before, counts=counts)
    by_id = {one.id: one for one in before}
    known = [researcher(at, *(by_id[number] for number in ids)) for at, ids in enumerate(first.newcomers)]
    new = [one for row in rows[known_papers:] for one in row]
    expected = decide(new, known, counts=counts)
    shuffler.shuffle(new)
    shuffler.shuffle(known)
    again = [researcher(one.id, *shuffler.sample(one.authorships, len(one.authorships))) for one in known]
    assert decide(new, again, counts=counts) == expected
    _check_rules(new, expected)


def _check_rules(new: list[AuthorshipEvidence], found: object) -> None:
    papers = {one.id: one.paper.id for one in new}
    attributions = found.attributions  # type: ignore[attr-defined]
    assert sorted(one.authorship for one in attributions) == sorted(papers)
    placed = [(one.person, papers[one.authorship]) for one in attributions]
    assert len(placed) == len(set(placed))


_cached: list[Population] = []


def _counts() -> Population:
    if not _cached:
        _cached.append(population(*COMMON))
    return _cached[0]
