"""Which names a query finds, without an engine."""

from __future__ import annotations

import pytest

from researchers.search_names import name_terms, read_name_query


@pytest.mark.parametrize(
    ("query", "printed"),
    [
        ("Ming Li", "Ming Li"),
        ("Li, Ming", "Ming Li"),
        ("li ming", "Ming Li"),
        ("Ming Li", "Li Ming"),
        ("M. Li", "Ming Li"),
        ("M Li", "M. Li"),
        ("Schoelkopf", "Bernhard Schölkopf"),
        ("Scholkopf, B.", "Bernhard Schölkopf"),
        ("Schölkopf", "Bernhard Schoelkopf"),
        ("Xiaoming Li", "Xiao-Ming Li"),
        ("Xiao-Ming Li", "Xiaoming Li"),
        ("Xiao Ming Li", "Xiao-Ming Li"),
        ("Xiaoming Li", "Xiao Ming Li"),
        ("Mingwei Chang", "MING-WEI CHANG"),
        ("MW Chang", "Ming-Wei Chang"),
        ("J.-P. Serre", "Jean-Pierre Serre"),
        ("Jones", "Anna Smith-Jones"),
        ("van der Waals", "Johannes van der Waals"),
        ("vanderwaals", "Johannes van der Waals"),
        ("Daumé III, Hal", "Hal Daume"),
        ("OHara", "Zoë O’Hara"),
        ("李明", "李明"),
        ("Ming Li", "李明"),
        ("Petrov", "Иван Петров"),
        ("Иван Петров", "Ivan Petrov"),
    ],
)
def test_finds(query: str, printed: str) -> None:
    assert read_name_query(query).is_met_by(name_terms([printed]))


@pytest.mark.parametrize(
    ("query", "printed"),
    [
        ("Ming Li", "Xiaoming Li"),
        ("Ming Li", "Xiao-Ming Li"),
        ("Xiaoming Li", "Ming Li"),
        ("Ming Li", "Ming Liu"),
        ("Ming Li", "M. Li"),
        ("L. Li", "Ming Li"),
        ("N. Li", "Ming Li"),
        ("Min Li", "Ming Li"),
        ("Pierre Serre", "Jean-Pierre Serre"),
        ("Michal Novak", "Michael Novak"),
        ("李明", "Liming Zhang"),
    ],
)
def test_does_not_find(query: str, printed: str) -> None:
    assert not read_name_query(query).is_met_by(name_terms([printed]))


@pytest.mark.parametrize("text", ["", "  ", "...", "\x00", "-" * 10_000, "a-" * 10_000, "ä " * 5_000])
def test_whatever_is_typed_is_read(text: str) -> None:
    assert len(read_name_query(text).words) <= 8
