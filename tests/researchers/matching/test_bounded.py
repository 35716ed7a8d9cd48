"""Work stays in bounds for huge author lists and names of thousands, counted in pairs compared."""

from __future__ import annotations

import numpy as np

from researchers.matching import namesakes
from researchers.matching.clusters import Cluster
from researchers.matching.evidence import AuthorshipEvidence, PaperEvidence
from researchers.matching.linkage import Links, agglomerate
from researchers.matching.names import name_form
from researchers.matching.pairs import PairScorer
from researchers.matching.weights import default_weights
from tests.researchers.matching.building import COMMON, Catalogue, decide, form, groups, population, researcher


def test_a_paper_of_three_thousand_authors_costs_no_pairs() -> None:
    names = tuple(
        name_form(f"G{'abcdefghij'[n % 10]}o", f"F{'abcdefghij'[n // 10 % 10]}{n // 100 * 'x'}") for n in range(3000)
    )
    paper = PaperEvidence(1, names, ("comet",), frozenset(), "", 2020)
    again = PaperEvidence(2, names, ("comet",), frozenset(), "", 2021)
    rows = [AuthorshipEvidence(at, paper, name) for at, name in enumerate(names)]
    rows += [AuthorshipEvidence(3000 + at, again, name) for at, name in enumerate(names)]
    found = decide(rows, counts=population())
    assert groups(found) == [(at, 3000 + at) for at in range(3000)]
    assert found.compared <= 20 * len(rows)


def test_only_the_rarest_co_authors_of_a_long_list_are_compared() -> None:
    crowd = [f"Bodo Yzermann{'x' * n}" for n in range(300)]
    catalogue = Catalogue()
    row, *_ = catalogue.paper("Yang Liu", *crowd)
    scorer = PairScorer(population(*COMMON, catalogue=catalogue), default_weights())
    assert len(scorer._co_authors_of(row)) in (99, 100)


def test_a_name_of_thousands_is_taken_in_portions(monkeypatch: object) -> None:
    patch = monkeypatch.setattr  # type: ignore[attr-defined]
    patch(namesakes, "_MOST_AT_ONCE", 50)
    catalogue = Catalogue()
    rows = [
        catalogue.paper("Yang Liu", f"Ugo Vexley{'abcdefghij'[at % 10]}o", affiliation=f"College number{at % 10}")[0]
        for at in range(200)
    ]
    found = decide(rows, counts=population(*COMMON, catalogue=catalogue))
    assert groups(found) == [tuple(row.id for row in rows[at::10]) for at in range(10)]


def test_of_a_researcher_with_thousands_of_papers_some_are_compared() -> None:
    catalogue = Catalogue()
    rows = [catalogue.paper("Balo Liu", "Ugo Vexley", year=1990 + at % 30)[0] for at in range(2000)]
    new, _ = catalogue.paper("Balo Liu", "Ugo Vexley", year=2005)
    found = decide([new], [researcher(1, *rows)], counts=population(*COMMON, catalogue=catalogue))
    assert found.attributions[0].person.known == 1
    assert found.compared <= 2 * 301


def test_a_step_of_the_grouping_looks_at_few_rows() -> None:
    size = 400
    generator = np.random.default_rng(1)
    table = generator.normal(0, 3, (size, size)).astype(np.float32)
    table = (table + table.T) / 2
    links = Links(
        table.copy(),
        np.ones((size, size), np.float32),
        np.concatenate((table[:, :, None], np.full((size, size, 2), -np.inf, np.float32)), axis=2),
        np.zeros((size, size), bool),
        0.5,
    )
    found, _ = agglomerate(links, 0.5)
    merges = size - len(found)
    assert merges > 300
    assert links.steps < 4 * merges


def test_a_chosen_few_stand_for_all_the_years() -> None:
    catalogue = Catalogue()
    rows = [catalogue.paper("Yang Liu", year=1990 + at % 30)[0] for at in range(900)]
    cluster = Cluster(0)
    for row in rows:
        cluster.add(row, new=True)
    assert {one.paper.year for one in cluster.compared()} == set(range(1990, 2020))
    assert len(cluster.compared()) == 300
    assert form("Yang Liu") in cluster.names
