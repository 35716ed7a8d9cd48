from __future__ import annotations

import pytest

from institutions.matching.rules import BadPattern, Rule, compile_pattern, first_fitting


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("Loom Hall", "LOOM-HALL", True),
        ("Loom Hall", "Loom Hall, Threadham", False),
        ("Loom Hall *", "Loom Hall, Threadham", True),
        ("Loom Hall*", "Loom Hall", True),
        ("*Loom Hall", "Dept. of Wool, Loom Hall", True),
        ("Loom*Threadham", "Loom Hall, (Threadham)", True),
        ("Université *", "universite de lyon", True),
        ("a.b+c*", "a b c d", True),
        ("a.b+c*", "aXb+c", False),
    ],
)
def test_a_pattern_fits_the_whole_text(pattern, text, fits):
    assert (first_fitting([Rule.of(pattern, 1)], text) is not None) is fits


def test_the_first_rule_that_fits_wins():
    rules = [Rule.of("loom *", 1), Rule.of("loom hall *", None)]
    assert first_fitting(rules, "Loom Hall, Threadham").institution == 1


@pytest.mark.parametrize("pattern", ["", "*", "* * a", "ab", "..."])
def test_patterns_that_would_fit_everything_are_refused(pattern):
    with pytest.raises(BadPattern, match="at least 3 letters or digits"):
        compile_pattern(pattern)
