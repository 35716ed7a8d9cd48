"""Papers printed under a name that the person does not go by otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from papers.models import Paper, SourceAuthorship
from researchers.matching.doubts import doubtful_names
from researchers.matching.evidence import AuthorshipEvidence, KnownResearcher, PaperEvidence
from researchers.matching.names import form_of
from researchers.models import Attribution
from researchers.services.profile.facts import Facts
from researchers.services.profile.summary import Summary

MOST_LISTED = 10
_NO_PAPER = PaperEvidence(id=0)


@dataclass(frozen=True, slots=True)
class DoubtfulPaper:
    """A paper that may be another person's, to judge by the name it prints."""

    paper: Paper
    printed: str


def strange_names(settled: Iterable[str], summary: Summary) -> frozenset[str]:
    """Printed names that are no variant of the one the person goes by (``matching.doubts`` has the rule).

    ``settled`` are names that people said are theirs, former ones included. That a paper prints a name settles nothing.
    """
    if len(summary.printed) < 2:
        return frozenset()
    forms = {number: form_of(printed) for number, (printed, _) in enumerate(summary.printed)}
    authorships = tuple(
        AuthorshipEvidence(id=number, paper=_NO_PAPER, name=forms[number])
        for number, (_, papers) in enumerate(summary.printed)
        for _ in range(papers)
    )
    doubts = doubtful_names(KnownResearcher(id=0, authorships=authorships, names=tuple(map(form_of, settled))))
    return frozenset(summary.printed[doubt.authorship][0] for doubt in doubts)


def doubtful_papers(root: int, strange: frozenset[str], facts: Facts) -> list[DoubtfulPaper]:
    """Papers of a root that print one of these names, newest first, at most ``MOST_LISTED``; one statement, if any.

    Left out is what a person decided, and what prints a trusted ORCID of theirs.
    """
    if not strange:
        return []
    prints_orcid = SourceAuthorship.objects.filter(authorship=OuterRef("authorship"), orcid__in=facts.orcids)
    rows = (
        Attribution.objects.of(root)
        .filter(authorship__name__in=strange, paper__redirect_to=None)
        .exclude(decided_by__in=["human", "claim"])
        .exclude(Exists(prints_orcid))
        .select_related("paper", "authorship")
        .only("paper__title", "paper__arxiv_id", "authorship__name")
        .order_by("-paper__sort_date", "-paper_id")[:MOST_LISTED]
    )
    return [DoubtfulPaper(row.paper, row.authorship.name) for row in rows]
