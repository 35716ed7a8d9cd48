"""The reasons of a candidate by the row of the comparison they belong to, and reasons a curator may give."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from researchers.matching.wording import CORRECTION, LOWER_START, Phrase

_ROWS = {
    "namesakes": "names",
    "rare_name": "names",
    "co_author": "co_authors",
    "alone": "co_authors",
    "team_size": "co_authors",
    "co_author_groups": "co_authors",
    "affiliation": "affiliations",
    "paper_affiliation": "affiliations",
    "title": "titles",
    "years_apart": "years",
    "years_between": "years",
    "venue": "venues",
    "source_id": "identifiers",
    "source_id_differs": "identifiers",
    "several_orcids": "identifiers",
    "smaller": "papers",
}
"""Row of the comparison by the kind of evidence; how names are related belongs to the names."""

_NO_REASON = frozenset(("alone", "smaller", "team_size", "years_apart", "years_between"))
"""Evidence that corrects other evidence: no reason that a person would give."""
_PERCENTAGE = re.compile(r"\b(\d+)%")
TELLING = 0.05
"""Contributions nearer to nothing than this are not shown."""

MERGE_PHRASES = (
    "The same ORCID",
    "The same co-authors and field",
    "The person's own list of papers has both",
    "The same affiliation in the same years",
)
DIFFERENT_PHRASES = (
    "Different fields and no co-author in common",
    "Different ORCIDs",
    "Two people of one name at different places in the same years",
    "They stand on one paper together",
)
SPLIT_PHRASES = (
    "Two fields with no co-author in common",
    "The ORCID on these papers is another person's",
    "Another person of the same name",
)
UNDO_PHRASES = ("A mistake of mine", "New evidence says otherwise", "The person says so")


@dataclass(frozen=True, slots=True)
class Told:
    """``rows`` maps a row of the comparison to phrases; ``sentences`` belong to no row."""

    rows: Mapping[str, tuple[Phrase, ...]]
    sentences: tuple[str, ...]

    @property
    def phrases(self) -> list[Phrase]:
        """All phrases, the weightiest first."""
        every = [phrase for phrases in self.rows.values() for phrase in phrases]
        return sorted(every, key=lambda phrase: -abs(phrase.contribution))


def tell(stored: Iterable[str | Mapping[str, Any]]) -> Told:
    """Stored reasons by the rows they belong to. What adds nothing is a sentence, and is told once."""
    rows: defaultdict[str, list[Phrase]] = defaultdict(list)
    sentences: dict[str, None] = {}
    for entry in stored:
        known = {"text": entry} if isinstance(entry, str) else entry
        text, about = str(known.get("text", "")), str(known.get("about", ""))
        contribution = float(known.get("contribution") or 0.0)
        if abs(contribution) >= TELLING:
            row = "names" if about.startswith("relation: ") else _ROWS.get(about, "other")
            rows[row].append(Phrase(text, contribution, about))
        elif text and not contribution:
            sentences[text] = None
    return Told({row: tuple(found) for row, found in rows.items()}, tuple(sentences))


def suggest_merge(told: Told) -> str:
    """A reason for a merge, made of the evidence that weighs most for it. Never a name: names may be hidden one day."""
    facts = [one.text for one in told.phrases if one.contribution >= 0.3 and one.about not in _NO_REASON]
    return _joined(facts) or "Their papers fit together"


def suggest_different(told: Told, *, both_on_paper: bool, other_orcids: bool) -> str:
    """A reason for two people."""
    facts = []
    if both_on_paper:
        facts.append("they stand on one paper together")
    if other_orcids:
        facts.append("different trusted ORCIDs")
    facts += [one.text for one in told.phrases if one.contribution <= -0.3 and _sets_apart(one)]
    return _joined(facts) or "Nothing but the name in common"


def _sets_apart(phrase: Phrase) -> bool:
    """Whether a person would give it as a reason: not that two things agree for the most part, whatever it weighs."""
    if phrase.text.endswith((CORRECTION, LOWER_START)):
        return False
    agreed = _PERCENTAGE.search(phrase.text)
    return phrase.about not in _NO_REASON and not (agreed and int(agreed[1]) >= 50)


def _joined(texts: Iterable[str]) -> str:
    text = "; ".join(list(texts)[:3])
    return text[:1].upper() + text[1:]
