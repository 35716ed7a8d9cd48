"""Reasons in words, for curators and for the page that says why somebody is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from researchers.matching.names import Relation
from researchers.matching.outcomes import Reason

_HOMONYMS = (
    (0.01, "about 1 in 1,700 names this rare are several people"),
    (0.1, "about 1 in 70 names this common are several people"),
    (1.0, "about 1 in 10 names this common are several people"),
)
"""Rates of homonyms by expected namesakes, measured on 388,393 authorships of computational linguistics."""
_VERY_COMMON = "about 4 in 10 names this common are several people"

_RELATIONS = {
    Relation.JOINED: "the names have the same letters",
    Relation.MIDDLE: "one name has a middle name or initial that the other lacks",
    Relation.MIDDLE_AGREES: "a middle initial stands for the other's middle name",
    Relation.INITIAL: "one name has only an initial",
    Relation.INITIAL_AGREES: "one name has only initials, and both agree",
    Relation.SHORT_FORM: "one given name is a usual short form of the other",
    Relation.GIVEN_TYPO: "the given names differ by one letter",
    Relation.BEGINNING: "one given name is the beginning of the other",
    Relation.SUFFIX: "the names differ in their suffix",
    Relation.FAMILY_TYPO: "the family names differ by one letter",
    Relation.FAMILY_PART: "one family name is part of the other",
    Relation.UMLAUT: "the names spell an umlaut differently",
    Relation.FIRST_DROPPED: "one name lacks the other's first given name",
    Relation.REORDERED: "the given names stand in another order",
    Relation.SWAPPED: "given and family name are swapped",
    Relation.MONONYM: "one name is a single word of the other",
    Relation.OTHER_SCRIPT: "the names may be one name in two scripts",
}

CORRECTION = ", a correction: the other evidence counts this already"
"""Ends what reads as if it spoke for one person but weighs against: weights are learnt together, not one by one."""

LOWER_START = ", which makes up only in part for the lower start where both are known"
"""Ends an agreement of affiliations that weighs less than that both are known weighs against, as with names that
differ."""

_GROUPS = {
    "namesakes_above_tenth": "namesakes",
    "co_author_rarity": "co_author",
    "more_co_authors": "co_author",
    "co_authors": "co_author",
    "co_author_share": "co_author",
    "same_years": "years_between",
    "affiliation_disjoint": "affiliation",
    "affiliation_known": "affiliation",
    "title_word": "title",
    "title_phrase": "title",
    "same_year": "years_apart",
    "larger": "smaller",
}
"""Parts that are told in one sentence with another."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """What was compared, in words, and what it adds to the log-odds; below zero it speaks against.

    ``about`` is the kind of evidence, for pages that show it beside what it is about.
    """

    text: str
    contribution: float
    about: str = field(default="", compare=False)


def in_words(reasons: Iterable[Reason]) -> tuple[Phrase, ...]:
    """Reasons in words, those that belong together in one, the weightiest first."""
    groups: dict[str, dict[str, Reason]] = {}
    for reason in reasons:
        groups.setdefault(_GROUPS.get(reason.evidence, reason.evidence), {})[reason.evidence] = reason
    phrases = []
    for name, parts in groups.items():
        total = sum(part.contribution for part in parts.values())
        text = _text(name, {key: part.value for key, part in parts.items()})
        if total < 0:
            text = _against(text, name, parts)
        phrases.append(Phrase(text, round(total, 2), name))
    return tuple(sorted(phrases, key=lambda phrase: (-abs(phrase.contribution), phrase.text)))


def likelihood(probability: float) -> str:
    """``97%``. Never 100%: likeness is no proof."""
    return f"{min(99, round(100 * probability))}%"


def homonym_rate(namesakes: float) -> str:
    """How often a name with this number of expected namesakes is several people's, in words."""
    return next((text for limit, text in _HOMONYMS if namesakes < limit), _VERY_COMMON)


def _against(text: str, name: str, parts: dict[str, Reason]) -> str:
    """The text so that it does not seem to contradict that it weighs against."""
    values = {key: part.value for key, part in parts.items()}
    if name == "affiliation" and not values.get("affiliation_disjoint"):
        if values.get("affiliation", 0.0) < 0.5:
            return text.replace(" by ", " by only ")
        return text + (LOWER_START if "affiliation_known" in parts else CORRECTION)
    seems_for = {
        "namesakes": 10 ** values.get("namesakes", 0.0) < 0.1,
        "rare_name": values.get("rare_name", 1.0) < 0.1,
        "venue": values.get("venue", 0.0) >= 0.5,
        "title": values.get("title", 0.0) >= 0.5,
        "paper_affiliation": values.get("paper_affiliation", 0.0) >= 0.5,
        "co_author": values.get("co_author_share", 1.0) >= 0.5,
    }
    return text + CORRECTION if seems_for.get(name) else text


def _text(name: str, values: dict[str, float]) -> str:
    kind, _, relation = name.partition(": ")
    if kind == "relation":
        return _RELATIONS[Relation(relation)]
    return _TEXTS[name](values)


def _namesakes(values: dict[str, float]) -> str:
    return homonym_rate(10 ** values.get("namesakes", 0.0))


def _co_author(values: dict[str, float]) -> str:
    more = int(values.get("more_co_authors", 0))
    text = ("a co-author in common", "two co-authors in common", "several co-authors in common")[min(2, more)]
    if "co_author_share" in values:
        return f"{values['co_author_share']:.0%} of the co-authors of the smaller side in common"
    rarity = values.get("co_author_rarity", 0.0)
    return f"{text}, one of a rare name" if rarity >= 2 else f"{text}, of common names" if rarity < 1 else text


def _affiliation(values: dict[str, float]) -> str:
    if values.get("affiliation_disjoint"):
        return "affiliations have nothing in common"
    return f"affiliations agree by {values.get('affiliation', 0.0):.0%}"


def _title(values: dict[str, float]) -> str:
    text = f"titles agree by {values.get('title', 0.0):.0%}"
    return f"{text}, with a phrase in common" if values.get("title_phrase") else text


def _years(values: dict[str, float]) -> str:
    if values.get("same_year"):
        return "papers of one year"
    years = round(10 * values.get("years_apart", 0.0))
    return f"papers {years} year{'' if years == 1 else 's'} apart"


def _between(values: dict[str, float]) -> str:
    if values.get("same_years"):
        return "papers of the same years"
    years = round(10 * values.get("years_between", 0.0))
    return f"{years} year{'' if years == 1 else 's'} between the last paper of one and the first of the other"


def _always(text: str) -> Callable[[dict[str, float]], str]:
    return lambda _: text


_TEXTS: dict[str, Callable[[dict[str, float]], str]] = {
    "rare_name": lambda values: homonym_rate(values["rare_name"]),
    "namesakes": _namesakes,
    "co_author": _co_author,
    "affiliation": _affiliation,
    "paper_affiliation": lambda values: f"the papers' affiliations agree by {values['paper_affiliation']:.0%}",
    "title": _title,
    "years_apart": _years,
    "years_between": _between,
    "venue": lambda values: f"venues agree by {values['venue']:.0%}" if values["venue"] < 1 else "a venue in common",
    "smaller": _always("how many papers there are to compare"),
    "alone": _always("no co-authors to compare"),
    "team_size": _always("the more co-authors, the less one in common says"),
    "several_orcids": lambda values: f"{int(values['several_orcids'])} trusted ORCIDs",
    "co_author_groups": lambda values: (
        f"the papers fall into {int(values['co_author_groups'])} groups without a co-author in common"
    ),
    "source_id": _always("a source gives both the same author id"),
    "source_id_differs": _always("a source gives them different author ids"),
}
