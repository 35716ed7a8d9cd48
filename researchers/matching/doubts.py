"""Attributions that look wrong once they are there: for curators, never undone by themselves."""

from __future__ import annotations

from collections import Counter

from researchers.matching.evidence import AuthorshipEvidence, KnownResearcher
from researchers.matching.names import attachable, relation
from researchers.matching.outcomes import Doubt

_MINORITY = 0.5
"""Share of a researcher's papers below which a name counts as unusual for her."""


def doubtful_names(researcher: KnownResearcher) -> tuple[Doubt, ...]:
    """Authorships printed under a name that the researcher does not otherwise go by and that is no variant of it.

    Her usual name is the commonest on her papers. Names that curators gave her are hers, and so are papers that print
    her ORCID. Nothing is doubtful where strange names stand on half of her papers: then she changed hers.
    """
    printed = Counter(one.name for one in researcher.authorships)
    if len(printed) < 2:
        return ()
    usual = min(printed, key=lambda name: (-printed[name], name.words, name.native))
    hers = {usual, *researcher.names}
    strange = {name for name in printed if not any(attachable(name, known) for known in hers)}
    if sum(printed[name] for name in strange) >= _MINORITY * len(researcher.authorships):
        return ()
    return tuple(
        Doubt(one.id, researcher.id, one.name, usual, relation(one.name, usual))
        for one in _in_order(researcher.authorships)
        if one.name in strange and not (one.orcid and one.orcid in researcher.orcids)
    )


def _in_order(authorships: tuple[AuthorshipEvidence, ...]) -> list[AuthorshipEvidence]:
    return sorted(authorships, key=lambda one: one.id)
