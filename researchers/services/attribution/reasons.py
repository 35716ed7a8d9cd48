"""Reasons as they are kept beside an attribution, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from researchers.matching.outcomes import Reason
from researchers.matching.wording import Phrase, in_words


def as_kept(reasons: Iterable[Reason]) -> list[list[Any]]:
    """For ``Attribution.evidence``: what was compared, its value, what it adds to the log-odds."""
    return [[one.evidence, round(one.value, 3), round(one.contribution, 2)] for one in reasons]


def in_words_of_kept(evidence: Iterable[Sequence[Any]]) -> tuple[Phrase, ...]:
    """The ``evidence`` of an attribution in words, the weightiest first."""
    return in_words(Reason(name, float(value), float(contribution)) for name, value, contribution in evidence)


def for_candidates(reasons: Iterable[Reason]) -> list[dict[str, object]]:
    """For ``Candidate.reasons``: each in words, with what it adds to the log-odds and what kind of evidence it is."""
    return [
        {"text": phrase.text, "contribution": phrase.contribution, "about": phrase.about}
        for phrase in in_words(reasons)
    ]
