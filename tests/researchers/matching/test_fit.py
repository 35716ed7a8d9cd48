"""The weights are learnt from labels, and the same labels give the same weights."""

from __future__ import annotations

import numpy as np
import pytest

from researchers.matching.fit import fit_logistic, fit_weights
from researchers.matching.weights import Weights, default_weights
from tests.researchers.matching.building import COMMON, Catalogue, decide, groups, population


def test_the_regression_finds_the_odds() -> None:
    # Three in four with the feature, one in four without: log-odds of -ln 3, and 2 ln 3 for the feature.
    features = np.array([[0.0]] * 400 + [[1.0]] * 400)
    outcome = np.array([True] * 100 + [False] * 300 + [True] * 300 + [False] * 100)
    bias, weight = fit_logistic(features, outcome, np.ones(800), ridge=1e-6)
    assert bias == pytest.approx(-np.log(3), abs=1e-3)
    assert weight == pytest.approx(2 * np.log(3), abs=1e-3)


def test_the_balance_counts() -> None:
    features = np.zeros((4, 1))
    bias, _ = fit_logistic(features, np.array([True, True, True, False]), np.array([1.0, 1.0, 1.0, 3.0]))
    assert bias == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("outcome", [[True, True], [False, False], []])
def test_nothing_is_learnt_from_one_side(outcome: list[bool]) -> None:
    with pytest.raises(ValueError, match="nothing to learn"):
        fit_logistic(np.zeros((len(outcome), 1)), np.array(outcome, dtype=bool), np.ones(len(outcome)))


def _labelled() -> tuple[Catalogue, dict[int, str]]:
    """Four people called Yang Liu who keep their co-author and affiliation, one of whom also signs Y. Liu."""
    catalogue, labels = Catalogue(), {}
    for round_ in range(6):
        for person in range(4):
            name = "Y. Liu" if person == 3 and round_ % 2 else "Yang Liu"
            row, _ = catalogue.paper(name, f"Ugo Vexley{'abcd'[person]}o", affiliation=f"College number{person}")
            labels[row.id] = f"person {person}"
    return catalogue, labels


def test_learnt_weights_tell_the_people_apart() -> None:
    catalogue, labels = _labelled()
    counts = population(*COMMON, catalogue=catalogue)
    weights = fit_weights(
        authorships=catalogue.authorships, labels=[labels], population=counts, version="test", provenance={"of": "x"}
    )
    assert weights.pairs["co_author"] > 0
    assert weights.pairs["affiliation"] > 0
    assert weights.provenance["labelled_pairs"] == 21 * 20 // 2
    assert weights.provenance["of"] == "x"
    again = fit_weights(
        authorships=catalogue.authorships[::-1],
        labels=[labels],
        population=counts,
        version="test",
        provenance={"of": "x"},
    )
    assert again == weights
    assert Weights.from_json(weights.to_json()) == weights


def test_labels_that_nobody_shares_are_too_few() -> None:
    catalogue = Catalogue()
    (row,) = catalogue.paper("Yang Liu")
    with pytest.raises(ValueError, match="nothing to learn"):
        fit_weights(
            authorships=[row], labels=[{row.id: "a"}], population=population(*COMMON), version="1", provenance={}
        )


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": "1"}'])
def test_a_broken_weights_file_says_what_to_do(text: str) -> None:
    with pytest.raises(ValueError, match="training command"):
        Weights.from_json(text)


def test_the_project_s_weights_decide_a_plain_case() -> None:
    catalogue, labels = _labelled()
    counts = population(*COMMON, catalogue=catalogue)
    rows = [one for one in catalogue.authorships if labels.get(one.id) in ("person 0", "person 1")]
    people = [tuple(one.id for one in rows if labels[one.id] == person) for person in ("person 0", "person 1")]
    assert groups(decide(rows, counts=counts)) == sorted(people)
    assert len(default_weights().version) == 12
