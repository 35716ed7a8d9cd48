"""Counts of names and words, which grow by batches and keep as bytes."""

from __future__ import annotations

import math

import pytest

from researchers.matching.population import Population
from tests.researchers.matching.building import Catalogue, form


def _counts() -> tuple[Population, Catalogue]:
    catalogue = Catalogue()
    catalogue.paper("Ada Byron", "Ada Holm", title="Lichen walls", affiliation="Snow Institute")
    catalogue.paper("Bea Byron", "A. Byron", title="Lichen quarry lichen")
    catalogue.paper("Bea Holm", "Ada M. Byron", title="Comet")
    population = Population()
    population.add(catalogue.authorships)
    return population, catalogue


def test_expected_namesakes() -> None:
    population, _ = _counts()
    # Ada Byron, Ada Holm, Bea Byron, Bea Holm: initials and middle names count for no further name.
    assert population.namesakes(form("Ada Byron")) == 2 * 2 / 4
    assert population.namesakes(form("A. Byron")) == 2 * 2 / 4
    assert population.namesakes(form("Byron")) == 2 * 4 / 4
    assert population.namesakes(form("Zoe Nobody")) == 1 / 4
    assert population.rarity(form("Zoe Nobody")) == pytest.approx(math.log10(4))
    assert population.rarity(form("Byron")) == 0


def test_weights_of_words() -> None:
    population, _ = _counts()
    assert population.title_weight("lichen") == pytest.approx(math.log(3 / 2))
    assert population.title_weight("comet") == pytest.approx(math.log(3))
    assert population.title_weight("unheard") == pytest.approx(math.log(3))
    assert population.affiliation_weight("snow") == 0.0


def test_what_is_kept_is_what_was_counted() -> None:
    population, catalogue = _counts()
    again = Population.from_bytes(population.to_bytes())
    assert again.to_bytes() == population.to_bytes()
    for name in {one.name for one in catalogue.authorships}:
        assert again.namesakes(name) == population.namesakes(name)
    assert again.title_weight("lichen") == population.title_weight("lichen")


def test_batches_count_as_one() -> None:
    whole, catalogue = _counts()
    parts = Population()
    for paper in (1, 2, 3):
        parts.add([one for one in catalogue.authorships if one.paper.id == paper])
        parts.namesakes(form("Ada Byron"))
    assert parts.to_bytes() == whole.to_bytes()
    assert parts.namesakes(form("Ada Byron")) == whole.namesakes(form("Ada Byron"))


@pytest.mark.parametrize("data", [b"", b"nonsense", Population().to_bytes()[:-3]])
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="make it anew"):
        Population.from_bytes(data)
