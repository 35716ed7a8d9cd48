"""Subjects as ``oai_dc`` prints them (``Computer Science - Information Theory``), back to category codes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from papers.sources.arxiv import taxonomy
from wovepaper.lib import text

_FORMER_NAMES = {
    "Computer Science - Learning": "cs.LG",
    "Astrophysics - Cosmology and Extragalactic Astrophysics": "astro-ph.CO",
    "Astrophysics - Galaxy Astrophysics": "astro-ph.GA",
    "Condensed Matter - Mesoscopic Systems and Quantum Hall Effect": "cond-mat.mes-hall",
    "Computer Science - Architecture": "cs.AR",
    "Mathematics - Statistics": "math.ST",
}


def read_subjects(printed: Iterable[str]) -> tuple[str, ...]:
    """The codes in order, each once. Subjects of other schemes (MSC, ACM) are passed over."""
    known = _codes()
    codes = (known.get(text.fold_space(subject)) for subject in printed)
    return tuple(dict.fromkeys(code for code in codes if code))


@cache
def _codes() -> dict[str, str]:
    codes = dict(_FORMER_NAMES)
    # Closed archives first, so that an open category of the same printed name takes the name over.
    for fact in sorted(taxonomy.load().values(), key=lambda fact: fact.active):
        printed = fact.name if fact.code == fact.archive else f"{fact.archive_name} - {fact.name}"
        codes[printed] = fact.code
    return codes
