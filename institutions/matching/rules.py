"""Patterns that curators write for printed affiliations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from institutions.matching.folding import fold

ANYTHING = "*"
LEAST_LETTERS = 3


class BadPattern(ValueError):
    """The pattern would mean everything, or nothing; the message is for the curator."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Affiliations that a pattern fits are those of ``institution``, or of none."""

    expression: re.Pattern[str]
    institution: int | None

    @classmethod
    def of(cls, pattern: str, institution: int | None) -> Rule:
        """Raises ``BadPattern``."""
        return cls(compile_pattern(pattern), institution)


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The expression that folded texts are held against: words as printed, ``*`` for anything.

    Raises ``BadPattern`` for one with fewer than three letters or digits.
    """
    pieces = [fold(piece) for piece in pattern.split(ANYTHING)]
    if len("".join(pieces).replace(" ", "")) < LEAST_LETTERS:
        raise BadPattern(f"A pattern needs at least {LEAST_LETTERS} letters or digits besides its stars.")
    return re.compile(" ?.* ?".join(re.escape(piece) for piece in pieces), re.DOTALL)


def first_fitting(rules: Iterable[Rule], text: str) -> Rule | None:
    """The first rule whose pattern fits the whole of a printed text."""
    folded = fold(text)
    return next((rule for rule in rules if rule.expression.fullmatch(folded)), None)
