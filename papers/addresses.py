"""From an address to a paper: arXiv ids of both forms, numbers, versions, old names that lead elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from papers.models import Paper, PaperIdentifier
from wovepaper.lib import arxiv_id, doi

_ADDRESS = re.compile(
    r"(?P<reference>\d{4}\.\d{4,5}|[A-Za-z-]{2,9}(?:\.[A-Za-z-]{2,8})?/\d{7}|\d{1,18})"
    r"(?:[vV](?P<version>[1-9]\d{0,3}))?(?:-(?P<slug>.*))?",
    re.ASCII | re.DOTALL,
)
_MOST_HOPS = 50


@dataclass(frozen=True, slots=True)
class PaperAddress:
    """The parts of an address of a paper; ``slug`` is ``None`` where there is none."""

    reference: str
    version: int | None = None
    slug: str | None = None


def parse_address(text: str) -> PaperAddress | None:
    """Take apart what stands after ``/papers/``; ``None`` where it cannot be a paper."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        return None
    version = int(match["version"]) if match["version"] else None
    return PaperAddress(match["reference"], version, match["slug"])


def find_paper(reference: str) -> Paper | None:
    """The paper that an arXiv id or a number leads to today, whatever was merged since."""
    if reference.isdecimal():
        paper = Paper.objects.select_related("primary_category").filter(pk=int(reference)).first()
        return survivor(paper) if paper else None
    identifier = arxiv_id.normalise(reference)
    return find_identified("arxiv", identifier.value) if identifier else None


def find_identified(scheme: str, value: str) -> Paper | None:
    """The paper with this identifier, in its normal form, today."""
    identifier = (
        PaperIdentifier.objects.select_related("paper__primary_category").filter(scheme=scheme, value=value).first()
    )
    return survivor(identifier.paper) if identifier else None


def find_pasted(text: str) -> Paper | None:
    """The paper named by a pasted arXiv id, DOI, or address of either; ``None`` where the text is a search."""
    if identifier := arxiv_id.normalise(text):
        return find_identified("arxiv", identifier.value)
    if name := doi.normalise(text):
        return find_identified("doi", name)
    return None


def survivor(paper: Paper) -> Paper:
    """Where a merged paper's redirects end. Raises ``RuntimeError`` if they lead in a circle."""
    for _ in range(_MOST_HOPS):
        if paper.redirect_to_id is None:
            return paper
        paper = Paper.objects.select_related("primary_category").get(pk=paper.redirect_to_id)
    raise RuntimeError(f"The redirects of paper {paper.pk} do not end.")
