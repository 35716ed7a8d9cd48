"""Researchers that look like several people: what is proposed, and what is left alone."""

from __future__ import annotations

import random
from typing import Any

import pytest

from researchers.matching import splits
from researchers.matching.evidence import AuthorshipEvidence
from researchers.matching.pairs import PairScorer
from researchers.matching.splits import SplitProposal, propose_split
from researchers.matching.weights import default_weights
from researchers.matching.wording import in_words
from tests.researchers.matching.building import COMMON, Catalogue, population, researcher

ADA = "0000-0002-1825-0097"
EVE = "0000-0001-5109-3700"


def _propose(
    catalogue: Catalogue, *authorships: AuthorshipEvidence, orcids: tuple[str, ...] = ()
) -> SplitProposal | None:
    counts = population(*COMMON, catalogue=catalogue)
    return propose_split(researcher(7, *authorships, orcids=orcids), default_weights(), counts)


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue()


def _papers(
    catalogue: Catalogue, name: str, co_author: str, place: str, number: int, orcid: str = ""
) -> list[AuthorshipEvidence]:
    return [
        catalogue.paper(name, co_author, affiliation=place, year=2010 + at, orcids=(orcid,) if orcid else ())[0]
        for at in range(number)
    ]


def test_two_groups_of_a_common_name_are_two_parts_the_larger_first(catalogue: Catalogue) -> None:
    few = _papers(catalogue, "Yang Liu", "Ugo Vexley", "Harbour College, Bergen", 2)
    many = _papers(catalogue, "Yang Liu", "Bodo Yzermann", "Snow Institute, Ulm", 4)
    found = _propose(catalogue, *few, *many)
    assert found is not None
    assert found.researcher == 7
    assert found.parts == (tuple(one.id for one in many), tuple(one.id for one in few))
    assert 0.6 < found.score < 1
    texts = [phrase.text for phrase in in_words(found.reasons)]
    assert "the papers fall into 2 groups without a co-author in common" in texts
    assert "affiliations have nothing in common" in texts


def test_one_group_is_one_person(catalogue: Catalogue) -> None:
    rows = _papers(catalogue, "Yang Liu", "Ugo Vexley", "Harbour College, Bergen", 6)
    assert _propose(catalogue, *rows) is None


def test_a_rare_name_is_one_person_whatever_her_co_authors(catalogue: Catalogue) -> None:
    rows = _papers(catalogue, "Tilda Quarnsworth", "Ugo Vexley", "Harbour College, Bergen", 3)
    rows += _papers(catalogue, "Tilda Quarnsworth", "Bodo Yzermann", "Snow Institute, Ulm", 3)
    assert _propose(catalogue, *rows) is None


def test_a_single_paper_makes_no_part_and_stays_with_the_largest(catalogue: Catalogue) -> None:
    rows = _papers(catalogue, "Yang Liu", "Ugo Vexley", "Harbour College, Bergen", 3)
    rows += _papers(catalogue, "Yang Liu", "Bodo Yzermann", "Snow Institute, Ulm", 1)
    assert _propose(catalogue, *rows) is None
    rows += _papers(catalogue, "Yang Liu", "Otto Wexler", "Laser Laboratory, Porto", 2)
    found = _propose(catalogue, *rows)
    assert found is not None
    assert found.parts == (tuple(one.id for one in rows[:4]), tuple(one.id for one in rows[4:]))


def test_two_trusted_orcids_are_two_parts_though_all_else_agrees(catalogue: Catalogue) -> None:
    one = _papers(catalogue, "Tilda Quarnsworth", "Ugo Vexley", "Harbour College, Bergen", 3, ADA)
    other = _papers(catalogue, "Tilda Quarnsworth", "Ugo Vexley", "Harbour College, Bergen", 2, EVE)
    found = _propose(catalogue, *one, *other, orcids=(ADA, EVE))
    assert found is not None
    assert found.parts == (tuple(row.id for row in one), tuple(row.id for row in other))
    assert found.reasons[0].evidence == "several_orcids"
    assert found.score == 0.6  # the least for such a contradiction: all else says that they are one
    assert "2 trusted ORCIDs" in [phrase.text for phrase in in_words(found.reasons)]
    assert _propose(catalogue, *one, *other, orcids=(ADA,)) is None


def test_two_trusted_orcids_that_no_paper_prints_are_proposed_without_parts_to_move(catalogue: Catalogue) -> None:
    rows = _papers(catalogue, "Tilda Quarnsworth", "Ugo Vexley", "Harbour College, Bergen", 2)
    found = _propose(catalogue, *rows, orcids=(ADA, EVE))
    assert found is not None
    assert found.parts == (tuple(row.id for row in rows),)
    assert (found.score, [reason.evidence for reason in found.reasons]) == (0.6, ["several_orcids"])


def test_two_authorships_of_one_paper_are_two_parts_however_rare_the_name(catalogue: Catalogue) -> None:
    both = [catalogue.paper("Tilda Quarnsworth", "Tilda Quarnsworth", year=2010 + at) for at in range(2)]
    found = _propose(catalogue, *(one for pair in both for one in pair))
    assert found is not None
    papers = {one.id: one.paper.id for pair in both for one in pair}
    assert [len({papers[one] for one in part}) for part in found.parts] == [2, 2]
    assert found.score > 0.99


def test_a_researcher_without_papers_is_left_alone(catalogue: Catalogue) -> None:
    assert _propose(catalogue) is None


def test_the_order_of_authorships_does_not_matter(catalogue: Catalogue) -> None:
    rows = _papers(catalogue, "Yang Liu", "Ugo Vexley", "Harbour College, Bergen", 5)
    rows += _papers(catalogue, "Yang Liu", "Bodo Yzermann", "Snow Institute, Ulm", 5)
    expected = _propose(catalogue, *rows)
    assert expected is not None
    for seed in range(5):
        assert _propose(catalogue, *random.Random(seed).sample(rows, len(rows))) == expected


def test_five_thousand_papers_are_bounded(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    scorers: list[PairScorer] = []

    class Counting(PairScorer):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            scorers.append(self)

    monkeypatch.setattr(splits, "PairScorer", Counting)
    alone = [catalogue.paper("Yang Liu", year=1990 + at % 30)[0] for at in range(2500)]
    team = [f"Ugo Vexley{'abcdefghij'[at % 10]}o" for at in range(2500)]
    teams = [catalogue.paper("Yang Liu", name, year=1990 + at % 30)[0] for at, name in enumerate(team)]
    found = _propose(catalogue, *alone, *teams)
    assert found is not None
    assert sorted(one for part in found.parts for one in part) == sorted(one.id for one in alone + teams)
    # 10 groups of 250 papers by 20 each, and 290 papers that stand alone.
    assert [scorer.compared for scorer in scorers] == [490 * 490 + 1]
